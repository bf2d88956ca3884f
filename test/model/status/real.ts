/** The same person and agents with the real git and the engine: what they did is read from git's objects alone. */

import type { Session, Workspace } from '../../../src/index.ts';
import { ADA } from '../../helpers/landing.ts';
import { type Place, personRepo } from '../../helpers/person-repo.ts';
import type { Line, Text } from './lines.ts';
import type { Fate } from './oracle.ts';
import {
  type Commit,
  type Files,
  type Kind,
  mapFiles,
  PATHS,
  type Scene,
  synced,
  type Version,
} from './world.ts';

const written = (text: Text): string => text.map(line => `line ${line}\n`).join('');

const read = (text: string): Line[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map(line => Number(line.slice('line '.length)));

export class RealRepo {
  readonly repo: Place;
  readonly workspace: Workspace;
  readonly sessions: readonly Session[];
  #lines = 0;
  /** By commit. */
  readonly #commits = new Map<string, Commit>();

  private constructor(repo: Place, workspace: Workspace, lines: number) {
    this.repo = repo;
    this.workspace = workspace;
    this.sessions = ['s1', 's2'].map(id => workspace.session({ id, agent: `agent-${id}` }));
    this.#lines = lines;
  }

  static async made(lengths: readonly number[]): Promise<RealRepo> {
    let count = 0;
    const text = (length: number): string => written(Array.from({ length }, () => count++));
    const repo = personRepo(Object.fromEntries(PATHS.map((path, n) => [path, text(lengths[n]!)])));
    return new RealRepo(repo, await repo.open({ user: ADA }), count);
  }

  typed(count: number): Line[] {
    return Array.from({ length: count }, () => this.#lines++);
  }

  /** What git prints; nothing where it refuses. */
  git(...args: string[]): string {
    try {
      return this.repo.git(...args);
    } catch {
      return '';
    }
  }

  write(path: string, text: Text): void {
    this.repo.write(path, written(text));
  }

  stage(path: string, text: Text): void {
    const oid = this.repo.pipe(written(text), 'hash-object', '-w', '--stdin').toString().trim();
    this.git('update-index', '--cacheinfo', `100644,${oid},${path}`);
  }

  input(path: string, text: Text): { path: string; file_text: string; overwrite: true } {
    return { path, file_text: written(text), overwrite: true };
  }

  /** Sets aside a merge, a rebase or a stash that does not fit. */
  tidy(): void {
    if (this.git('ls-files', '-u') === '') return;
    this.git('rebase', '--abort');
    this.git('merge', '--abort');
    if (this.git('ls-files', '-u') !== '') this.git('reset', '-q', '--hard');
  }

  get work(): Files {
    return mapFiles(path => read(this.repo.read(path)));
  }

  /** What the names hold, each a commit or, with '', the index. */
  filesOf(...names: string[]): Files[] {
    const wanted = names.flatMap(name => PATHS.map(path => `${name}:${path}\n`)).join('');
    const out = this.repo.pipe(wanted, 'cat-file', '--batch').toString();
    const texts: Text[] = [];
    for (let at = 0; at < out.length; ) {
      const end = out.indexOf('\n', at);
      const size = Number(/ blob (\d+)$/.exec(out.slice(at, end))?.[1]);
      texts.push(read(out.slice(end + 1, end + 1 + size)));
      at = end + 1 + size + 1;
    }
    return names.map((_, n) =>
      Object.fromEntries(PATHS.map((path, m) => [path, texts[n * PATHS.length + m]!])),
    );
  }

  /**
   * Whether a commit is of HEAD's history and did what an edit did to one of these lines at least; or, as `null` says, none
   * did since HEAD was `before`, because a reset brought HEAD back to it.
   */
  isBroughtBy(oid: string | null, fates: readonly Fate[], before: Commit): boolean {
    const old = [...this.#commits].find(([, commit]) => commit === before)![0];
    const later = this.git('rev-list', 'HEAD', `^${old}`).split('\n').filter(Boolean);
    const isNobodys = !later.some(one => this.#brings(one, fates));
    if (oid === null) return isNobodys;
    return this.git('merge-base', 'HEAD', oid) === oid && (isNobodys || this.#brings(oid, fates));
  }

  #brings(oid: string, fates: readonly Fate[]): boolean {
    const parents = this.git('rev-parse', `${oid}^@`).split('\n').filter(Boolean);
    const { files } = this.#commit(oid);
    const has = (text: Files, { path, line, isPut }: Fate): boolean => text[path]!.includes(line) === isPut;
    const before = parents.map(parent => this.#commit(parent).files);
    return fates.some(
      one => has(files, one) && (before.length === 0 || before.some(text => !has(text, one))),
    );
  }

  #commit(oid: string): Commit {
    const known = this.#commits.get(oid) ?? { parent: null, files: this.filesOf(oid)[0]! };
    this.#commits.set(oid, known);
    return known;
  }

  #refs(prefix: string): Array<readonly [name: string, oid: string]> {
    const lines = this.git('for-each-ref', '--format=%(refname) %(objectname)', prefix).split('\n');
    return lines.filter(Boolean).map(line => {
      const [name, oid] = line.split(' ');
      return [name!.slice(prefix.length), oid!] as const;
    });
  }

  /** What a reader sees of the trail that has this edit; `null` where it is gone. */
  scene(newest: string): Scene | null {
    const branch = this.git('symbolic-ref', '--short', 'HEAD');
    const trails = this.#refs('refs/vedit/');
    const [tip] = [...trails]
      .sort(([one], [other]) => Number(other === branch) - Number(one === branch))
      .filter(([, oid]) => this.git('rev-list', oid).includes(newest))
      .map(([, oid]) => this.#versions(oid).at(-1)!);
    if (!tip) return null;
    const head = this.#commit(this.git('rev-parse', 'HEAD'));
    const { work } = this;
    const moved: Version = { ...tip, number: tip.number + 1, id: 'head', kind: 'head', parent: tip, head };
    const joined = head === tip.head ? tip : { ...moved, files: synced(tip, head, work) };
    return { tip: joined, work, head: head.files, elsewhere: this.#elsewhere(branch) };
  }

  /** Of a trail, oldest first: the commit that it begins at, and those of the engine. */
  #versions(tip: string): Version[] {
    const keys = ['Op', 'Rejects', 'Unrejects'].map(
      key => `%(trailers:key=Vedit-${key},valueonly,separator=+)`,
    );
    const rows = this.git('log', '--first-parent', `--format=%H;%P;${keys.join(';')}`, tip).split('\n');
    const own = rows.map(row => row.split(';'));
    const base = own.findIndex(([, , op]) => op === '');
    const versions: Version[] = [];
    const files = this.filesOf(...own.slice(0, base + 1).map(([id]) => id!));
    for (const [number, [id, parents, op, rejects, unrejects]] of own
      .slice(0, base + 1)
      .reverse()
      .entries()) {
      const kind = op === '' ? 'base' : kindOf(op!, { rejects: rejects !== '', unrejects: unrejects !== '' });
      const below = versions.at(-1);
      const [, second] = parents!.split(' ');
      const head = !below ? this.#commit(id!) : kind === 'head' ? this.#commit(second!) : below.head;
      versions.push({
        number,
        id: id!,
        kind,
        parent: below ?? null,
        head,
        files: files[base - number]!,
      });
    }
    return versions;
  }

  #elsewhere(branch: string): Scene['elsewhere'] {
    const stashes = this.git('stash', 'list', '--format=%H').split('\n').filter(Boolean);
    const places = [
      ['index', '', 'HEAD'] as const,
      ...stashes.flatMap((oid, n) => [
        [`stash@{${n}}`, oid, `${oid}^`] as const,
        [`stash@{${n}}`, `${oid}^2`, `${oid}^`] as const,
      ]),
      ...this.#refs('refs/heads/')
        .filter(([name]) => name !== branch)
        .map(([name, oid]) => [`branch ${name}`, oid] as const),
    ];
    const files = this.filesOf(...places.map(([, name]) => name));
    const known = places.filter(place => place.length === 3);
    const from = this.filesOf(...known.map(([, , base]) => base));
    return places.map(([where], n) => ({ where, files: files[n]!, ...(from[n] ? { from: from[n] } : {}) }));
  }
}

function kindOf(op: string, { rejects, unrejects }: { rejects: boolean; unrejects: boolean }): Kind {
  if (op === 'head') return 'head';
  if (rejects) return 'reject';
  if (op === 'outside' && !unrejects) return 'outside';
  if (op === 'redo') return 'redo';
  if (op === 'shell') return 'command';
  return unrejects || ['undo', 'revert', 'rollback', 'restore'].includes(op) ? 'back' : 'edit';
}
