/** What a landing may commit, may leave, and may be refused for; from texts alone (history.ts). */

import { type Asked, History, type Owner, type Scene } from './history.ts';
import type { Tree } from './place.ts';
import { FILES, type FileName, isLine, isMode, NAMES, NO_END, type Rows, rowsIn } from './rows.ts';

/** What the answer names besides what it lands: files with text from outside that stays, and with rejected text that does. */
export interface Answered {
  outside: readonly string[];
  leftOut: readonly string[];
}

const same = (one: Rows, other: Rows): boolean =>
  one.length === other.length && one.every((row, at) => row === other[at]);

export class Judge {
  readonly #files: readonly FileJudge[];

  constructor(scene: Scene, asked: Asked) {
    this.#files = NAMES.map(name => new FileJudge(scene, asked, name));
  }

  /** What is wrong with what a branch held, commit by commit, after a landing. */
  faults(states: readonly Tree[], answered: Answered): string[] {
    const last = states.at(-1)!;
    return this.#files.flatMap(file => [
      ...states.flatMap(tree => file.faults(tree)),
      ...file.faultsAtLast(rowsIn(last, file.name) ?? [], answered),
    ]);
  }

  /** The texts that a refusal may be about. */
  get shown(): string[] {
    return this.#files.flatMap(file => (file.differences().length > 0 ? [file.told('before')] : []));
  }

  /** What is wrong with a refusal: texts that nobody interleaved, or something that had to land. */
  faultOfRefusal(code: string): string | null {
    const all = this.#files.flatMap(file => file.differences());
    if (code === 'CONFLICT')
      return all.some(({ isMixed }) => isMixed) ? null : 'is refused, and nothing is interleaved';
    if (code !== 'NO_CHANGE') return `is refused as ${code}`;
    const missed = all.find(({ isPure }) => isPure);
    return missed ? `has nothing to land, but ${[...missed.rows].join(', ')}` : null;
  }
}

/** What the file has otherwise than HEAD in one place. */
interface Difference {
  rows: ReadonlySet<string>;
  /** True where all of it is to land; and where that cannot be told from what is not. */
  isPure: boolean;
  isMixed: boolean;
}

class FileJudge {
  readonly name: FileName;
  readonly #scene: Scene;
  readonly #asked: Asked;
  readonly #history: History;

  constructor(scene: Scene, asked: Asked, name: FileName) {
    this.name = name;
    this.#scene = scene;
    this.#asked = asked;
    this.#history = new History(scene, name);
  }

