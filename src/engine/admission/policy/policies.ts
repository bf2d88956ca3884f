/**
 * The policies that hold in a repository: those of the user and the system, whose files the host names, and those that the
 * repository brings. All hold at once, and what the repository brings starts no program.
 */

import { fromUtf8 } from '../../../bytes.ts';
import type { Fs, Stat } from '../../../fs/fs.ts';
import { parseCommit } from '../../../git/objects/commit.ts';
import type { ObjectDatabase } from '../../../git/objects/object-database.ts';
import { lookup } from '../../../git/objects/tree.ts';
import type { Repository } from '../../../git/repository/repository.ts';
import { readTrail, type TrailHead } from '../../../history/head.ts';
import { matcher, type Policy, parsePolicy } from './policy-file.ts';

/** The repository's own policy, by its path in the work tree. */
export const POLICY_PATH = '.vedit/policy.json';

/** A policy as it holds; with a `fault` nothing may change until it is corrected. */
export interface Layer {
  /** For messages: no path of the host. */
  name: string;
  isTrusted: boolean;
  /** True where this process cannot write the file: only then the policy binds it. */
  isBinding: boolean;
  policy: Policy;
  fault: string | null;
  isAllowed: (path: string) => boolean;
  isReadOnly: (path: string) => boolean;
  isUnreadable: (path: string) => boolean;
  maySecretsBe: (path: string) => boolean;
}

/** Where a policy's text is from. */
interface Source {
  name: string;
  isTrusted: boolean;
  isBinding: boolean;
}

export interface PolicyPlaces {
  fs: Fs;
  objects: ObjectDatabase;
  repo: Repository;
  euid: number | undefined;
  /** The option `trail` of the workspace. */
  trailName: string | undefined;
  /** Absolute paths of the files of the user and the system. */
  files: readonly string[];
}

/** The state of the trail that tells HEAD's tree. */
type At = Pick<TrailHead, 'checkedOut' | 'head' | 'tree'>;

/** Bytes of a policy. */
const LONGEST = 1024 * 1024;

const NONE: Policy = { version: 1 };

export class Policies {
  readonly #places: PolicyPlaces;
  /** Holds what HEAD has, which seldom changes: every edit asks for it. */
  #head: { from: string; layer: Layer | null } | null = null;
  /** Absolute paths of the files of the user and the system. */
  readonly files: readonly string[];

  constructor(places: PolicyPlaces) {
    this.#places = places;
    this.files = places.files;
  }

  /** Lists every policy that holds now. The one that HEAD has counts too: a work tree without it does not loosen it. */
  async layers(trail?: At): Promise<Layer[]> {
    const { fs, repo, objects, trailName } = this.#places;
    const { files } = this;
    const found: Layer[] = [];
    const own = repo.workDir && `${repo.workDir}/${POLICY_PATH}`;
    const places = files.map(path => ({ path, isTrusted: true }));
    const named = repo.config.get('vedit.policy');
    if (named?.startsWith('/') && !files.includes(named)) places.push({ path: named, isTrusted: false });
    if (own) places.push({ path: own, isTrusted: false });
    for (const { path, isTrusted } of places) {
      const stat = await fs.lstat(path).catch(() => null);
      // Most repositories have none.
      if (!stat && path === own) continue;
      const name = path === own ? POLICY_PATH : `${path.split('/').at(-1)} (vedit.policy)`;
      found.push(await this.#ofFile({ path, name, isTrusted }, stat));
    }
    const at = trail ?? (await readTrail(repo, objects, trailName));
    const from = at.checkedOut ? at.tree : at.head;
    if (from && this.#head?.from !== from)
      this.#head = { from, layer: await this.#ofTree(from, at.checkedOut) };
    if (from && this.#head?.layer) found.push(this.#head.layer);
    return found;
  }

  async #ofFile(
    { path, ...place }: { path: string; name: string; isTrusted: boolean },
    stat: Stat | null,
  ): Promise<Layer> {
    const { fs, repo, euid } = this.#places;
    const isBinding =
      stat !== null && euid !== undefined && euid !== 0 && stat.uid !== euid && !(stat.mode & 0o022);
    const source = { ...place, isBinding };
    try {
      return made(source, await fs.readFile(path), repo);
    } catch (error) {
      return faulty(source, error);
    }
  }

  /** `from`: HEAD's tree, where the trail is checked out, or its commit. */
  async #ofTree(from: string, checkedOut: boolean): Promise<Layer | null> {
    const { objects, repo } = this.#places;
    const root = checkedOut ? from : parseCommit((await objects.read(from)).content).tree;
    const ref = await lookup(objects, root, POLICY_PATH);
    if (!ref?.mode.startsWith('100')) return null;
    const source = { name: `${POLICY_PATH} of HEAD`, isTrusted: false, isBinding: false };
    try {
      return made(source, (await objects.read(ref.oid)).content, repo);
    } catch (error) {
      return faulty(source, error);
    }
  }
}

function made(source: Source, bytes: Uint8Array, { config }: Repository): Layer {
  if (bytes.length > LONGEST) throw new Error(`it is longer than ${LONGEST} bytes`);
  const policy = parsePolicy(fromUtf8(bytes) ?? '', source.isTrusted);
  const ignoreCase = config.bool('core.ignorecase', false);
  return layerOf(source, policy, null, ignoreCase);
}

function faulty(source: Source, error: unknown): Layer {
  return layerOf(source, NONE, error instanceof Error ? error.message.split('\n')[0]! : String(error), false);
}

/** Patterns that forbid ignore case, since a file may be named in any; those that allow do where files are so. */
function layerOf(source: Source, policy: Policy, fault: string | null, ignoreCase: boolean): Layer {
  const { allow, read_only = [], unreadable = [], secrets_allowed = [] } = policy;
  return {
    ...source,
    policy,
    fault,
    isAllowed: allow ? matcher(allow, ignoreCase) : () => true,
    isReadOnly: matcher(read_only, true),
    isUnreadable: matcher(unreadable, true),
    maySecretsBe: matcher(secrets_allowed, ignoreCase),
  };
}
