/**
 * Judges what an agent puts back of what a person rejected, or takes out again: a step that returns the text to its
 * place is refused (src/line/rejected.ts), anything looser gets a note.
 */

import { EditError } from '../../errors.ts';
import { rowsOf } from '../../history/file-rows.ts';
import type { FileContent } from '../../history/steps.ts';
import type { LineEvent } from '../../line/event.ts';
import type { LineFile, LineFiles } from '../../line/files.ts';
import {
  bare,
  type LineSpan,
  lookAt,
  presentLines,
  type RejectedPlace,
  saysSomething,
  timesRejected,
} from '../../line/rejected.ts';
import type { TextLines } from '../../line/text-lines.ts';
import type { StoredFile } from '../../stores/store.ts';
import { type LineChange, splitLines } from '../../text/diff/line-diff.ts';
import { readableText } from '../../text/document.ts';
import { lineBreakOf } from '../../text/lines.ts';
import { cutLine, quoted } from '../../text/words.ts';
import { pathName, shortId } from '../../wording.ts';
import type { DraftedChange } from '../change/planned.ts';
import { toTrail } from '../context.ts';
import type { FileDiff } from '../file-diffs.ts';
import type { Snapshot } from '../files/snapshot.ts';
import { linesNow, presentAt } from '../standing.ts';
import { type StandingRejection, standingRejections } from './rejected-text.ts';
import type { RejectedLines, Rejection } from './rejection-book.ts';

/** The effect of an agent's change on the files, as texts and as git would record it. */
interface Done {
  fileDiffs: readonly FileDiff[];
  changes: readonly DraftedChange[];
  /** All that people rejected. */
  rejected: readonly Rejection[];
  /** True where the files hold it already, so that it can only be told of. */
  isDone: boolean;
}

/** A changed file that holds places of rejections, and its text before and after the change. */
interface ChangedFile {
  path: string;
  names: ReadonlySet<string>;
  places: readonly StandingRejection[];
  compared: Compared;
  /** By place, how often the text holds what was rejected. */
  before: ReadonlyMap<RejectedPlace, number>;
  after: TextLines;
  standing: readonly LineSpan[];
}

/** Checks the change of an agent against what people rejected, and answers notes on it. Throws REJECTED. */
export async function checkPutBack(snapshot: Snapshot, done: Done): Promise<string[]> {
  const notes: string[] = [];
  for (const fileDiff of done.fileDiffs) {
    const file = await changedFile(snapshot, fileDiff, done);
    if (!file) continue;
    for (const rejection of new Set(file.places.map(one => one.rejection))) {
      const places = file.places.filter(one => one.rejection === rejection);
      const back = places.find(({ place }) => timesRejected(place, file.after) > file.before.get(place)!);
      if (!back) notes.push(...likeNotes(file, rejection));
      else if (done.isDone)
        notes.push(
          `${rejectedWords(file.path, rejection, back.place)}, and it was ${isDeletion(back.place) ? 'done again' : 'put back'}`,
        );
      else throw refusal(file.path, rejection, back.place);
    }
  }
  return notes;
}

/** Places a changed file among the rejections; `null` where none of them is near. */
async function changedFile(
  snapshot: Snapshot,
  { path, from, before, after, binary, lines: changes }: FileDiff,
  { changes: drafted, rejected }: Done,
): Promise<ChangedFile | null> {
  if (binary) return null;
  const compared = { old: linesIn(before), now: linesIn(after), changes };
  const near = rejected.flatMap(({ lines }) => lines.filter(one => mayReturn(one, compared)));
  const recorded = (name: string, which: 'before' | 'after'): StoredFile | null =>
    drafted.find(one => one.path === name)?.recorded[which] ?? null;
  const found =
    near.length === 0 ? null : await fileOf(snapshot, from ?? path, near, name => recorded(name, 'before'));
  if (!found) return null;
  const { file, read } = found;
  const all = await standingRejections(snapshot.context, read, file, rejected);
  const places = all.filter(({ place }) => place.isDistinct);
  const { weave, names } = file;
  const text = presentLines(weave);
  const times = new Map(places.map(({ place }) => [place, timesRejected(place, text)]));
  const standing = places.flatMap(({ place }) => lookAt(place, text).runs);
  const made: LineEvent = { id: '', at: read.events.length, kind: 'edit', byAgent: true };
  const rows = rowsIn(toTrail(snapshot.context, path), recorded(path, 'after'));
  weave.step(made, rows);
  const known = new Set([...names, toTrail(snapshot.context, path)]);
  return { path, names: known, places, compared, before: times, after: presentLines(weave), standing };
}

function rowsIn(path: string, file: StoredFile | null): string[] {
  return file ? rowsOf(path, { mode: file.mode, oid: file.version }, file.bytes) : [];
}

/** Finds the file that has this name by now, as it is before the change; somebody may have moved it here outside the engine. */
async function fileOf(
  snapshot: Snapshot,
  name: string,
  near: readonly RejectedLines[],
  before: (name: string) => StoredFile | null,
): Promise<{ file: LineFile; read: LineFiles } | null> {
  const path = toTrail(snapshot.context, name);
  const paths = [path, ...near.map(one => one.path)];
  const present = async (recorded: string): Promise<FileContent | null> => {
    const held = recorded === path ? before(name) : undefined;
    if (held === undefined) return presentAt(snapshot, recorded);
    return held && { mode: held.mode, oid: held.version, content: held.bytes };
  };
  const read = await linesNow(snapshot, paths, {}, { present });
  const file = read.files.find(({ names }) => names.at(-1) === path);
  return file ? { file, read } : null;
}

