/** Plans a way back as steps of single files, from one content to another: each is merged into the file as it is. */

import type { ConflictRegion } from '../../errors.ts';
import type { StoredFile } from '../../stores/store.ts';
import { blobsOf, mergeStep } from '../../trail/history/merge-steps.ts';
import type { Step } from '../../trail/steps.ts';
import type { Planned } from '../change/planned.ts';
import { type Context, fromTrail } from '../context.ts';
import { overRecorded, plainMode } from '../files/conversion.ts';
import { broughtBack } from '../files/exact-bytes.ts';
import { recordedFile, type Snapshot } from '../files/snapshot.ts';
import { conflictError, type StepConflict, wholeFile } from './back-conflict.ts';
import { differs, keepingMode, outsideWorkspace, presentFile } from './back-files.ts';

/** Plans the steps. What somebody changed since, and a step would change too, is a conflict. */
export async function planSteps(
  snapshot: Snapshot,
  steps: readonly Step[],
  meta: NonNullable<Planned['meta']>,
): Promise<Planned> {
  const targets = new Map<string, StoredFile | null>();
  const conflicts: StepConflict[] = [];
  for (const step of steps) {
    const path = fromTrail(snapshot.context, step.path);
    if (path === null) throw outsideWorkspace(step.path);
    const before = await presentFile(snapshot, path);
    const now = targets.has(path) ? targets.get(path)! : before;
    const next = await advance(snapshot, path, now, step);
    if ('conflict' in next) {
      const isPresent = now !== null && !differs(before, now);
      conflicts.push({ ...next.conflict, ...(isPresent ? { version: now.version } : {}) });
    } else targets.set(path, next.file);
  }
  if (conflicts.length === 0) return { targets, moves: [], meta };
  const paths = conflicts.map(({ path }) => path);
  return { targets: new Map(), moves: [], conflict: { paths, error: conflictError(conflicts) }, meta };
}

async function advance(
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
    return { file: to && keepingMode(await broughtBack(snapshot, path, { now, over, to }), from, now) };
  }
  if (await conversion.isRecorded(path, now, step.to)) return { file: now };
  const conflict = { path, commit: step.commit, regions: [] };
  if (!now || !from || !to) return { conflict: { ...conflict, note: wholeFile(path, now, to) } };
  const kept = await conversion.recorded(path, now, over);
  const next = await merged(context, path, { from, now: kept, to });
  if ('conflict' in next) return { conflict: { ...conflict, regions: next.conflict } };
  return { file: keepingMode(await broughtBack(snapshot, path, { now, over, to: next.file }), from, now) };
}

/** Merges the step from `from` to `to` into a file that others changed, each as it is recorded. */
async function merged(
  { objects }: Context,
  path: string,
  { from, now, to }: Readonly<Record<'from' | 'now' | 'to', StoredFile>>,
): Promise<{ file: StoredFile } | { conflict: ConflictRegion[] }> {
  const contents = new Map([from, now, to].map(file => [file.version, file.bytes]));
  const ref = ({ mode, version }: StoredFile) => ({ mode, oid: version });
  const step = { path, from: ref(from), to: ref(to) };
  const result = await mergeStep(blobsOf(objects, contents), ref(now), step);
  if ('conflict' in result) return result;
  const { mode, oid } = result.recorded!;
  return { file: { bytes: result.content!, mode: plainMode(mode), version: oid } };
}
