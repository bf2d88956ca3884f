/** What each entry of a timeline changed, read newest first, in such a way that every text follows from a few. */

import { EditError } from '../../errors.ts';
import { diffTrees, type TreeChange } from '../../git/objects/tree-diff.ts';
import type { StoredFile } from '../../stores/store.ts';
import { textFile } from '../../text/document.ts';
import { type BlamedLine, blameLines } from '../../trail/blame.ts';
import { isBelow } from '../../trail/changed-paths.ts';
import { readEntry, type TrailEntry } from '../../trail/walk.ts';
import { entryDeltas } from '../change/repeated.ts';
import { type Context, fromTrail, toTrail } from '../context.ts';
import { type Delta, deltaOf, withoutOverwritten } from '../deltas.ts';
import { recordedFile } from '../snapshot.ts';
import type { LogEntry } from './history.ts';

/**
 * One file of one entry. Texts are those that the diff is about: line ends as they are, a byte order mark in front.
 *
 *     the text after this entry     `text`; where that is null, the text before the next newer entry of the file
 *                                   with that entry's `since` taken back; '' after a deletion
 *     the text before this entry    the text after it with `diff` taken back
 */
export interface TimelineFile {
  kind: Delta['kind'];
  path: string;
  /** The path before a move; older entries of the file have that one. */
  from: string | null;
  added: number;
  removed: number;
  /** True when a side of the change is no text. */
  binary: boolean;
  /** As git prints it; `null` when it was left out. */
  diff: string | null;
  text: string | null;
  /**
   * What became of the file between the next older entry of it and this one by commits that are not in the timeline:
   * a diff, '' for nothing, `null` when it was left out or is none of texts.
   */
  since: string | null;
  /** Where a sync joined commits of the branch: which of them wrote the lines that came. */
  sources?: LineSource[];
}

/** Lines `from` to `to` (1-based, inclusive) of the text after the entry, and the commit that wrote them. */
export interface LineSource {
  from: number;
  to: number;
  commit: string;
  author: string;
  subject: string;
  /** ISO 8601, UTC. */
  time: string;
}

/** Counts what a timeline holds. One text may take at most half of what is left, so that none starves the rest. */
export class Budget {
  leftOut = 0;
  #left: number;
  readonly #encoder = new TextEncoder();

  /** UTF-8 bytes. */
  constructor(bytes: number) {
    this.#left = bytes;
  }

  spend(text: string): void {
    this.#left -= this.#encoder.encode(text).length;
  }

  /** The text, or `null` when there is no room for it. */
  take(text: string): string | null {
    if (text === '') return text;
    const bytes = this.#encoder.encode(text).length;
    if (bytes > this.#left / 2) {
      this.leftOut++;
      return null;
    }
    this.#left -= bytes;
    return text;
  }
}

/** Which files are wanted: those below `path`; of commits that the engine did not make, `edited` ones first. */
export interface Wanted {
  path: string | undefined;
  edited: ReadonlySet<string>;
}

/** The most files to show of a commit that the engine did not make. */
const MAX_FOREIGN_FILES = 100;

/** The newest entry of a path so far: what the file was before it, and whether that text can be told. */
interface Link {
  file: TimelineFile;
  before: StoredFile | null;
  told: boolean;
}

export class TimelineFiles {
  readonly #context: Context;
  readonly #budget: Budget;
  readonly #wanted: Wanted;
  readonly #newer = new Map<string, Link>();

  constructor(context: Context, budget: Budget, wanted: Wanted) {
    this.#context = context;
    this.#budget = budget;
    this.#wanted = wanted;
  }

