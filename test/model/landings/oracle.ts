/**
 * What a landing may commit, read from which row is in which text. Shares no code with src: no text is compared with another
 * one but by membership, and no row is twice in a text.
 */

import { changes } from '../status/lines.ts';
import type { Commit, Tree } from './place.ts';
import { FILES, type FileName, isLine, NAMES, type Rows, rowsIn } from './rows.ts';

/** A commit of the trail, as its message tells it. */
export interface Version {
  id: string;
  kind: 'base' | 'own' | 'reject' | 'outside' | 'sync';
  session: string | null;
  /** The rejections that it overrides, and the one that it takes back. */
  overrides: readonly string[];
  unrejects: string | null;
  tree: Tree;
}

export interface Asked {
  /** True for the commit of an edit that is to land. */
  takes(commit: string): boolean;
  outside: boolean;
  overridden: boolean;
  /** True where the edits were named: the file does not matter. */
  named: boolean;
  /** True where what is not as the file has it must have a reason. */
  whole: boolean;
  isAbout(file: FileName): boolean;
  /** True where files that no chosen edit touched are not meant. */
  narrow: boolean;
}

/** What the answer names besides what it lands. */
export interface Answered {
  /** Edits that landed. */
  edits: readonly string[];
  outside: readonly string[];
  leftOut: ReadonlyArray<{ path: string; lines: readonly string[] }>;
  takenBack: readonly string[];
  left: number;
}

export interface Scene {
  /** Oldest first; the first one is the commit that the trail begins at. */
  versions: readonly Version[];
  file: Tree;
  head: Tree;
  /** HEAD as it was whenever the trail saw it. */
  heads: readonly Tree[];
  /** By rejection, true where the person accepted something since. */
  acceptedSince(rejection: string): boolean;
}

export function versionOf({ id, message, tree }: Commit): Version {
  const told = (key: string): string[] =>
    [...message.matchAll(new RegExp(`^Vedit-${key}: (.*)$`, 'gm'))].map(([, value]) => value!);
  const [op] = told('Op');
  const [unrejects = null] = told('Unrejects');
  const isReject = told('Rejects').length > 0;
  const kind =
    op === undefined
      ? 'base'
      : op === 'sync'
        ? 'sync'
        : isReject
          ? 'reject'
          : op === 'outside' && !unrejects
            ? 'outside'
            : 'own';
  return { id, kind, session: told('Session')[0] ?? null, overrides: told('Overrides'), unrejects, tree };
}

interface Event {
  version: Version;
  isPut: boolean;
}

type Owner = 'chosen' | 'other' | 'outside';

/** What is known of one file, before anybody lands anything. */
class History {
  readonly texts: readonly Rows[];
  readonly file: Rows;
  readonly head: Rows;
  readonly events = new Map<string, Event[]>();
  /** By row, the group of rows that one step put in or took out together. */
  readonly parts = new Map<string, Set<string>>();

  constructor({ versions, file, head }: Scene, name: FileName) {
    this.texts = versions.map(({ tree }) => rowsIn(tree, name)!);
    this.file = rowsIn(file, name)!;
    this.head = rowsIn(head, name)!;
    for (let at = 1; at < versions.length; at++)
      this.#learn(this.texts[at - 1]!, this.texts[at]!, versions[at]!);
    this.#learn(this.texts.at(-1)!, this.file, null);
  }

  #learn(before: Rows, after: Rows, version: Version | null): void {
    const known = [...new Set([...before, ...after])];
    const numbers = (rows: Rows): number[] => rows.map(row => known.indexOf(row));
    for (const { from, to, put } of changes(numbers(before), numbers(after))) {
      const [gone, fresh] = [before.slice(from, to), put.map(number => known[number]!)];
      const part = new Set([...gone, ...fresh].flatMap(row => [row, ...(this.parts.get(row) ?? [])]));
      for (const row of part) this.parts.set(row, part);
      if (!version) continue;
      for (const row of gone) this.#note(row, { version, isPut: false });
      for (const row of fresh) this.#note(row, { version, isPut: true });
    }
  }

  #note(row: string, event: Event): void {
    this.events.set(row, [...(this.events.get(row) ?? []), event]);
  }

  /** All groups, and each row that never changed by itself. */
  groups(result: Rows): Set<string>[] {
    const single = [...new Set([...this.head, ...this.file, ...result])].filter(row => !this.parts.has(row));
    return [...new Set(this.parts.values()), ...single.map(row => new Set([row]))];
  }

  ownersOf(row: string, isPut: boolean, { takes }: Asked): Owner {
    const own = (this.events.get(row) ?? []).filter(
      one => one.isPut === isPut && (one.version.kind === 'own' || one.version.kind === 'reject'),
    );
    if (own.some(({ version }) => takes(version.id))) return 'chosen';
    return own.length > 0 ? 'other' : 'outside';
  }

  /** The rejection whose text the row is, where that is as it was before again, and nobody said that it may be. */
  rejectionOf(
    row: string,
    { heads, acceptedSince, versions }: Scene,
    name: FileName,
  ): { isText: boolean; overridden: boolean } | null {
    const events = this.events.get(row) ?? [];
    const at = events.findLastIndex(({ version }) => version.kind === 'reject');
    if (at < 0 || this.file.includes(row) === events[at]!.isPut) return null;
    const { version, isPut } = events[at]!;
    const later = events.slice(at + 1).filter(one => one.isPut !== isPut);
    if (acceptedSince(version.id) || versions.some(({ unrejects }) => unrejects === version.id)) return null;
    if (heads.some(tree => rowsIn(tree, name)?.includes(row) !== isPut)) return null;
    return {
      isText: !isPut,
      overridden: later.length > 0 && later.every(one => one.version.overrides.includes(version.id)),
    };
  }
}

