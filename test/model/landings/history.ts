/**
 * What is known of one file before anybody lands anything, read from which row is in which text. Shares no code with src: no
 * text is compared with another one but by membership, and no row is twice in a text.
 */

import { changes } from '../status/lines.ts';
import type { Commit, Tree } from './place.ts';
import { type FileName, isMode, type Rows, rowsIn } from './rows.ts';

/** A commit of the trail, as its message tells it. */
export interface Version {
  id: string;
  kind: 'base' | 'own' | 'reject' | 'outside' | 'head';
  session: string | null;
  /** The rejection that it takes back. */
  unrejects: string | null;
  tree: Tree;
  /** True for a way back, which brings back what others did. */
  brings: boolean;
  /** HEAD when it was made; `null`: not told. */
  head: Tree | null;
}

export interface Asked {
  /** True for the commit of an edit that is to land. */
  takes(commit: string): boolean;
  outside: boolean;
  /** True where the edits were named: the file does not matter. */
  named: boolean;
  /** True where what is not as the file has it must have a reason. */
  whole: boolean;
  isAbout(file: FileName): boolean;
  /** True where files that no chosen edit touched are not meant. */
  narrow: boolean;
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

export async function versionOf(
  { id, message, tree }: Commit,
  treeOf: (commit: string) => Promise<Tree>,
): Promise<Version> {
  const told = (key: string): string[] =>
    [...message.matchAll(new RegExp(`^Vedit-${key}: (.*)$`, 'gm'))].map(([, value]) => value!);
  const [op] = told('Op');
  const [unrejects = null] = told('Unrejects');
  const isReject = told('Rejects').length > 0;
  const kind =
    op === undefined
      ? 'base'
      : op === 'head'
        ? 'head'
        : isReject
          ? 'reject'
          : op === 'outside' && !unrejects
            ? 'outside'
            : 'own';
  // A rejection is a way back as well: a line that a person typed, and that it brings back, is not the agents' to land.
  const isWayBack = ['undo', 'redo', 'revert', 'rollback', 'restore'].includes(op!);
  const brings = isWayBack || isReject || unrejects !== null;
  const [at] = told('Head');
  const head = at === undefined ? null : await treeOf(at);
  const about = { session: told('Session')[0] ?? null, unrejects };
  return { id, kind, ...about, tree, brings, head };
}

/** What one step put in and took out in one place; `at`: the text that it led to. */
interface Change {
  at: number;
  gone: Rows;
  fresh: Rows;
}

interface Event {
  version: Version;
  isPut: boolean;
}

export type Owner = 'chosen' | 'other' | 'outside';

/** What is known of one file, before anybody lands anything. */
export class History {
  readonly texts: readonly Rows[];
  readonly file: Rows;
  readonly head: Rows;
  readonly events: Map<string, Event[]> = new Map();
  /** By row, the newest text with a change of it that HEAD has. */
  readonly since: Map<string, number> = new Map();
  /** By row, the group of rows that one step put in or took out together. */
  readonly parts: Map<string, Set<string>> = new Map();

  readonly #versions: readonly Version[];
  readonly #name: FileName;

  constructor({ versions, file, head }: Scene, name: FileName) {
    this.#versions = versions;
    this.#name = name;
    this.texts = versions.map(({ tree }) => rowsIn(tree, name)!);
    this.file = rowsIn(file, name)!;
    this.head = rowsIn(head, name)!;
    const all = [...this.texts, this.file].slice(1).flatMap((_, n) => this.#changesAt(n + 1));
    for (const change of all) this.#learn(change, all, versions[change.at] ?? null);
  }

  #changesAt(at: number): Change[] {
    const [before, after] = [this.texts[at - 1]!, this.texts[at] ?? this.file];
    const known = [...new Set([...before, ...after])];
    const numbers = (rows: Rows): number[] => rows.map(row => known.indexOf(row));
    return changes(numbers(before), numbers(after)).map(({ from, to, put }) => {
      return { at, gone: before.slice(from, to), fresh: put.map(number => known[number]!) };
    });
  }