/** Notes that the change puts in, or takes out, lines like those that were rejected. */
function likeNotes({ path, names, compared, standing }: ChangedFile, rejection: Rejection): string[] {
  const isLike = (one: RejectedLines): boolean =>
    names.has(one.path) &&
    (isDeletion(one) ? takesOutLike(one, compared, standing) : putsInLike(one, compared));
  return rejection.lines.filter(isLike).map(one => likeWords(path, rejection, one));
}

function refusal(path: string, rejection: Rejection, place: RejectedPlace): EditError {
  const { commit, reviewer, reason } = rejection;
  const next = `Do it in another way, or ask the person, who alone can take the rejection back (vedit revert ${shortId(commit)}).`;
  const words = `${rejectedWords(path, rejection, place)}. Nothing was changed. ${next}`;
  return new EditError('REJECTED', words, {
    ...{ path, commit, reviewer, reason },
    lines: (isDeletion(place) ? place.now : place.added).map(bare),
    ...(isDeletion(place) ? { taken_out: true as const } : {}),
  });
}

/** The most characters that are quoted of the lines, and of a reason. */
const QUOTED = { lines: 160, reason: 400 };

export function reasonWords(reason: string): string {
  if (reason === '') return ', without a reason';
  return `: ${JSON.stringify(cutLine(reason.replace(/\s+/g, ' '), QUOTED.reason))}`;
}

export function quotedLines(lines: readonly string[]): string {
  return quoted(lines.map(bare).join('\n'), QUOTED.lines);
}

type Lines = Pick<RejectedLines, 'added' | 'now'>;

function rejectedWords(path: string, { commit, reviewer, reason }: Rejection, place: Lines): string {
  const why = `(${shortId(commit)})${reasonWords(reason)}`;
  return isDeletion(place)
    ? `${reviewer} rejected that these lines of ${pathName(path)} were taken out ${why}. They are ${quotedLines(place.now)}`
    : `${reviewer} rejected these lines of ${pathName(path)} ${why}. They were ${quotedLines(place.added)}`;
}

function likeWords(path: string, { commit, reviewer, reason }: Rejection, place: Lines): string {
  const why = `(${shortId(commit)})${reasonWords(reason)}`;
  return isDeletion(place)
    ? `${reviewer} rejected before that lines of ${pathName(path)} were taken out ${why}; they are ${quotedLines(place.now)}`
    : `${reviewer} rejected lines like these in ${pathName(path)} before ${why}; they were ${quotedLines(place.added)}`;
}

/** True where nothing was put in that could be put back: lines were taken out. */
function isDeletion({ added }: Pick<Lines, 'added'>): boolean {
  return added.length === 0;
}

/** True where a change may return it: half of the lines that say something are in the new text, or are gone from it. */
function mayReturn(rejected: Lines, { old, now }: Compared): boolean {
  if (!isDeletion(rejected)) return holdsHalf(now, rejected);
  return goneLines(old, now, rejected.now.map(bare).filter(saysSomething)) > 0;
}

/** True where a change puts in half of the lines that say something. */
function putsInLike(rejected: Lines, { now, changes }: Compared): boolean {
  return holdsHalf(
    changes.flatMap(({ newStart, newEnd }) => now.slice(newStart, newEnd)),
    rejected,
  );
}

/** True where the text has half of the rejected lines that say something, whatever the blanks in them. */
function holdsHalf(text: readonly string[], { added }: Lines): boolean {
  const squeezed = (line: string): string => line.replace(/\s+/g, '');
  const held = new Set(text.map(squeezed));
  const lines = added.filter(saysSomething);
  return lines.length > 0 && 2 * lines.filter(line => held.has(squeezed(line))).length >= lines.length;
}

/** True where a change takes out half of the lines that say something, and not by writing others in their place. */
function takesOutLike(
  { now: kept }: Lines,
  { old, now, changes }: Compared,
  standing: readonly LineSpan[],
): boolean {
  const lines = kept.map(bare).filter(saysSomething);
  const isCut = standing.some(({ start, end }) =>
    changes.some(one => one.oldStart < end && one.oldEnd > start && one.newStart === one.newEnd),
  );
  return isCut && lines.length > 0 && 2 * goneLines(old, now, lines) >= lines.length;
}

/** Counts the lines that the new text has less often than the old one. */
function goneLines(old: readonly string[], now: readonly string[], lines: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const line of old) counts.set(bare(line), (counts.get(bare(line)) ?? 0) + 1);
  for (const line of now) counts.set(bare(line), (counts.get(bare(line)) ?? 0) - 1);
  return lines.filter(line => {
    const left = counts.get(line) ?? 0;
    counts.set(line, left - 1);
    return left > 0;
  }).length;
}

/** Two texts with what became of the lines of the first. */
interface Compared {
  old: readonly string[];
  now: readonly string[];
  changes: readonly LineChange[];
}

function linesIn(file: StoredFile | null): string[] {
  const text = readableText('', file)?.marked ?? '';
  return splitLines(text, lineBreakOf(text));
}
