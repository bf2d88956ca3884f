/** The workspace at the moment of one attempt: the trail's state, and each file asked for, read once. */

import { EditError } from '../../errors.ts';
import { orNull } from '../../fs/fs.ts';
import { lookup, lookupBeyond } from '../../git/objects/tree.ts';
import type { TrailHead } from '../../history/head.ts';
import type { Recorded } from '../../history/steps.ts';
import { isAscii, isSameName } from '../../stores/paths.ts';
import type { StoredFile, StoredMode } from '../../stores/store.ts';
import { ifTool, look, pathName } from '../../wording.ts';
import type { Layer } from '../admission/policy/policies.ts';
import { checkReadable } from '../admission/policy/readable.ts';
import { type Context, givenPath, toTrail } from '../context.ts';
import { findCommit, isCounted, type NamedCommits } from '../revision.ts';
import { isSetAside } from '../transaction/aside/asides.ts';
import type { Note } from '../transaction/aside/note.ts';
import { tracking } from '../transaction/index-step.ts';
import { Conversion, overRecorded } from './conversion.ts';
import { nameInTree } from './unicode-name.ts';

/** The state that a change gives a snapshot besides the trail; see Snapshot. */
export interface BeforeChange {
  shown?: TrailHead;
  named?: NamedCommits | null;
  /** By path of the trail, what is set aside. */
  asides?: ReadonlyMap<string, Note> | undefined;
}

export class Snapshot {
  readonly context: Context;
  readonly trail: TrailHead;
  /** The trail as readers see it: without the commit that brings it up to HEAD, which only the change will write. */
  readonly shown: TrailHead;
  readonly #named: NamedCommits | null;
  readonly #asides: ReadonlyMap<string, Note>;
  /** By the attributes and the config as they are now. */
  readonly conversion: Conversion;
  #layers: Promise<Layer[]> | null = null;
  readonly #files = new Map<string, Promise<StoredFile | null>>();
  readonly #entries = new Map<string, Promise<StoredFile | null>>();
  readonly #resolved = new Map<string, Promise<string>>();
  readonly #recorded = new Map<string, Recorded>();

  constructor(context: Context, trail: TrailHead, before: BeforeChange = {}) {
    const { shown = trail, named = null, asides = new Map() } = before;
    this.#asides = asides;
    this.context = context;
    this.trail = trail;
    this.shown = shown;
    this.#named = named;
    this.conversion = new Conversion(context);
  }

  /** The commit that a caller named, as `log` and `show` know it. Throws as findCommit. */
  commit(name: string): Promise<string> {
    return this.#named ? this.#named.find(name) : findCommit(this.context, this.shown, name);
  }

  /** True for a name that means another commit after every edit; see isCounted. */
  isCounted(name: string): Promise<boolean> {
    return isCounted(this.context, this.shown, name);
  }

