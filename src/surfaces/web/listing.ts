/**
 * The review as a page reads it: of every hunk a few numbers, and whole those hunks that are seen. A hunk keeps its number
 * while its text changes, so that whoever reads it goes on reading it.
 */

import type { ReviewData, ReviewHunk, UnclaimedText } from '../../review/listing.ts';
import { withoutOldHalves } from '../../review/split-hunk.ts';

/** A hunk in a list: its number, how often it became another one, the rows that it takes, its first line in the file. */
export type ListedHunk = readonly [id: number, change: number, rows: number, line: number];

export interface ListedFile {
  path: string;
  added: number;
  removed: number;
  hunks: ListedHunk[];
}

/** A hunk with its number in the list. */
export interface SeenHunk extends ReviewHunk {
  id: number;
  change: number;
}

/** Lists what is to review. `left` counts all hunks, `files` has those that fit. */
export interface Listed {
  /** Grows whenever something is another. */
  version: number;
  commit: string | null;
  /** The trail as git shortens it. */
  trail: string;
  left: number;
  files: ListedFile[];
  /** Everybody whose lines are to review. */
  people: string[];
  unclaimed: (Omit<UnclaimedText, 'hunks'> & { ids: number[] }) | null;
}

/** Narrows a list: to hunks of this maker, with these words, edited since this moment (ISO 8601), changed in more than white space. */
export interface ListFilter {
  who: string;
  words: string;
  since: string;
  /** '' lists changes of white space alone too; anything else does not. */
  space: string;
}

/** Lists all hunks. */
export const ALL_HUNKS: ListFilter = { who: '', words: '', since: '', space: '' };

type Review = Pick<ReviewData, 'trail' | 'commit' | 'hunks' | 'unclaimed'>;

/** Rows of the hunks that a page is sent with the list. */
const FIRST_ROWS = 150;

export class Listing {
  #version = 0;
  #next = 1;
  #review: Review = { trail: '', commit: null, hunks: [], unclaimed: null };
  #hunks: readonly SeenHunk[] = [];
  #unclaimed: readonly SeenHunk[] = [];
  #byId: ReadonlyMap<number, SeenHunk> = new Map();

  /** Takes a newer review. Hunks that were there keep their numbers. */
  take(review: Review): void {
    this.#version++;
    this.#review = review;
    this.#hunks = this.#numbered(withoutOldHalves(review.hunks), this.#hunks);
    this.#unclaimed = this.#numbered(review.unclaimed?.hunks ?? [], this.#unclaimed);
    this.#byId = new Map([...this.#hunks, ...this.#unclaimed].map(one => [one.id, one]));
  }