  /** The files of the next older entry. */
  async of({ commit }: LogEntry): Promise<{ files: TimelineFile[]; other_files: number }> {
    const entry = await readEntry(this.#context.objects, commit);
    const isOwn = entry.meta !== null && entry.meta.op !== 'sync';
    const { deltas, others } = await (isOwn ? this.#own(entry) : this.#foreign(entry));
    const named = new Set(withoutOverwritten(deltas));
    // A file that a move overwrote was deleted before the move: read backwards, that comes after it.
    const backwards = [...named, ...deltas.filter(delta => !named.has(delta))];
    const files = backwards.map(delta => this.#add(delta));
    if (entry.meta?.op === 'sync') for (const file of files) await this.#tellSources(entry, file);
    return { files, other_files: others };
  }

  async #own(entry: TrailEntry): Promise<{ deltas: Delta[]; others: number }> {
    const all = await entryDeltas(this.#context, entry);
    const deltas = all.filter(({ path, from }) => this.#isWanted(path) || this.#isWanted(from ?? path));
    return { deltas, others: all.length - deltas.length };
  }

  async #tellSources(entry: TrailEntry, file: TimelineFile): Promise<void> {
    const added = file.binary || file.diff === null ? [] : addedLines(file.diff);
    const path = toTrail(this.#context, file.path);
    const [lines] = await blameLines(this.#context.objects, [{ entry, path, lines: added }]);
    const sources = rowsOf(lines!.filter(one => one.entry.commit !== entry.commit));
    if (sources.length === 0 || this.#budget.take(JSON.stringify(sources)) === null) return;
    file.sources = sources;
  }

  /** A person's commit may change any number of files; a sync is only of interest for the edited ones. */
  async #foreign(entry: TrailEntry): Promise<{ deltas: Delta[]; others: number }> {
    const { objects } = this.#context;
    const [parent] = entry.parents;
    const before = parent && (await objects.has(parent)) ? (await readEntry(objects, parent)).tree : null;
    const changes = (await diffTrees(objects, before, entry.tree)).filter(change => this.#inScope(change));
    const { edited } = this.#wanted;
    const isEdited = (change: TreeChange): boolean => edited.has(fromTrail(this.#context, change.path) ?? '');
    const rest = entry.meta ? [] : changes.filter(change => !isEdited(change) && isRegular(change));
    const chosen = [...changes.filter(change => isEdited(change) && isRegular(change)), ...rest];
    const deltas: Delta[] = [];
    for (const change of chosen.slice(0, MAX_FOREIGN_FILES)) deltas.push(await this.#delta(change));
    return { deltas, others: changes.length - deltas.length };
  }

  #inScope(change: TreeChange): boolean {
    const path = fromTrail(this.#context, change.path);
    return path !== null && this.#isWanted(path);
  }

  #isWanted(path: string): boolean {
    return isBelow(path, this.#wanted.path?.replace(/\/$/, ''));
  }

  async #delta(change: TreeChange): Promise<Delta> {
    const path = fromTrail(this.#context, change.path)!;
    const [before, after] = await Promise.all(
      [change.before, change.after].map(ref => ref && recordedFile(this.#context, path, ref)),
    );
    return deltaOf(path, null, before ?? null, after ?? null);
  }

  #add(delta: Delta): TimelineFile {
    const { kind, path, from, added, removed, before, after } = delta;
    const newer = this.#newer.get(path);
    if (newer) newer.file.since = this.#between(path, after, newer.before);
    const follows = after === null || (newer?.told === true && newer.file.since !== null);
    const binary = isBinary(delta.diff);
    const diff = this.#budget.take(delta.diff);
    const text = follows ? null : this.#textOf(path, after);
    const file: TimelineFile = { kind, path, from, added, removed, binary, diff, text, since: '' };
    const told = (follows || text !== null) && diff !== null && !binary;
    this.#newer.delete(path);
    this.#newer.set(from ?? path, { file, before, told });
    return file;
  }

  #between(path: string, older: StoredFile | null, newer: StoredFile | null): string | null {
    if (older?.version === newer?.version) return '';
    const { diff } = deltaOf(path, null, older, newer);
    return isBinary(diff) ? null : this.#budget.take(diff);
  }

  #textOf(path: string, file: StoredFile): string | null {
    try {
      const { text, bom } = textFile(path, file.bytes, file.version);
      return this.#budget.take(bom ? `\ufeff${text}` : text);
    } catch (error) {
      if (error instanceof EditError) return null;
      throw error;
    }
  }
}

/** The numbers of the lines that a diff of one file adds. */
function addedLines(diff: string): number[] {
  const added: number[] = [];
  let next = 0;
  let left = 0;
  for (const line of diff.split('\n')) {
    const [, start, count = '1'] = left > 0 ? [] : (/^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line) ?? []);
    if (start !== undefined) [next, left] = [Number(start), Number(count)];
    else if (left > 0 && (line.startsWith('+') || line.startsWith(' '))) {
      if (line.startsWith('+')) added.push(next);
      next++;
      left--;
    }
  }
  return added;
}

function rowsOf(lines: readonly BlamedLine[]): LineSource[] {
  const rows: LineSource[] = [];
  for (const { line, entry } of lines) {
    const last = rows.at(-1);
    if (last && last.to === line - 1 && last.commit === entry.commit) last.to = line;
    else rows.push({ from: line, to: line, ...sourceOf(entry) });
  }
  return rows;
}

function sourceOf({ commit, author, subject, time }: TrailEntry): Omit<LineSource, 'from' | 'to'> {
  return { commit, author: author.name, subject, time: new Date(time * 1000).toISOString() };
}

/** No link and no submodule on either side. */
function isRegular({ before, after, utf8 }: TreeChange): boolean {
  return utf8 && [before, after].every(ref => ref === null || ref.mode.startsWith('100'));
}

/** True for a diff that only says that two files differ. */
function isBinary(diff: string): boolean {
  return !diff.includes('\n@@ ') && /\nBinary files [^\n]* differ\n$/.test(diff);
}