const same = (one: Rows, other: Rows): boolean =>
  one.length === other.length && one.every((row, at) => row === other[at]);

/** What is wrong with what a branch held, commit by commit, after a landing. */
export class Judge {
  readonly #scene: Scene;
  readonly #asked: Asked;
  readonly #histories: ReadonlyMap<FileName, History>;

  constructor(scene: Scene, asked: Asked) {
    this.#scene = scene;
    this.#asked = asked;
    this.#histories = new Map(NAMES.map(name => [name, new History(scene, name)]));
  }

  faults(states: readonly Tree[], answered: Answered): string[] {
    const found: string[] = [];
    for (const [at, tree] of states.entries())
      for (const [name, history] of this.#histories) {
        const isLast = at === states.length - 1;
        const rows = rowsIn(tree, name);
        if (!rows) found.push(`${name} has two names${this.#words()}`);
        else
          found.push(
            ...this.#inFile(name, history, rows, { isLast, answered }).map(
              one => `${name}, commit ${at + 1}: ${one}`,
            ),
          );
      }
    return found;
  }

  /** Whether the refusal of a landing has a reason in the texts. */
  mayRefuse(code: string): string | null {
    const { named } = this.#asked;
    const classes = [...this.#histories].flatMap(([name, history]) => this.#classes(name, history));
    if (code === 'CONFLICT')
      return classes.some(({ mixed }) => mixed)
        ? null
        : `refused, and nothing is interleaved\n    ${this.#words()}`;
    if (code !== 'NO_CHANGE') return `refused as ${code}`;
    const missed = classes.find(({ pure }) => pure);
    return missed && !named ? `nothing is said to be left, but ${[...missed.rows].join(', ')}` : null;
  }

  #words(): string {
    return [...this.#histories]
      .filter(
        ([name, { head, file }]) => !same(head, file) && this.#isMeant(name, this.#histories.get(name)!),
      )
      .map(
        ([name, { head, file, texts }]) =>
          `${name}:\n      ${texts.map((text, n) => `${this.#scene.versions[n]!.id.slice(0, 12)} ${this.#scene.versions[n]!.kind} ${this.#scene.versions[n]!.session} ${text.join(' | ')}`).join('\n      ')}\n      HEAD ${head.join(' | ')}\n      file ${file.join(' | ')}`,
      )
      .join('\n    ');
  }

  /** For each group of rows that the file has otherwise than HEAD whose work that is. */
  #classes(name: FileName, history: History): Array<{ rows: Set<string>; pure: boolean; mixed: boolean }> {
    const asked = this.#asked;
    if (!this.#isMeant(name, history)) return [];
    // Lines cannot land without the file that they stand in, nor can it go without them.
    const isWhole = history.head.length === 0 || history.file.length === 0;
    const groups = isWhole
      ? [new Set([...history.file, ...history.head, ...history.events.keys()])]
      : history.groups([]);
    return groups.flatMap(rows => {
      const all = [...rows];
      const events = all.flatMap(row => history.events.get(row) ?? []);
      const isTouched = asked.named && events.some(({ version }) => asked.takes(version.id));
      const differing = all.filter(row => history.file.includes(row) !== history.head.includes(row));
      if (differing.length === 0 && !isTouched) return [];
      const classes = new Set(
        differing.map(row => {
          const rejection = history.rejectionOf(row, this.#scene, name);
          if (rejection && !(rejection.overridden && asked.overridden)) return 'rejected';
          const owner = history.ownersOf(row, history.file.includes(row), asked);
          return owner === 'outside' && asked.outside ? 'chosen' : owner;
        }),
      );
      const others = events.some(({ version }) => version.kind !== 'base' && !asked.takes(version.id));
      const mixed = (classes.has('chosen') && classes.size > 1) || (asked.named && isTouched && others);
      return [{ rows, pure: classes.size === 1 && classes.has('chosen'), mixed }];
    });
  }

  /** False for a file that the trail never touched: nobody knows of it. */
  #isMeant(name: FileName, { events }: History): boolean {
    const { isAbout, narrow, takes } = this.#asked;
    const all = [...events.values()].flat().map(({ version }) => version);
    return isAbout(name) && all.some(({ id, kind }) => (narrow ? takes(id) : kind !== 'sync'));
  }

  #inFile(
    name: FileName,
    history: History,
    rows: Rows,
    { isLast, answered }: { isLast: boolean; answered: Answered },
  ): string[] {
    const { head, file } = history;
    if (!this.#isMeant(name, history)) return same(rows, head) ? [] : ['was not asked for'];
    const found = this.#order(history, rows);
    for (const group of history.groups(rows))
      found.push(...this.#inGroup(name, history, rows, group, isLast));
    if (!isLast || !this.#asked.whole) return found;
    const isNamed = (paths: readonly string[]): boolean => FILES[name].some(path => paths.includes(path));
    const left = answered.leftOut.map(({ path }) => path);
    if (same(rows, file) && isNamed(answered.outside)) found.push('is as the file, and said not to be');
    if (same(rows, file) && isNamed(left)) found.push('is as the file, and something is said to be left out');
    if (
      !same(rows, file) &&
      !same(rows, head) &&
      !isNamed(answered.outside) &&
      !isNamed(left) &&
      answered.left === 0
    )
      found.push('is not as the file, and the answer says nothing');
    return found;
  }

  /** Rows that stand the other way round in every text that has both, by whatever stands between. */
  #order({ texts, head, file }: History, rows: Rows): string[] {
    const after = new Map<string, Set<string>>();
    for (const text of [...texts, head, file])
      for (const [at, row] of text.slice(1).entries())
        after.set(text[at]!, (after.get(text[at]!) ?? new Set()).add(row));
    const reach = (from: string): Set<string> => {
      const seen = new Set<string>();
      for (const open = [from]; open.length > 0; )
        for (const next of after.get(open.pop()!) ?? [])
          if (!seen.has(next)) open.push(next) && seen.add(next);
      return seen;
    };
    const below = new Map(rows.map(row => [row, reach(row)]));
    return rows.flatMap((row, at) =>
      rows
        .slice(at + 1)
        .filter(later => below.get(later)!.has(row) && !below.get(row)!.has(later))
        .map(later => `${later} stands below ${row}`),
    );
  }

  #inGroup(
    name: FileName,
    history: History,
    rows: Rows,
    group: ReadonlySet<string>,
    isLast: boolean,
  ): string[] {
    const asked = this.#asked;
    const { head, file, texts } = history;
    const of = (text: Rows): string[] => text.filter(row => group.has(row));
    const now = of(rows);
    const words = `[${[...group].join(', ')}] is [${now.join(', ')}]`;
    if (![head, file, ...texts].some(text => same(of(text), now)))
      return [`nobody wrote: ${words}${this.#words()}`];
    const changed = [...group].filter(row => rows.includes(row) !== head.includes(row));
    for (const row of changed) {
      const owner = history.ownersOf(row, rows.includes(row), asked);
      if (owner === 'other' || (owner === 'outside' && !asked.outside))
        return [`${owner}, of ${row}: ${words}`];
      const rejection =
        rows.includes(row) === file.includes(row) ? history.rejectionOf(row, this.#scene, name) : null;
      if (rejection?.isText && isLine(row) && !(rejection.overridden && asked.overridden))
        return [`rejected, ${row}: ${words}`];
    }
    if (!asked.whole || !isLast || same(of(file), now)) return [];
    return this.#hasReason(name, history, group)
      ? []
      : [`left out for nothing: ${words}, not [${of(file).join(', ')}]`];
  }

  /** True where something of the rows is from outside, of an edit that was not chosen, or was rejected. */
  #hasReason(name: FileName, history: History, group: ReadonlySet<string>): boolean {
    const { takes, outside } = this.#asked;
    return [...group].some(row => {
      const events = history.events.get(row) ?? [];
      const isUnrecorded = history.file.includes(row) !== history.texts.at(-1)!.includes(row);
      if (
        !outside &&
        (isUnrecorded || events.some(({ version }) => version.kind === 'outside' || version.kind === 'sync'))
      )
        return true;
      if (events.some(({ version: { id, kind } }) => (kind === 'own' || kind === 'reject') && !takes(id)))
        return true;
      return history.rejectionOf(row, this.#scene, name) !== null;
    });
  }
}
