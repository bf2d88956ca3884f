/** What of a look is not recorded yet, and whose it is. */

import type { StoredFile } from '../../../stores/store.ts';
import { readEntryOrNull } from '../../../trail/walk.ts';
import type { DraftedChange } from '../../change/drafted-change.ts';
import { toTrail } from '../../context.ts';
import type { Move } from '../../file-diffs.ts';
import { overFile } from '../../files/conversion.ts';
import type { Snapshot } from '../../files/snapshot.ts';
import { plainField } from '../agent-events.ts';
import type { Evidence } from '../evidence.ts';
import { whoseChanges } from '../whose.ts';
import type { HeadMove } from './fresh-commits.ts';
import type { Present } from './present.ts';

/** The call of a command, as its events name it. */
export interface OwnCall {
  session: string;
  call: string;
}

/** Files that hold something else than the trail. What git makes of them by a filter, or ignores, is none of these. */
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

/** Those that this call alone can have made, while it ran. */
export async function ownChanges(
  snapshot: Snapshot,
  changes: readonly DraftedChange[],
  { own, move, wasSeen }: { own: OwnCall; move: HeadMove | null; wasSeen: (path: string) => boolean },
): Promise<DraftedChange[]> {
  const { context, trail } = snapshot;
  const before = trail.parent === null ? null : await readEntryOrNull(context.objects, trail.parent);
  const names = changes.map(({ path }) => toTrail(context, path));
  const whose = await whoseChanges(context, names, before?.time, null);
  const found: DraftedChange[] = [];
  for (const [n, change] of changes.entries()) {
    const isOwn = isOnlyBy(whose.get(names[n]!)!, own);
    // What it held before is not known of a file that was there, and of which only the state was kept.
    const isKnown = change.recorded.before !== null || !wasSeen(names[n]!);
    if (isOwn && isKnown && !(await isBranchs(change, names[n]!, move))) found.push(change);
  }
  return found;
}

function isOnlyBy(evidence: Evidence, own: OwnCall): boolean {
  if (evidence.by !== 'during' || evidence.calls.length !== 1) return false;
  const [only] = evidence.calls;
  return only!.session === plainField(own.session) && only!.call === plainField(own.call) && !evidence.isLate;
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

/** Files that only have another name now; so many are compared. */
const MOST_PAIRS = 1_000;

export function movesIn(changes: readonly DraftedChange[]): Move[] {
  const gone = new Map<string, string>();
  for (const { path, recorded } of changes)
    if (recorded.before && !recorded.after) gone.set(recorded.before.version, path);
  const moves: Move[] = [];
  for (const { path, recorded } of changes.slice(0, MOST_PAIRS)) {
    const from = !recorded.before && recorded.after ? gone.get(recorded.after.version) : undefined;
    if (from === undefined) continue;
    gone.delete(recorded.after!.version);
    moves.push({ from, to: path });
  }
  return moves;
}
