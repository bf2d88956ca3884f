/**
 * One step of taking back or putting back on a file: straight where the file is what the step expects, by three-way
 * merge where somebody changed other lines since, and a conflict where the same lines were changed.
 */

import { type ConflictRegion, EditError } from '../../errors.ts';
import type { StoredFile } from '../../stores/store.ts';
import { counted, listedSome } from '../../text/words.ts';
import { type Blobs, joinStep } from '../../trail/history/join.ts';
import type { Step } from '../../trail/steps.ts';
import { ifTool, pathName, toolName } from '../../wording.ts';
import type { Context } from '../context.ts';
import { overRecorded, plainMode } from '../files/conversion.ts';
import { recordedFile, type Snapshot } from '../files/snapshot.ts';
import { regionWords } from './conflict-words.ts';

/** What could not be joined in one file. Lines are 1-based, of the present text. */
export interface StepConflict {
  path: string;
  /** The commit that was to be taken back or put back. */
  commit: string;
  regions: ConflictRegion[];
  /** Of the present file, where the lines are those of it and not of what earlier steps would make of it. */
  version?: string;
  /** How the file as a whole stands against the step, where there is nothing to be joined. */
  note?: string;
}

/** The file after the step, or why it cannot be made. */
export async function advance(
  snapshot: Snapshot,
  path: string,
  now: StoredFile | null,
  step: Step,
): Promise<{ file: StoredFile | null } | { conflict: StepConflict }> {
  const { context, conversion } = snapshot;
  const over = overRecorded(context, step.from);
  const from = step.from && (await recordedFile(context, path, step.from));
  const to = step.to && (await recordedFile(context, path, step.to));
  if (await conversion.isRecorded(path, now, step.from)) {
    return { file: to && keepingMode(await conversion.onto(path, now, over, to), from, now) };
  }
  if (await conversion.isRecorded(path, now, step.to)) return { file: now };
  const conflict = { path, commit: step.commit, regions: [] };
  if (!now || !from || !to) return { conflict: { ...conflict, note: wholeFile(path, now, to) } };
  const kept = await conversion.recorded(path, now, over);
  const joined = await joinFiles(context, { path, from, now: kept, to });
  if ('conflict' in joined) return { conflict: { ...conflict, regions: joined.conflict } };
  return { file: keepingMode(await conversion.onto(path, now, over, joined.file), from, now) };
}

function wholeFile(path: string, now: StoredFile | null, to: StoredFile | null): string {
  if (!now) return `${pathName(path)} is gone now`;
  return to
    ? `${pathName(path)} is another file now: move it away to make room`
    : `${pathName(path)} was to be deleted: ${ifTool('delete', `use ${toolName('delete')}`, 'delete it')} to do that all the same`;
}

/** The mode on disk stays where the step does not change the recorded one. */
function keepingMode(file: StoredFile, from: StoredFile | null, now: StoredFile | null): StoredFile {
  return now && from?.mode === file.mode ? { ...file, mode: now.mode } : file;
}

/** A file as it was before a step, as it is, and as the step leaves it: each as it is recorded. */
interface Sides {
  path: string;
  from: StoredFile;
  now: StoredFile;
  to: StoredFile;
}

async function joinFiles(
  context: Context,
  { path, from, now, to }: Sides,
): Promise<{ file: StoredFile } | { conflict: ConflictRegion[] }> {
  const byId = new Map([from, now, to].map(file => [file.version, file.bytes]));
  const ref = ({ mode, version }: StoredFile) => ({ mode, oid: version });
  const blobs: Blobs = { codec: context.codec, read: async oid => byId.get(oid)! };
  const joined = await joinStep(blobs, ref(now), { path, from: ref(from), to: ref(to) });
  if ('conflict' in joined) return joined;
  const { mode, oid } = joined.recorded!;
  const bytes = joined.content ?? byId.get(oid)!;
  return { file: { bytes, mode: plainMode(mode), version: oid } };
}

/** Refuses the whole operation, naming every region that could not be joined. */
export function conflictError(conflicts: readonly StepConflict[]): EditError {
  const words = conflicts.map(({ path, commit, regions }) => {
    const lines = regions.map(one =>
      one.end_line < one.start_line ? `at line ${one.start_line}` : `lines ${one.start_line}-${one.end_line}`,
    );
    const where = lines.length > 0 ? ` (${lines.join(', ')})` : '';
    return `${path}${where} was changed after ${commit.slice(0, 12)}`;
  });
  const byHand = conflicts.some(one => one.regions.length > 0) ? 'Edit those lines' : 'Change the file';
  const shown = conflicts.slice(0, SHOWN);
  const more = conflicts.length - SHOWN;
  const message = [
    `${listedSome(words, NAMED, '; ')}: going on would overwrite what came later. Nothing was written.`,
    ...shown.flatMap(shownConflict),
    ...(more > 0 ? [`[and ${counted(more, 'more conflict')}]`] : []),
    `${byHand} by hand, or undo the later change first.`,
  ].join('\n');
  return new EditError('CONFLICT', message, { conflicts });
}

function shownConflict({ path, regions, version, note }: StepConflict): string[] {
  if (note) return [`${note}.`];
  const at = version === undefined ? [] : [`${path} is at version "${version}".`];
  return [...regionWords(path, regions), ...at];
}

/** So many files are shown with their lines, and so many named. */
const SHOWN = 5;
const NAMED = 20;
