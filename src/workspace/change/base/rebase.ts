/**
 * An edit whose base is old, made all the same when the caller asks for it: planned on the base's text, and the
 * result merged into the present one. Line numbers go forward with the lines that they mean.
 */

import type { FileMode } from '../../../edits/edit.ts';
import { type ConflictRegion, EditError } from '../../../errors.ts';
import type { StoredFile } from '../../../stores/store.ts';
import { lineDiff, splitLines } from '../../../text/diff/line-diff.ts';
import { mergeFile } from '../../../text/diff/merge.ts';
import { textFile } from '../../../text/document.ts';
import { lineBreakOf, linesOf } from '../../../text/lines.ts';
import { type LineMap, lineMap } from '../../../text/spans.ts';
import { pathName } from '../../../wording.ts';
import type { Move } from '../../file-diffs.ts';
import type { Snapshot } from '../../files/snapshot.ts';
import { regionWords } from './conflict-words.ts';
import { nextStep, type Stale, staleError } from './stale.ts';

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
  const oldLines = linesOf(was!);
  const lineBreak = lineBreakOf(was!);
  const offset = (line: number): number => (line < oldLines.count ? oldLines.start(line + 1) : was!.length);
  const newLines = splitLines(now!, lineBreak);
  const spans = lineDiff(was!, now!, lineBreak).changes.map(change => ({
    start: offset(change.oldStart),
    end: offset(change.oldEnd),
    text: newLines.slice(change.newStart, change.newEnd).join(''),
  }));
  return lineMap(was!, spans);
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
    nextStep({ path, version, lastView: false }),
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
    nextStep({ path, version, lastView: false }),
  ].join('\n');
  return new EditError('CONFLICT', message, { ...data, path, conflicts: [{ path, regions: [] }] });
}
