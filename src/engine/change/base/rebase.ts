/**
 * An edit whose base is old, made all the same when the caller asks for it: planned on the base's text, and the
 * result merged into the present one. Line numbers go forward with the lines that they mean.
 */

import type { Edit, FileMode } from '../../../edits/edit.ts';
import { type ConflictRegion, EditError } from '../../../errors.ts';
import type { StoredFile } from '../../../stores/store.ts';
import { lineMap } from '../../../text/diff/line-diff.ts';
import { mergeFile, regionWords } from '../../../text/diff/merge.ts';
import { textFile } from '../../../text/document.ts';
import type { LineMap } from '../../../text/spans.ts';
import { lineWords, listed } from '../../../text/words.ts';
import { capital, fieldName, ifOption, pathName } from '../../../wording.ts';
import type { Move } from '../../file-diffs.ts';
import type { Snapshot } from '../../files/snapshot.ts';
import { nextStep, type Repair, type Stale, type StaleTexts, staleError } from './stale.ts';

/** A path whose edits were planned on `base` although it holds `present`. */
export interface Rebased {
  base: StoredFile | null;
  present: StoredFile | null;
  /** Why an edit that is not to be rebased is refused. */
  stale: Stale;
  /** True when the edit counts lines that changed since: then no merge is what was meant, however well it fits. */
  linesChanged?: boolean;
}

type Target = { bytes: Uint8Array; mode: FileMode } | null;

/** Where the lines of the old file are in the present one. */
export function mapBetween(path: string, base: StoredFile, present: StoredFile): LineMap {
  const [was, now] = [base, present].map(file => textFile(path, file.bytes, file.version).text);
  return lineMap(was!, now!);
}

export function rebasedNote(path: string): string {
  return `${pathName(path)} changed since the base; the edit was joined with the present text`;
}

/** Replaces what was planned on an old base by its merge with the present text. Throws CONFLICT. */
export async function joinRebased(
  snapshot: Snapshot,
  targets: Map<string, Target>,
  rebased: ReadonlyMap<string, Rebased>,
  moves: readonly Move[],
): Promise<string[]> {
  const notes: string[] = [];
  for (const [path, files] of rebased) {
    const at = moves.find(move => move.from === path)?.to ?? path;
    const planned = targets.get(at);
    if (planned === undefined) continue;
    targets.set(at, await joined(snapshot, path, files, planned));
    notes.push(rebasedNote(path));
  }
  return notes;
}

async function joined(snapshot: Snapshot, path: string, rebased: Rebased, planned: Target): Promise<Target> {
  const { base, present, linesChanged, stale } = rebased;
  if (!base || !present || !planned) throw await changedLines(snapshot, stale, 'the file itself');
  const merged = mergeFile(path, base, present, { bytes: planned.bytes, version: '' });
  if ('conflict' in merged) throw conflict(path, present, merged.conflict);
  if (linesChanged) throw await changedLines(snapshot, stale, 'the lines of the edit itself');
  return { bytes: merged.content, mode: planned.mode };
}

function conflict(path: string, present: StoredFile, regions: ConflictRegion[]): EditError {
  const { version } = present;
  const message = [
    `${pathName(path)}: the place of the edit itself changed since the base. Nothing was written.`,
    ...regionWords(path, regions),
    nextStep(path, version),
  ].join('\n');
  return new EditError('CONFLICT', message, { path, version, conflicts: [{ path, regions }] });
}

/** CONFLICT for an edit whose line numbers mean lines, or a file, that is not there any more, with what changed. */
async function changedLines(snapshot: Snapshot, stale: Stale, what: string): Promise<EditError> {
  const { path } = stale;
  const { data } = await staleError(snapshot, stale);
  const { diff, version } = data;
  const message = [
    `${pathName(path)}: ${what} changed since the base. Nothing was written.`,
    ...(diff ? [`What changed:\n${diff.trimEnd()}`] : []),
    nextStep(path, version),
  ].join('\n');
  return new EditError('CONFLICT', message, { ...data, path, conflicts: [{ path, regions: [] }] });
}

/** `null` where the edit is not about one file, or what it is about changed. */
export function repairOf(edit: Edit, input: unknown, texts: StaleTexts): Repair | null {
  const { path, base, present } = texts;
  const [given, ...more] = edit.paths(input as never);
  if (given === undefined || more.length > 0) return null;
  const mapped = edit.renumber ? edit.renumber(input as never, mapBetween(path, base, present)) : input;
  if (mapped === null || (edit.addressesLines && !edit.renumber)) return null;
  if (!canPlan(edit, mapped, given, present)) return null;
  const cite = `${fieldName('version')} "${present.version.slice(0, 12)}"`;
  const orRebase = ifOption('on_stale', 'rebase', option => `, or the same call with ${option}`);
  if (!edit.addressesLines) {
    return {
      words: `What it changes is still there as it was: send it with ${cite}${orRebase}.`,
      fields: {},
    };
  }
  const fields = Object.fromEntries(movedNumbers(input, mapped));
  const shown = (name: string): string => (/^\w+$/.test(name) ? fieldName(name) : name);
  const numbers = Object.entries(fields).map(([name, to]) => `${shown(name)} ${to}`);
  const send = numbers.length === 0 ? 'send the same call' : `send ${listed(numbers)}`;
  return { words: `${linesWords(edit, input, mapped)}: ${send} with ${cite}${orRebase}.`, fields };
}

function canPlan(edit: Edit, input: unknown, path: string, present: StoredFile): boolean {
  try {
    const file = textFile(path, present.bytes, present.version);
    // A file that is written anew, moved or deleted is another decision once its text is another.
    return edit.plan(input as never, new Map([[path, file]])).every(change => change.kind === 'modify');
  } catch (error) {
    if (error instanceof EditError) return false;
    throw error;
  }
}

/** The most runs of lines that are told. */
const TOLD = 5;

/** `Line 26 is line 28 now and is unchanged`. */
function linesWords(edit: Edit, input: unknown, mapped: unknown): string {
  const [was, now] = [input, mapped].map(one => edit.lines?.(one as never) ?? []);
  const moves = was!.slice(0, TOLD).flatMap((from, i) => {
    const to = now![i]!;
    const verb = from.start === from.end ? 'is' : 'are';
    const [old, fresh] = [lineWords(from.start, from.end), lineWords(to.start, to.end)];
    return old === fresh ? [] : [`${old} ${verb} ${fresh} now`];
  });
  const [first = 'the lines that it names', ...rest] = moves;
  const one = moves.length === 1 && was!.length === 1 && was![0]!.start === was![0]!.end;
  const state =
    moves.length === 0 ? ' are where they were, unchanged' : one ? ' and is unchanged' : ' and unchanged';
  const words = [first, ...rest].join(', ') + state;
  return capital(words);
}

/** The numbers of an input that became others, by their paths. */
function movedNumbers(input: unknown, mapped: unknown, at = ''): Array<[string, number]> {
  if (typeof mapped === 'number') return input === mapped ? [] : [[at, mapped]];
  if (typeof mapped !== 'object' || mapped === null) return [];
  return Object.entries(mapped).flatMap(([key, value]) => {
    const name = Array.isArray(mapped) ? `${at}[${key}]` : at === '' ? key : `${at}.${key}`;
    return movedNumbers((input as Record<string, unknown>)[key], value, name);
  });
}
