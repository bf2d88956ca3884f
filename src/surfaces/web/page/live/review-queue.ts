/**
 * The queue of a review, as it is seen: the hunks that the server listed, in their files, and in their places those that were
 * answered here. An answered hunk is one line at once; it comes back where its answer is refused, or where a listing that
 * was asked for later still has it.
 */

import { placeWords } from '../../../../review/place-words.ts';
import { splitHunk } from '../../../../review/split-hunk.ts';
import {
  ALL_HUNKS,
  isSame,
  type Listed,
  type ListedFile,
  type ListFilter,
  type SeenHunk,
} from '../../listing.ts';
import type { Item } from '../elements/long-list.tsx';
import { plain } from '../elements/text.ts';

export type Verdict = 'accept' | 'reject' | 'edit' | 'leave';

/** Says what became of a hunk. */
export const SAID: Readonly<Record<Verdict, string>> = {
  accept: 'accepted',
  reject: 'rejected',
  edit: 'edited and accepted',
  leave: 'left for later',
};

/** A hunk that was answered here. */
export interface Answered {
  item: ReviewItem;
  verdict: Verdict;
  reason: string;
  /** Where it was in its file, in words. */
  place: string;
  /** The key of what stood above it in its file. */
  above: string;
  /** The listing from which on it cannot be listed any more; infinite until its answer came. */
  since: number;
  /** The number by which the server takes it back; `null`: there is none, or not yet. */
  done: number | null;
}

/** One of those that are drawn below one another: files (with no `id`), each with its hunks. */
export interface ReviewItem extends Item {
  file: ListedFile;
  id: number;
  change: number;
  line: number;
  /** A piece of the hunk with that id. */
  piece?: SeenHunk;
  answered?: Answered;
}

const NOTHING = { version: 0, commit: null, trail: '', left: 0 };
const NONE: Listed = { ...NOTHING, files: [], people: [], unclaimed: null };

/** CSS pixels of a row of code, of what stands above and below the rows of a hunk, of a file's line, of an answered hunk. */
const HEIGHT = { row: 20, around: 92, file: 44, answered: 36 };
/** Hunks that are kept, whether they are seen or not. */
const KEPT = 300;

export class ReviewQueue {
  /** False until the server has listed for the first time. */
  isListed = false;
  filter: ListFilter = ALL_HUNKS;
  listed: Listed = NONE;
  /** Those that are drawn, and of these the hunks that nobody answered. Made anew where something is another. */
  items: readonly ReviewItem[] = [];
  open: readonly ReviewItem[] = [];
  /** The number of hunks that nobody answered: all of them, whether they fit or not; and those that fit, by file. */
  left = 0;
  leftIn: ReadonlyMap<string, number> = new Map();
  #openByKey: ReadonlyMap<string, ReviewItem> = new Map();
  #listings = 0;
  readonly #answered = new Map<string, Answered>();
  readonly #bodies = new Map<number, SeenHunk>();
  /** Hunks whose text became another one after it was shown. */
  readonly #changed = new Set<number>();
  /** By path, and of a file that was viewed, what it was. */
  readonly #folded = new Map<string, string>();
  /** By the number of a hunk that was split, the texts of its pieces. */
  readonly #split = new Map<number, Set<string>>();
  /** Hunks of which the reader answers a part, until this listing: what they become by that is no news. */
  readonly #inPart = new Map<number, number>();
  /** Answers of this page that were not taken back, the newest last. */
  #said: Answered[][] = [];

  count(verdict: Verdict): number {
    return this.#said.flat().filter(one => one.verdict === verdict).length;
  }

  narrow(filter: Partial<ListFilter> | null): void {
    this.filter = filter === null ? ALL_HUNKS : { ...this.filter, ...filter };
  }

  get isNarrow(): boolean {
    return Object.values(this.filter).some(one => one !== '');
  }

  /** Begins a listing, and returns its number for `take`. */
  begin(): number {
    return ++this.#listings;
  }