  /** The newest commit when the request was made: what `@` means. */
  get newest(): string | null {
    return (this.#named?.trail ?? this.shown).parent;
  }

  /** The real path of a path as a caller gave it. Throws the codes of a path that is not allowed. */
  resolve(given: string): Promise<string> {
    const path = this.#resolved.get(given) ?? this.#real(given);
    this.#resolved.set(given, path);
    return path;
  }

  /** As `resolve`, for a path that may be a folder's: a slash may end it, and the root, however it is spelled, is ''. */
  resolveFolder(given: string): Promise<string> {
    return this.#real(given, { folder: true });
  }

  /** As `resolveFolder`, without following links: a path in another Unicode form by the name that is there, or recorded. */
  async named(given: string): Promise<string> {
    const path = givenPath(this.context, given, { folder: true }).replace(/\/$/, '');
    const real = isAscii(path) ? path : await this.resolveFolder(path).catch(() => path);
    return isSameName(path, real) ? real : path;
  }

  /** The policies that hold at this moment, read once. */
  layers(): Promise<Layer[]> {
    this.#layers ??= this.context.policies.layers(this.trail);
    return this.#layers;
  }

  /** The note of a real path that is set aside: to a change its file is what the trail has of it. */
  aside(path: string): Note | undefined {
    return this.#asides.get(toTrail(this.context, path));
  }

  /** The refusal of a call about a path that is set aside, in place of one that comes of that; any other error as it is. */
  explained(error: unknown): unknown {
    if (!(error instanceof EditError)) return error;
    for (const path of [error.data.path, error.data.paths].flat()) {
      const note = typeof path === 'string' ? this.aside(path) : undefined;
      if (note) return isSetAside(note, path as string);
    }
    return error;
  }

  /** The present content of a real path, read once. */
  file(path: string): Promise<StoredFile | null> {
    const known = this.#files.get(path);
    if (known) return known;
    const file = this.#read(path);
    this.#files.set(path, file);
    return file;
  }

  /**
   * Returns what is at a path: a file, as `file` does; of a link, the link, where the store holds any. It is read
   * once.
   */
  entry(path: string): Promise<StoredFile | null> {
    const { store } = this.context;
    if (!store.entry) return this.file(path);
    const entry = this.#entries.get(path) ?? store.entry(path);
    this.#entries.set(path, entry);
    return entry;
  }

  /** Notes that the change empties the folder at this path: from then on there is no file. */
  noFile(path: string): void {
    this.#files.set(path, Promise.resolve(null));
  }

  /** Returns what the trail's newest commit holds at a real path, looked up once. */
  async recorded(path: string): Promise<Recorded> {
    const known = this.#recorded.get(path);
    const { tree } = this.trail;
    if (known !== undefined || tree === null) return known ?? null;
    const found = await lookup(this.context.objects, tree, toTrail(this.context, path));
    this.#recorded.set(path, found);
    return found;
  }

  /** The present content of a real path as git would record it now. */
  async asRecorded(path: string): Promise<StoredFile | null> {
    const file = await this.file(path);
    if (!file || this.conversion.isPlain(file)) return file;
    return this.conversion.recorded(path, file, overRecorded(this.context, await this.recorded(path)));
  }

  /** As `asRecorded`, at a path that may be a link's: of a link, the link; of what lies below one, nothing. */
  async entryAsRecorded(path: string): Promise<StoredFile | null> {
    try {
      if ((await this.resolve(path)) === path) return await this.asRecorded(path);
      return await this.entry(path);
    } catch (error) {
      const leadsOut = error instanceof EditError && error.code === 'OUTSIDE_WORKSPACE';
      const file = leadsOut ? await this.entry(path).catch(() => null) : null;
      if (file?.mode === '120000') return file;
      throw error;
    }
  }

  /** True for a file that a sparse checkout leaves out: that it is not on disk does not mean that it was deleted. */
  async isLeftOut(path: string): Promise<boolean> {
    const { repo, store } = this.context;
    if (!store.separate || !repo.config.bool('core.sparsecheckout', false)) return false;
    return (await tracking(this.context, toTrail(this.context, path))) === 'left out';
  }

  async #real(given: string, kind?: { folder: boolean }): Promise<string> {
    const found = await this.context.store.resolve(givenPath(this.context, given, kind));
    const path = isAscii(found) ? found : await this.#asRecordedName(found);
    const layers = await this.layers();
    if (layers.length > 0 || this.context.beforeRead) await checkReadable(this.context, layers, path);
    const { tree } = this.trail;
    if (!tree || path === '') return path;
    const { ref, submodule } = await lookupBeyond(this.context.objects, tree, toTrail(this.context, path));
    if (submodule !== null) {
      const message = `${submodule} is a submodule. Open a workspace in it to edit its files.`;
      throw new EditError('NESTED_REPOSITORY', message, { path: submodule });
    }
    this.#recorded.set(path, ref);
    return path;
  }

  /** The name of a recorded file that is not there, where it is given in another Unicode form. */
  async #asRecordedName(path: string): Promise<string> {
    const { objects, store } = this.context;
    const { tree } = this.trail;
    const recorded = tree && (await nameInTree(objects, tree, toTrail(this.context, path)));
    if (!recorded || (await orNull(store.read(path)))) return path;
    return recorded.slice(toTrail(this.context, '').length);
  }

  async #read(path: string): Promise<StoredFile | null> {
    if (!this.context.store.separate) return fileIn(this.context, this.trail.tree, path);
    if (this.aside(path)) return fileIn(this.context, this.trail.tree, path);
    const file = await this.context.store.read(path);
    if (file || !(await this.recorded(path)) || !(await this.isLeftOut(path))) return file;
    throw new EditError(
      'FILE_NOT_FOUND',
      `${pathName(path)} is recorded, but outside the sparse checkout, so it is not among the files. Bring it in with git sparse-checkout add, then edit it.`,
      { path },
    );
  }
}

/** The file that a tree holds at a path of the workspace. Throws IS_DIRECTORY, SPECIAL_FILE. */
export async function fileIn(
  context: Context,
  tree: string | null,
  path: string,
): Promise<StoredFile | null> {
  const entry = tree ? await lookup(context.objects, tree, toTrail(context, path)) : null;
  return entry ? recordedFile(context, path, entry) : null;
}

/** Reads the content of a recorded entry. Throws IS_DIRECTORY, SPECIAL_FILE. */
export async function recordedFile(
  context: Context,
  path: string,
  entry: NonNullable<Recorded>,
): Promise<StoredFile> {
  if (entry.mode === '40000') {
    throw new EditError(
      'IS_DIRECTORY',
      `${pathName(path)} is a folder. Name a file${ifTool('view', `; ${look('folder')} it for what it holds`)}.`,
      { path },
    );
  }
  if (!entry.mode.startsWith('100')) {
    throw new EditError(
      'SPECIAL_FILE',
      `${pathName(path)} is recorded as a link or submodule, not as a regular file. Nothing was changed. A link is changed by a command (ln, rm, git restore).`,
      { path },
    );
  }
  const mode: StoredMode = entry.mode === '100755' ? '100755' : '100644';
  return { bytes: await context.objects.file(toTrail(context, path), entry.oid), mode, version: entry.oid };
}