  faults(tree: Tree): string[] {
    const rows = rowsIn(tree, this.name);
    if (rows === null) return [this.told('has two names')];
    if (!this.#isMeant()) return same(rows, this.#history.head) ? [] : [this.told('was not asked for')];
    const faults = this.#history.groups(rows).flatMap(group => this.#faultOf(rows, group) ?? []);
    return [...this.#misplaced(rows), ...faults].map(fault => this.told(fault, rows));
  }

  /** Where all edits were meant, what is not as the file has it has a reason, and the answer names it. */
  faultsAtLast(rows: Rows, { outside, leftOut }: Answered): string[] {
    if (!this.#asked.whole || !this.#isMeant()) return [];
    const { file } = this.#history;
    const isNamed = (paths: readonly string[]): boolean =>
      FILES[this.name].some(path => paths.includes(path));
    const faults: string[] = [];
    if (same(rows, file) && (isNamed(outside) || isNamed(leftOut)))
      faults.push('is as the file, and said not to be');
    for (const group of this.#history.groups(rows)) {
      const of = (text: Rows): string[] => text.filter(row => group.has(row));
      if (same(of(rows), of(file))) continue;
      const owners = this.#ownersOf(group);
      const isReturned = isNamed(leftOut) && this.#mayReturn(group);
      const words = [...group].join(', ');
      if (!owners.has('other') && !owners.has('outside') && !isReturned)
        faults.push(`left out for nothing: ${words}`);
      if (owners.has('outside') && !isNamed(outside) && !isReturned)
        faults.push(`left out, and the answer does not say so: ${words}`);
    }
    return faults.map(fault => this.told(fault, rows));
  }

  differences(): Difference[] {
    const { head, file, events } = this.#history;
    const asked = this.#asked;
    if (!this.#isMeant()) return [];
    // Lines cannot land without the file that they stand in, nor can it go without them.
    const isOne = head.length === 0 || file.length === 0;
    const groups = isOne
      ? [new Set([...head, ...file, ...events.keys()])]
      : withOneEnd(this.#history.groups([]), [head, file]);
    return groups.flatMap(rows => {
      const done = [...rows].flatMap(row => events.get(row) ?? []).map(({ version }) => version);
      const isNamed = asked.named && done.some(({ id }) => asked.takes(id));
      const owners = this.#ownersOf(rows);
      if (owners.size === 0 && !isNamed) return [];
      const isReturned = this.#mayReturn(rows);
      const isOwn = owners.has('chosen');
      const isBuilt = isNamed && done.some(({ id }) => !asked.takes(id));
      const isPure = isOwn && owners.size === 1 && !isReturned && !asked.named;
      return [{ rows, isPure, isMixed: isBuilt || (isOwn && (owners.size > 1 || isReturned)) }];
    });
  }

  /** False for a file that the trail never touched: nobody knows of it. */
  #isMeant(): boolean {
    const { isAbout, narrow, takes } = this.#asked;
    const all = [...this.#history.events.values()].flat().map(({ version }) => version);
    return isAbout(this.name) && all.some(({ id, kind }) => (narrow ? takes(id) : kind !== 'head'));
  }

  /** What is wrong with rows that belong together, in any commit. */
  #faultOf(rows: Rows, group: ReadonlySet<string>): string | null {
    const { head, file, texts, since } = this.#history;
    const of = (text: Rows): string[] => text.filter(row => group.has(row));
    // Where a way back brought back what a person typed, that stays out, and the place may be as it was before they did.
    const isBrought = [...group].some(
      row => file.includes(row) && !rows.includes(row) && this.#isBrought(row),
    );
    const first = isBrought ? 0 : Math.max(0, ...[...group].map(row => since.get(row) ?? 0));
    if (![head, file, ...texts.slice(first)].some(text => same(of(text), of(rows))))
      return `nobody wrote: ${of(rows).join(', ')}`;
    for (const row of [...group].filter(one => rows.includes(one) !== head.includes(one))) {
      const owner = this.#ownerOf(row, rows.includes(row));
      if (owner !== 'chosen') return `${owner}, and was not to land: ${row}`;
      if (rows.includes(row) && isLine(row) && this.#history.isRejected(row, this.#scene, this.name))
        return `was rejected: ${row}`;
    }
    return null;
  }

  /** True for a line that a way back brought back, and that is still a person's. */
  #isBrought(row: string): boolean {
    const { events } = this.#history;
    const isByWayBack = events.get(row)?.some(({ version, isPut }) => isPut && version.brings) ?? false;
    return isByWayBack && this.#ownerOf(row, true) === 'outside';
  }

  /** Whose work it is that the file has some of these rows otherwise than HEAD. */
  #ownersOf(rows: ReadonlySet<string>): Set<Owner> {
    const { head, file } = this.#history;
    const differing = [...rows].filter(row => file.includes(row) !== head.includes(row));
    return new Set(differing.map(row => this.#ownerOf(row, file.includes(row))));
  }

  #ownerOf(row: string, isPut: boolean): Owner {
    const owner = this.#history.ownerOf(row, isPut, this.#asked);
    // A file lands with the mode that it has.
    const isTaken = this.#asked.outside || (isMode(row) && this.#history.head.length === 0);
    return owner === 'outside' && isTaken ? 'chosen' : owner;
  }

  /** True where a rejection took out, or brought back, what is otherwise now: whether it stands, nobody can say here. */
  #mayReturn(rows: ReadonlySet<string>): boolean {
    const { events, file } = this.#history;
    return [...rows].some(row =>
      events
        .get(row)
        ?.some(({ version, isPut }) => version.kind === 'reject' && file.includes(row) !== isPut),
    );
  }

  /** Rows that stand the other way round in every text that has both, by whatever stands between. */
  #misplaced(rows: Rows): string[] {
    const { texts, head, file } = this.#history;
    const after = new Map<string, Set<string>>();
    for (const text of [...texts, head, file])
      for (const [at, row] of text.slice(1).entries())
        after.set(text[at]!, (after.get(text[at]!) ?? new Set()).add(row));
    const below = new Map(rows.map(row => [row, reached(row, after)]));
    return rows.flatMap((row, at) =>
      rows
        .slice(at + 1)
        .filter(later => below.get(later)!.has(row) && !below.get(row)!.has(later))
        .map(later => `${later} stands below ${row}`),
    );
  }

  told(fault: string, rows?: Rows): string {
    const { texts, head, file } = this.#history;
    const { versions } = this.#scene;
    const all = texts.map((text, n) => {
      const { id, kind, session } = versions[n]!;
      return [`${id.slice(0, 12)} ${kind} ${session ?? ''}`, text] as const;
    });
    const shown = [...all, ['HEAD', head] as const, ['file', file] as const, ['landed', rows ?? []] as const];
    return [`${this.name}: ${fault}`, ...shown.map(([who, text]) => `${who}: ${text.join(' | ')}`)].join(
      '\n    ',
    );
  }
}

/** Whether a text has a last line end cannot be told without its last lines. */
function withOneEnd(groups: ReadonlyArray<Set<string>>, texts: readonly Rows[]): Array<Set<string>> {
  const ends = new Set(texts.flatMap(text => text.slice(-2)));
  if (texts.every(text => text.at(-1) === NO_END) || !texts.some(text => text.at(-1) === NO_END))
    return [...groups];
  const isAtEnd = (group: Set<string>): boolean => [...group].some(row => ends.has(row));
  const end = new Set(groups.filter(isAtEnd).flatMap(group => [...group]));
  return [...groups.filter(group => !isAtEnd(group)), end];
}

function reached(from: string, after: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const seen = new Set<string>();
  for (const open = [from]; open.length > 0; )
    for (const next of after.get(open.pop()!) ?? []) {
      if (!seen.has(next)) open.push(next);
      seen.add(next);
    }
  return seen;
}