  /** Takes a listing, and the hunks that came with it. */
  take(listed: Listed, hunks: readonly SeenHunk[], listing: number): void {
    this.isListed = true;
    this.listed = listed;
    const ids = new Set(listed.files.flatMap(file => file.hunks.map(([id]) => id)));
    for (const [key, { item, since }] of this.#answered)
      if (listing >= since && ids.has(item.id) && !item.piece) this.#answered.delete(key);
    for (const [path, seen] of this.#folded) {
      const file = listed.files.find(one => one.path === path);
      if (seen !== '' && file && stateOf(file) !== seen) this.#folded.delete(path);
    }
    this.keep(hunks);
    for (const [id, until] of this.#inPart) if (listing >= until) this.#inPart.delete(id);
    this.#lay();
  }

  /** Keeps hunks as they are now, and notes those that became others since they were shown. */
  keep(hunks: readonly SeenHunk[]): void {
    for (const hunk of hunks) {
      const before = this.#bodies.get(hunk.id);
      if (before && !isSame(before, hunk) && !this.#inPart.has(hunk.id)) this.#changed.add(hunk.id);
      this.#bodies.delete(hunk.id);
      this.#bodies.set(hunk.id, hunk);
    }
    for (const id of [...this.#bodies.keys()].slice(0, -KEPT)) this.#bodies.delete(id);
    if (this.#split.size > 0) this.#lay();
  }

  /** Returns the hunk of an item as it was read last; `undefined` where it was not read yet. */
  hunk({ id, piece }: ReviewItem): SeenHunk | undefined {
    return piece ?? this.#bodies.get(id);
  }

  /** Tells where a hunk is in its file: `lines 40-44`. */
  placeOf(item: ReviewItem): string {
    const lines = { start_line: item.line, end_line: item.line };
    return placeWords(this.hunk(item) ?? { kind: 'lines', lines }, plain);
  }

  /** Notes that a part of a hunk is being answered; `isDone`: it was. */
  answerPart({ id }: ReviewItem, isDone: boolean): void {
    this.#inPart.set(id, isDone ? this.#listings + 1 : Number.POSITIVE_INFINITY);
  }

  /** Returns the numbers of hunks among some items that are not as the list says. */
  missing(items: readonly ReviewItem[]): number[] {
    const lacks = ({ id, change, answered }: ReviewItem): boolean =>
      id > 0 && !answered && this.#bodies.get(id)?.change !== change;
    return [...new Set(items.filter(lacks).map(({ id }) => id))];
  }

  isChanged({ id }: ReviewItem): boolean {
    return this.#changed.has(id);
  }

  /** Notes that the reader has seen that a hunk became another one. */
  isRead({ id }: ReviewItem): void {
    this.#changed.delete(id);
  }

  isFolded(path: string): boolean {
    return this.#folded.has(path);
  }

  /** Tells whether the reader said that they have seen a file as it is. */
  isViewed(path: string): boolean {
    return (this.#folded.get(path) ?? '') !== '';
  }

  /** Folds or opens a file; with `isViewed`, until something in it is another. */
  fold(file: ListedFile, isViewed: boolean): void {
    if (!this.#folded.delete(file.path)) this.#folded.set(file.path, isViewed ? stateOf(file) : '');
    this.#lay();
  }

  /** Makes lines of hunks, until `resolve` says what became of their answer. */
  answer(items: readonly ReviewItem[], verdict: Verdict, reason = ''): Answered[] {
    const all = items.map((item): Answered => {
      const at = this.items.findIndex(({ key }) => key === item.key);
      const above = this.items[at - 1]?.key ?? '';
      if (item.piece && verdict !== 'leave') this.answerPart(item, false);
      const place = this.placeOf(item);
      return { item, verdict, reason, place, above, since: Number.POSITIVE_INFINITY, done: null };
    });
    for (const one of all) this.#answered.set(one.item.key, one);
    if (verdict === 'leave') this.#said.push(all);
    this.#lay();
    return all;
  }

  /** Notes that answers were done, and by which number they are taken back; or shows their hunks again. */
  resolve(all: readonly Answered[], done: number | null | false): void {
    for (const one of all) if (one.item.piece) this.answerPart(one.item, true);
    for (const one of all)
      if (done === false) this.#answered.delete(one.item.key);
      else Object.assign(one, { since: this.#listings + 1, done });
    if (done !== false) this.#said.push([...all]);
    this.#lay();
  }

  /** Returns what was said last and not taken back. */
  get last(): readonly Answered[] {
    return this.#said.at(-1) ?? [];
  }

  /** Notes that an answer was taken back: its hunks are to review again. */
  reopen(all: readonly Answered[]): void {
    this.#said = this.#said.filter(said => !said.some(one => all.includes(one)));
    for (const { item } of all) this.#answered.delete(item.key);
    this.#lay();
  }

  /** Returns all that was answered by one action. */
  saidBy(done: number | null): readonly Answered[] {
    return this.#said.find(said => said.some(one => one.done === done)) ?? [];
  }

  /** Splits a hunk into pieces, and returns the first; `null` where it is one piece. */
  split(item: ReviewItem): ReviewItem | null {
    const hunk = this.hunk(item);
    if (!hunk || item.piece || splitHunk(hunk).length < 2) return null;
    this.#split.set(item.id, new Set(splitHunk(hunk).map(textOf)));
    this.#lay();
    return this.items.find(one => one.id === item.id) ?? null;
  }

  /** Puts the items below one another: each file, its hunks, and where they stood those that were answered. */
  #lay(): void {
    const files = new Map(this.listed.files.map(file => [file.path, file]));
    for (const { item } of this.#answered.values())
      if (!files.has(item.file.path))
        files.set(item.file.path, { path: item.file.path, added: 0, removed: 0, hunks: [] });
    const isSorted = files.size === this.listed.files.length;
    const all = [...files.values()];
    if (!isSorted) all.sort((a, b) => (a.path < b.path ? -1 : 1));
    const answered = new Map<string, Answered[]>();
    for (const one of this.#answered.values())
      answered.set(one.item.file.path, [...(answered.get(one.item.file.path) ?? []), one]);
    const items: ReviewItem[] = [];
    const leftIn = new Map<string, number>();
    for (const file of all) {
      const own = this.#itemsOf(file, answered.get(file.path) ?? []);
      leftIn.set(file.path, own.filter(isLeft).length);
      items.push(fileItem(file));
      if (!this.#folded.has(file.path)) items.push(...own);
    }
    this.items = items;
    this.open = items.filter(({ id, answered }) => id > 0 && !answered);
    this.#openByKey = new Map(this.open.map(item => [item.key, item]));
    const shown = [...leftIn.values()].reduce((sum, one) => sum + one, 0);
    this.leftIn = leftIn;
    const listed = this.listed.files.reduce((sum, { hunks }) => sum + hunks.length, 0);
    this.left = shown + this.listed.left - listed;
  }

  /** Returns the open hunk with this key. */
  at(key: string | null): ReviewItem | null {
    return this.#openByKey.get(key ?? '') ?? null;
  }

  #itemsOf(file: ListedFile, answered: readonly Answered[]): ReviewItem[] {
    const listed = file.hunks.flatMap(([id, change, rows, line]) => {
      const item = hunkItem(file, { id, change, rows, line });
      return this.#split.has(id) ? this.#pieces(item) : [item];
    });
    if (answered.length === 0) return listed;
    const items = listed.map(item => this.#answeredAs(item));
    for (const one of answered) {
      if (items.some(({ key }) => key === one.item.key)) continue;
      const at = items.findIndex(({ key }) => key === one.above);
      items.splice(at + 1, 0, answeredItem(one));
    }
    return items;
  }

  #answeredAs(item: ReviewItem): ReviewItem {
    const one = this.#answered.get(item.key);
    return one ? answeredItem(one) : item;
  }

  /** The pieces of a hunk are told apart by their texts. */
  #pieces(item: ReviewItem): ReviewItem[] {
    const hunk = this.#bodies.get(item.id);
    if (!hunk) return [item];
    // What is left of it may be one of its pieces.
    const isPiece = this.#split.get(item.id)!.has(textOf(hunk));
    const pieces = isPiece ? [hunk] : (splitHunk(hunk) as SeenHunk[]);
    if (pieces.length < 2 && !isPiece) return [item];
    const times = new Map<string, number>();
    return pieces.map(piece => {
      const text = textOf(piece);
      const time = (times.get(text) ?? 0) + 1;
      times.set(text, time);
      const rows = piece.before.lines.length + piece.after.lines.length + 6;
      const own = { id: item.id, change: item.change, rows, line: piece.lines.start_line };
      return { ...hunkItem(item.file, own), key: `${item.key} ${text} ${time}`, piece };
    });
  }
}

function textOf({ before, after }: Pick<SeenHunk, 'before' | 'after'>): string {
  return JSON.stringify([before.lines, after.lines]);
}

/** Tells whether nobody said anything to a hunk that lasts. */
function isLeft({ answered }: ReviewItem): boolean {
  return !answered || answered.verdict === 'leave';
}

/** Tells one state of a file from another. */
function stateOf({ hunks }: ListedFile): string {
  return hunks.map(([id, change]) => `${id}.${change}`).join();
}

function fileItem(file: ListedFile): ReviewItem {
  const none = { id: 0, change: 0, line: 0 };
  return { key: `file ${file.path}`, kind: 'file', isHeading: true, guess: HEIGHT.file, file, ...none };
}

function hunkItem(
  file: ListedFile,
  { id, change, rows, line }: { id: number; change: number; rows: number; line: number },
): ReviewItem {
  const guess = HEIGHT.around + HEIGHT.row * rows;
  return { key: `hunk ${id}`, kind: 'hunk', guess, file, id, change, line };
}

function answeredItem(answered: Answered): ReviewItem {
  return { ...answered.item, kind: 'answered', guess: HEIGHT.answered, answered };
}
