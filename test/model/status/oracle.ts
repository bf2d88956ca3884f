/**
 * What became of every line of every edit, read from who is in which text and from the versions as they were made. Shares
 * no code with src: no text is compared with another one but by membership.
 */

import { changes, type Line } from './lines.ts';
import { type Cause, FIRST, TABLE } from './table.ts';
import { ancestors, type Files, PATHS, type Scene, type Version } from './world.ts';

/** What became of one line: `+12 of a: superseded by edit 7`. */
export interface Fate {
  isPut: boolean;
  line: Line;
  path: string;
  word: string;
  by: string | null;
}

/** What the trail last did to a line. */
interface Event {
  version: Version;
  isPut: boolean;
  /** True where text that nobody had written before came into the place of the line. */
  isReplaced: boolean;
}

/** By the id of a version, for all but syncs. */
export function fatesOf(scene: Scene): Map<string, Fate[]> {
  const fates = new Map<string, Fate[]>();
  for (const path of PATHS) {
    const history = new History(scene, path);
    for (const version of history.versions) {
      if (version.kind === 'base' || version.kind === 'sync') continue;
      const own = history.effects(version).map(([line, isPut]) => history.fate(version, line, isPut));
      if (own.length > 0) fates.set(version.id, [...(fates.get(version.id) ?? []), ...own]);
    }
  }
  return fates;
}

/** The word of an edit, and of how many lines it is said. */
export function wordOf(fates: readonly Fate[]): { now: string; lines: Record<string, number> } {
  const left = fates.filter(({ word }) => word !== 'nothing left');
  const put = left.filter(({ isPut }) => isPut);
  const deciding = put.length > 0 ? put : left;
  const lines: Record<string, number> = {};
  for (const { word } of deciding) lines[word] = (lines[word] ?? 0) + 1;
  return { now: FIRST.find(word => lines[word]) ?? 'nothing left', lines };
}

class History {
  readonly versions: readonly Version[];
  readonly #scene: Scene;
  readonly #path: string;
  readonly #last = new Map<Line, Event>();
  readonly #known = new Set<Line>();
  /** Lines of the trail's newest text in whose place the file has text that nobody had written before. */
  readonly #rewritten: ReadonlySet<Line>;

  constructor(scene: Scene, path: string) {
    this.#scene = scene;
    this.#path = path;
    this.versions = ancestors(scene.tip);
    for (const version of this.versions) this.#learn(version);
    this.#rewritten = this.#replaced(scene.tip.files, scene.work);
  }

  /** Whether a line is in a text. */
  #has(files: Files, line: Line): boolean {
    return files[this.#path]!.includes(line);
  }

  /** The lines that a version put in or took out. */
  effects({ parent, files }: Version): Array<[Line, boolean]> {
    if (!parent) return [];
    const put = files[this.#path]!.filter(line => !this.#has(parent.files, line));
    const gone = parent.files[this.#path]!.filter(line => !this.#has(files, line));
    return [
      ...put.map((line): [Line, boolean] => [line, true]),
      ...gone.map((line): [Line, boolean] => [line, false]),
    ];
  }

  #learn(version: Version): void {
    const { parent } = version;
    const replaced = parent ? this.#replaced(parent.files, version.files) : null;
    for (const [line, isPut] of this.effects(version))
      this.#last.set(line, { version, isPut, isReplaced: replaced?.has(line) ?? false });
    for (const line of version.files[this.#path]!) this.#known.add(line);
  }

  #replaced(before: Files, after: Files): Set<Line> {
    const found = new Set<Line>();
    const old = before[this.#path]!;
    for (const { from, to, put } of changes(old, after[this.#path]!))
      if (put.some(line => !this.#known.has(line))) for (const line of old.slice(from, to)) found.add(line);
    return found;
  }

  fate(version: Version, line: Line, isPut: boolean): Fate {
    const { head } = version;
    const { work, head: now } = this.#scene;
    const of = (word: string, by: string | null): Fate => ({ isPut, line, path: this.#path, word, by });
    if (this.#isPersons(version, line, isPut)) return of('nothing left', null);
    const inFile = this.#has(work, line) === isPut;
    const inHead = this.#has(now, line) === isPut;
    if (inHead && this.#has(head.files, line) === isPut) return of('nothing left', null);
    const event = this.#last.get(line)!;
    const undoing = event.isPut === isPut || event.version.kind === 'sync' ? null : event;
    const { cause, by } = inFile ? { cause: undefined, by: null } : this.#cause(line, isPut, undoing);
    const row = TABLE.find(
      one => one.inFile === inFile && one.inHead === inHead && (!one.cause || one.cause === cause),
    )!;
    return of(row.word, inHead && !inFile ? (undoing?.version.id ?? 'hand') : by);
  }

  /** True for a way back that does what a person did last, and HEAD was not so since anybody did it. */
  #isPersons(version: Version, line: Line, isPut: boolean): boolean {
    if (version.kind !== 'back') return false;
    const before = this.versions.slice(0, this.versions.indexOf(version));
    const did = (one: Version): boolean =>
      one.kind !== 'back' && this.effects(one).some(([some, put]) => some === line && put === isPut);
    const first = before.findIndex(did);
    const heads = [...before.slice(first), version].map(one => one.head);
    return (
      first >= 0 &&
      before.findLast(did)!.kind === 'outside' &&
      !heads.some(({ files }) => this.#has(files, line) === isPut)
    );
  }

  #cause(line: Line, isPut: boolean, undoing: Event | null): { cause: Cause; by: string } {
    const by = undoing?.version.id ?? 'hand';
    const kind = undoing?.version.kind;
    if (kind === 'edit' || kind === 'back' || kind === 'reject') return { cause: kind, by };
    const isReplaced = undoing ? undoing.isReplaced : this.#rewritten.has(line);
    if (isPut && isReplaced) return { cause: 'text from outside', by };
    const found = this.#scene.elsewhere.find(({ files, from }) =>
      isPut ? this.#has(files, line) : from && this.#has(from, line) && !this.#has(files, line),
    );
    return found ? { cause: 'elsewhere', by: found.where } : { cause: 'nowhere', by };
  }
}