  list(filter: ListFilter): Listed {
    const { commit, trail, unclaimed } = this.#review;
    const files: ListedFile[] = [];
    for (const hunk of this.#hunks) {
      if (!fits(hunk, filter)) continue;
      if (files.at(-1)?.path !== hunk.path) files.push({ path: hunk.path, added: 0, removed: 0, hunks: [] });
      const file = files.at(-1)!;
      const { added, removed } = changedIn(hunk);
      file.added += added;
      file.removed += removed;
      file.hunks.push([hunk.id, hunk.change, rowsIn(hunk), hunk.lines.start_line]);
    }
    return {
      version: this.#version,
      commit,
      trail: trail.replace(/^refs\/(heads\/)?/, ''),
      left: this.#hunks.length,
      files,
      people: [...new Set(this.#hunks.flatMap(({ edits }) => edits.map(whoOf)))].sort(),
      unclaimed: unclaimed && this.#folded(unclaimed),
    };
  }

  #folded({ files, agents, words }: UnclaimedText): Listed['unclaimed'] {
    return { files, agents, words, ids: this.#unclaimed.map(({ id }) => id) };
  }

  /** Returns hunks by their numbers; those that are there no more are left out. */
  hunks(ids: readonly number[]): SeenHunk[] {
    return ids.flatMap(id => this.#byId.get(id) ?? []);
  }

  /** Returns the first hunks of a list, from this place on (`path:line`), as many as a screen shows. */
  first({ files }: Listed, place = ''): SeenHunk[] {
    const ids = files.flatMap(({ hunks }) => hunks.map(([id]) => id));
    const start = Math.max(0, ids.indexOf(hunkAt(files, place)) - 1);
    let rows = 0;
    const seen = this.hunks(ids.slice(start, start + FIRST_ROWS));
    return seen.filter(hunk => (rows += rowsIn(hunk)) - rowsIn(hunk) < FIRST_ROWS);
  }

  /** Returns all hunks of this file. */
  of(path: string): SeenHunk[] {
    return this.#hunks.filter(hunk => hunk.path === path);
  }

  #numbered(hunks: readonly ReviewHunk[], before: readonly SeenHunk[]): SeenHunk[] {
    const old = new Map<string, SeenHunk[]>();
    for (const one of before) {
      const beside = old.get(one.path);
      if (beside) beside.push(one);
      else old.set(one.path, [one]);
    }
    const known = new Map<ReviewHunk, SeenHunk>();
    // The same text first, so that no hunk takes the number of its neighbour.
    for (const isIt of [isSame, isRelated])
      for (const hunk of hunks) {
        const left = old.get(hunk.path) ?? [];
        const at = known.has(hunk) ? -1 : left.findIndex(one => isIt(one, hunk));
        if (at >= 0) known.set(hunk, left.splice(at, 1)[0]!);
      }
    return hunks.map(hunk => {
      const own = known.get(hunk);
      if (!own) return { ...hunk, id: this.#next++, change: 0 };
      return { ...hunk, id: own.id, change: own.change + (isAsIt(own, hunk) ? 0 : 1) };
    });
  }
}

/** Returns the number of the hunk at a place of an address, `path:line`: the last one that begins there or above; else 0. */
export function hunkAt(files: readonly ListedFile[], place: string): number {
  const [, path, line] = /^(.*):(\d+)$/s.exec(place) ?? [];
  const hunks = files.find(file => file.path === path)?.hunks ?? [];
  const found = hunks.findLast(([, , , start]) => start <= Number(line)) ?? hunks[0];
  return found?.[0] ?? 0;
}

/** Names the maker of an edit, as people read it. */
export function whoOf({ person, author, agent }: ReviewHunk['edits'][number]): string {
  return person ? author : (agent ?? author);
}

/** Pictures that browsers show, by the end of their names. */
export const IMAGES: ReadonlyMap<string, string> = new Map([
  ...['png', 'gif', 'webp', 'avif', 'bmp', 'jpeg'].map(type => [type, `image/${type}`] as const),
  ['jpg', 'image/jpeg'],
]);

/** Tells whether a hunk is a picture, which is shown as one. */
export function isPicture({ path, kind }: ReviewHunk): boolean {
  return kind !== 'lines' && IMAGES.has(typeOf(path));
}

/** Returns the end of a path after its last dot, in small letters. */
export function typeOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1).toLowerCase();
}

/** Splits what was typed into words in small letters. */
export function wordsIn(text: string): string[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter(word => word !== '');
}

/** Tells whether two hunks have the same lines. */
export function isSame(a: ReviewHunk, b: ReviewHunk): boolean {
  return (
    a.kind === b.kind && areSame(a.before.lines, b.before.lines) && areSame(a.after.lines, b.after.lines)
  );
}

function areSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, at) => line === b[at]);
}

/** Tells whether a hunk is what became of another one: an edit made both, or the same accepted lines are gone. */
function isRelated(a: ReviewHunk, b: ReviewHunk): boolean {
  const commits = new Set(a.edits.map(({ commit }) => commit));
  if (b.edits.some(({ commit, person }) => !person && commits.has(commit))) return true;
  const { before } = a;
  return before.lines.length > 0 ? areSame(before.lines, b.before.lines) : before.line === b.before.line;
}

/** Tells whether nothing that a page shows or sends of a hunk is another. */
function isAsIt(a: SeenHunk, b: ReviewHunk): boolean {
  const said = ({ comments }: ReviewHunk): number =>
    comments.reduce((sum, one) => sum + 1 + one.replies.length, 0);
  const same = a.version === b.version && a.lines.start_line === b.lines.start_line && said(a) === said(b);
  return same && isSame(a, b) && a.edits.length === b.edits.length && areSame(a.accepted_by, b.accepted_by);
}

/** Counts the lines that a hunk adds and removes; of a file that was renamed, those that changed in it besides. */
function changedIn({ before, after, renamed }: ReviewHunk): { added: number; removed: number } {
  if (!renamed) return { added: after.lines.length, removed: before.lines.length };
  const body = renamed.diff.slice(renamed.diff.indexOf('\n@@'));
  return { added: body.match(/^\+/gm)?.length ?? 0, removed: body.match(/^-/gm)?.length ?? 0 };
}

function rowsIn({ before, after, context, renamed }: ReviewHunk): number {
  if (renamed) return renamed.diff.split('\n').length;
  const { above, below } = context;
  return before.lines.length + after.lines.length + above.length + below.length;
}

function fits({ path, kind, edits, before, after }: ReviewHunk, filter: ListFilter): boolean {
  const { who, words, since, space } = filter;
  if (space !== '' && kind === 'lines' && inkOf(before.lines) === inkOf(after.lines)) return false;
  if (who !== '' && !edits.some(edit => whoOf(edit) === who)) return false;
  if (since !== '' && !edits.some(({ time }) => time === '' || Date.parse(time) >= Date.parse(since)))
    return false;
  const wanted = wordsIn(words);
  if (wanted.length === 0) return true;
  const reasons = edits.flatMap(({ reason, subject }) => [reason, subject]);
  const text = [path, ...reasons, ...before.lines, ...after.lines].join('\n').toLowerCase();
  return wanted.every(word => text.includes(word));
}

function inkOf(lines: readonly string[]): string {
  return lines.join('').replace(/\s+/g, '');
}
