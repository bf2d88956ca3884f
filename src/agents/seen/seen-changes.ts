/** Finds what of a look is not recorded yet, and whose it is. */

import type { DraftedChange } from '../../engine/change/planned.ts';
import { toTrail } from '../../engine/context.ts';
import type { Move } from '../../engine/file-diffs.ts';
import { overFile } from '../../engine/files/conversion.ts';
import type { Snapshot } from '../../engine/files/snapshot.ts';
import type { CallWindow } from '../../engine/origins/activity.ts';
import { plainField } from '../../engine/origins/agent-events.ts';
import { type Evidence, whoseChanges } from '../../engine/origins/origins.ts';
import type { StoredFile } from '../../stores/store.ts';
import { renamesOf, type StoredHalf } from '../../trail/renames.ts';
import { readEntryOrNull } from '../../trail/walk.ts';
import type { HeadMove } from './fresh-commits.ts';
import type { Present } from './present.ts';

/** The call of a command, as its events name it. */
export interface OwnCall {
  session: string;
  call: string;
}

/** Finds the files that hold something else than the trail. What git makes of them by a filter, or ignores, is none of these. */
export async function unrecorded(
  snapshot: Snapshot,
  found: readonly Present[],
  as: 'edit' | 'outside',
): Promise<DraftedChange[]> {
  const changes: DraftedChange[] = [];
  for (const { path, file } of found) {
    if (path === null) continue;
    const recorded = await snapshot.recorded(path);
    if (recorded?.mode === '160000' || recorded?.mode === '40000') continue;
    if (await snapshot.conversion.isRecorded(path, file, recorded)) continue;
    if (await isForbidden(snapshot, path, file, recorded !== null)) continue;
    const then = recorded && (await recordedAs(snapshot, recorded));
    const isText = file !== null && file.mode !== '120000';
    const now = isText ? await snapshot.conversion.recorded(path, file, overFile(then)) : file;
    const before = as === 'edit' ? then : now;
    changes.push({ path, before, after: file, recorded: { before, after: now }, inPlace: true });
  }
  return changes;
}

async function isForbidden(
  { context, conversion }: Snapshot,
  path: string,
  file: StoredFile | null,
  isKnown: boolean,
): Promise<boolean> {
  const check = async (): Promise<void> => {
    if (!isKnown) await context.guards.checkNew(toTrail(context, path));
    if (file) await conversion.check(path);
  };
  return check().then(
    () => false,
    () => true,
  );
}

async function recordedAs(
  { context }: Snapshot,
  { mode, oid }: { mode: string; oid: string },
): Promise<StoredFile> {
  const { content: bytes } = await context.objects.read(oid);
  const plain = mode === '120000' || mode === '100755' ? mode : '100644';
  return { bytes, mode: plain, version: oid };
}

/** Finds the changes that this call can have made, and no other session; `calls`: all that ran while they were made. */
export async function ownChanges(
  snapshot: Snapshot,
  changes: readonly DraftedChange[],
  { own, move, wasSeen }: { own: OwnCall; move: HeadMove | null; wasSeen: (path: string) => boolean },
): Promise<{ drafted: DraftedChange[]; calls: CallWindow[] }> {
  const { context, trail } = snapshot;
  const before = trail.parent === null ? null : await readEntryOrNull(context.objects, trail.parent);
  const names = changes.map(({ path }) => toTrail(context, path));
  const whose = await whoseChanges(context, names, before?.time, null);
  const drafted: DraftedChange[] = [];
  const calls = new Set<CallWindow>();
  for (const [n, change] of changes.entries()) {
    const evidence = whose.get(names[n]!)!;
    if (evidence.by !== 'during' || !isBySession(evidence, own)) continue;
    // What it held before is not known of a file that was there, and of which only the state was kept.
    if (change.recorded.before === null && wasSeen(names[n]!)) continue;
    if (await isBranchs(change, names[n]!, move)) continue;
    drafted.push(change);
    for (const call of evidence.calls) calls.add(call);
  }
  return { drafted, calls: [...calls] };
}

/** Other calls of the session may have run beside it: which of them it was is not known, but whose it is. */
function isBySession({ calls, isLate }: Evidence & { by: 'during' }, own: OwnCall): boolean {
  const [session, call] = [plainField(own.session), plainField(own.call)];
  return !isLate && calls.every(one => one.session === session) && calls.some(one => one.call === call);
}

/** A switch, a pull or a stash brings what others wrote. */
async function isBranchs(
  { recorded: { after } }: DraftedChange,
  name: string,
  move: HeadMove | null,
): Promise<boolean> {
  if (!move || move.isFresh(name)) return false;
  return (await move.held(name)) === (after?.version ?? null);
}

/** Finds the files that were renamed, as git tells it. */
export async function movesIn(changes: readonly DraftedChange[]): Promise<Move[]> {
  const sides = changes.map(({ path, recorded: { before, after } }) => ({ path, before, after }));
  const half = (path: string, file: StoredFile): StoredHalf => ({
    path,
    oid: file.version,
    read: async () => file,
  });
  return [...(await renamesOf(sides, half))].map(([to, from]) => ({ from, to }));
}