  #learn(change: Change, all: readonly Change[], version: Version | null): void {
    const { at, gone, fresh } = change;
    // What HEAD has of it was changed since row by row.
    const isHeads =
      fresh.some(row => this.head.includes(row) && !this.events.has(row)) && this.#isInHead(change, all);
    const part = new Set([...gone, ...fresh].flatMap(row => [row, ...(this.parts.get(row) ?? [])]));
    for (const row of part)
      if (isHeads && (gone.includes(row) || fresh.includes(row))) this.since.set(row, at);
    for (const row of isHeads ? [] : part) this.parts.set(row, part);
    if (!version) return;
    for (const row of gone) this.#note(row, { version, isPut: false });
    for (const row of fresh) this.#note(row, { version, isPut: true });
  }

  #isInHead({ at, gone, fresh }: Change, all: readonly Change[]): boolean {
    const later = all.filter(one => one.at > at);
    const isOver = (row: string, by: 'gone' | 'fresh'): boolean =>
      later.some(one => one[by].includes(row) && this.#isInHead(one, all));
    return (
      fresh.every(row => this.head.includes(row) || isOver(row, 'gone')) &&
      gone.every(row => !this.head.includes(row) || isOver(row, 'fresh'))
    );
  }

  #note(row: string, event: Event): void {
    this.events.set(row, [...(this.events.get(row) ?? []), event]);
  }

  /** All groups, and each row that never changed by itself. */
  groups(result: Rows): Set<string>[] {
    const single = [...new Set([...this.head, ...this.file, ...result])].filter(row => !this.parts.has(row));
    const all = [...new Set(this.parts.values()), ...single.map(row => new Set([row]))];
    // A file has one mode: what sets another one takes the old one away.
    const modes = all.filter(group => [...group].some(isMode));
    return [
      ...all.filter(group => !modes.includes(group)),
      ...(modes.length > 0 ? [new Set(modes.flatMap(one => [...one]))] : []),
    ];
  }

  ownerOf(row: string, isPut: boolean, { takes }: Asked): Owner {
    const same = (this.events.get(row) ?? []).filter(one => one.isPut === isPut);
    const own = same.filter(
      ({ version }) =>
        (version.kind === 'own' || version.kind === 'reject') && !this.#isPersons(row, version, same),
    );
    if (own.some(({ version }) => takes(version.id))) return 'chosen';
    return own.length > 0 ? 'other' : 'outside';
  }

  /** True for a way back that did what a person did last, and HEAD was not so since anybody did it. */
  #isPersons(row: string, version: Version, same: readonly Event[]): boolean {
    const at = (one: Version): number => this.#versions.indexOf(one);
    const did = same.map(one => one.version).filter(one => at(one) < at(version) && !one.brings);
    if (!version.brings || did.at(-1)?.kind !== 'outside') return false;
    const heads = this.#versions.slice(at(did[0]!), at(version) + 1).map(({ head }) => head);
    return !heads.some(tree => tree && rowsIn(tree, this.#name)?.includes(row) === same[0]!.isPut);
  }

  /** True where a rejection took the row out together with others which stand there again, as they stood, and nobody said that they may. */
  isRejected(row: string, scene: Scene, name: FileName): boolean {
    const events = this.events.get(row) ?? [];
    const at = events.findLastIndex(({ version, isPut }) => version.kind === 'reject' && !isPut);
    if (at < 0) return false;
    const { version } = events[at]!;
    const before = this.texts[scene.versions.indexOf(version) - 1]!;
    const run = runAround(
      before,
      row,
      other => this.events.get(other)?.some(one => one.version === version) ?? false,
    );
    if (!this.file.join('\n').includes(run.join('\n'))) return false;
    if (scene.acceptedSince(version.id) || scene.versions.some(({ unrejects }) => unrejects === version.id))
      return false;
    return !scene.heads.some(tree => rowsIn(tree, name)?.includes(row));
  }
}

/** The rows that are meant, as far as they are beside each other, and the ones above and below them. */
function runAround(text: Rows, row: string, isMeant: (row: string) => boolean): Rows {
  let [from, to] = [text.indexOf(row), text.indexOf(row)];
  while (from > 0 && isMeant(text[from]!)) from--;
  while (to < text.length - 1 && isMeant(text[to]!)) to++;
  return text.slice(from, to + 1);
}
