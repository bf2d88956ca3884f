/** Tells how the workspace stands: trail, head, what changed outside the engine, and work that a crash interrupted. */

import { shownName } from '../c-quote.ts';
import type { Answer } from '../engine/answer.ts';
import { syncedSnapshot } from '../engine/change/sync.ts';
import { type Context, toTrail } from '../engine/context.ts';
import { type OutsideChange, outsideChanges, RECENT_COMMITS } from '../engine/files/outside.ts';
import type { Snapshot } from '../engine/files/snapshot.ts';
import { unexplainedChanges } from '../engine/files/unexplained.ts';
import { type LogEntry, logEntry } from '../engine/log-entry.ts';
import { COUNTED } from '../engine/status/newest.ts';
import { placeName } from '../engine/status/status-words.ts';
import { editStatuses } from '../engine/status/statuses.ts';
import { openTrail } from '../engine/trails/open-trail.ts';
import { openWork } from '../engine/trails/open-work.ts';
import { type PathAside, setAsideOf } from '../engine/transaction/aside/asides.ts';
import { gcFailure } from '../engine/transaction/git-gc.ts';
import {
  failedCheckpoint,
  failedCheckpointWords,
  type Unsettled,
} from '../engine/transaction/journal/failed-checkpoint.ts';
import { isInterrupted, lockHolder } from '../engine/transaction/journal/interrupted.ts';
import { countLost } from '../engine/undo/restoring.ts';
import { preflight } from '../git/repository/preflight.ts';
import { fileAt, sameRecorded } from '../history/steps.ts';
import { readEntry, treeOf } from '../history/walk.ts';
import { counted } from '../text/words.ts';
import { ifTool } from '../wording.ts';

export interface StatusData {
  trail: string;
  checked_out: boolean;
  /** The branch that is checked out, without `refs/heads/`; `null`: HEAD is detached, or it is another clone's trail. */
  branch: string | null;
  /** The trail's newest commit; `null` when nothing was edited. */
  head: string | null;
  last: LogEntry | null;
  branch_head: string | null;
  /** True when HEAD moved since the trail last looked. */
  behind_head: boolean;
  /** Edits beside the branch of which something is in the files and not on it, among the newest 1,000 commits. */
  left: number;
  /** True when there are older ones that were not looked at. */
  left_more: boolean;
  /** The number of edits that the person took out by hand besides, so that a landing leaves them out. */
  taken_back: number;
  /** Where other edits are, each with their number: `branch feature`, `stash@{0}`, or the commit of a HEAD that was. */
  away: Array<{ where: string; edits: number }>;
  /** Files that others changed since they were recorded, but for those that are as HEAD has them: git brought these. */
  outside: Array<Pick<OutsideChange, 'path' | 'kind' | 'unreadable'>>;
  /** The number of files that were looked at for that. */
  checked_paths: number;
  /** Other changed files: they differ from HEAD, and no edit explains their text. */
  unexplained: StatusData['outside'];
  /** True when there may be more: the look was cut at a second. */
  unexplained_more: boolean;
  /** Files of the newest edits that are gone, or as HEAD has them: a restore brings them back. */
  missing: number;
  /** Paths whose newest edit is in history and not in the file, of all work trees, with why. */
  set_aside: PathAside[];
  /** Why the journal cannot be made durable in its own place; `null` where that did not fail. */
  unsettled: Unsettled | null;
  /** Why packs add up: no git is here that would join them, or its gc fails; `null` where they do not. */
  packs_add_up: string | null;
  /** True when an edit was cut off by a crash. */
  interrupted: boolean;
  locked_by: { pid: number; host: string } | null;
}

export async function status(context: Context): Promise<Answer<StatusData>> {
  await preflight(context.repo);
  const trail = await openTrail(context);
  const snapshot = await syncedSnapshot(context, trail);
  const { changes, checked } = await outsideChanges(snapshot);
  const outside = await butAsHead(snapshot, changes);
  const asides = await context.asides.of(context, trail.ref);
  // Nothing of another clone's trail lands from here.
  const open = trail.mirror ? NOTHING_OPEN : await openWork(snapshot, changes);
  const named = new Set(changes.map(({ path }) => path));
  const other = await unexplainedChanges(snapshot);
  const data: StatusData = {
    trail: trail.ref,
    checked_out: trail.checkedOut,
    branch: trail.branch,
    head: trail.tip,
    last: trail.tip ? await lastEntry(snapshot, trail.tip) : null,
    branch_head: trail.head,
    behind_head: !trail.checkedOut && trail.tip !== null && trail.head !== trail.seen,
    left: open.edits.length,
    left_more: open.more,
    taken_back: open.takenBack,
    away: [...open.away].map(([where, edits]) => ({ where, edits })),
    outside: outside
      .filter(({ path }) => !asides.has(toTrail(context, path)))
      .map(({ before: _before, after: _after, ...change }) => change),
    checked_paths: checked - (changes.length - outside.length),
    unexplained: other.changes.filter(({ path }) => !named.has(path)),
    unexplained_more: other.more,
    missing: trail.mirror ? 0 : await countLost(snapshot, RECENT_COMMITS),
    set_aside: setAsideOf(context, await context.asides.all(context)),
    unsettled: await failedCheckpoint(context),
    packs_add_up: await gcFailure(context),
    interrupted: await isInterrupted(context),
    locked_by: await lockHolder(context),
  };
  return { message: words(data), data };
}

/** Leaves out what is as HEAD has it: a switch, a stash or a reset brought that, and nobody typed it. */
async function butAsHead(
  { context, trail }: Snapshot,
  changes: readonly OutsideChange[],
): Promise<OutsideChange[]> {
  const head = trail.head === null ? null : await treeOf(context.objects, trail.head);
  const left: OutsideChange[] = [];
  for (const change of changes) {
    const held = head === null ? null : await fileAt(context.objects, head, toTrail(context, change.path));
    const { after, unreadable } = change;
    const isSame = sameRecorded(held, after && { mode: after.mode, oid: after.version });
    if (!isSame || unreadable || trail.mirror) left.push(change);
  }
  return left;
}

/** From so many files on, an accident is likelier than a decision about each of them. */
export const MANY_MISSING = 3;

const NOTHING_OPEN = { edits: [], takenBack: 0, away: new Map<string, number>(), more: false };

async function lastEntry(snapshot: Snapshot, tip: string): Promise<LogEntry> {
  const entry = await readEntry(snapshot.context.objects, tip);
  return logEntry(entry, (await editStatuses(snapshot, [entry])).get(tip));
}

/** The most files to name that no edit explains. */
export const NAMED = 20;

/** `3 changed files that no edit explains, and maybe more: the look was cut at 1 s`. */
export function unexplainedCount({
  unexplained,
  unexplained_more: more,
}: Pick<StatusData, 'unexplained' | 'unexplained_more'>): string {
  const cut = more ? ', and maybe more: the look was cut at 1 s' : '';
  return `${counted(unexplained.length, 'changed file')} that no edit explains${cut}`;
}

function unexplainedWords(data: StatusData): string {
  const names = data.unexplained.slice(0, NAMED).map(({ path }) => shownName(path));
  const left = data.unexplained.length - names.length;
  const all = [...names, ...(left > 0 ? [`${left} more`] : [])].join(', ');
  return `${unexplainedCount(data)}${all === '' ? '' : `: ${all}`}`;
}

/** `3 edits are away: branch feature 2, stash@{0} 1`. */
export function awayWords({ away }: Pick<StatusData, 'away'>): string {
  const all = away.reduce((sum, { edits }) => sum + edits, 0);
  const places = away.map(({ where, edits }) => `${placeName(where)} ${edits}`).join(', ');
  return `${all} ${all === 1 ? 'edit is' : 'edits are'} away: ${places}`;
}

function words(data: StatusData): string {
  const lines = [
    `history ${data.trail}${data.checked_out ? ' (checked out)' : ''} at ${data.head?.slice(0, 12) ?? 'nothing yet'}`,
  ];
  if (data.behind_head) lines.push('HEAD moved since; the next edit takes its commits in');
  const atLeast = data.left_more ? 'at least ' : '';
  if (data.left > 0) lines.push(`${atLeast}${data.left} ${data.left === 1 ? 'edit is' : 'edits are'} open`);
  const takenBack = `${data.taken_back} ${data.taken_back === 1 ? 'edit was' : 'edits were'} taken out by hand`;
  if (data.taken_back > 0) lines.push(takenBack);
  if (data.away.length > 0) lines.push(awayWords(data));
  if (data.left_more)
    lines.push(`the newest ${COUNTED} commits of the history were looked at; the log tells of older edits`);
  if (data.outside.length === 0 && data.checked_paths > 0)
    lines.push('nothing but vedit changed the files that were edited');
  for (const { path, kind } of data.outside) lines.push(`outside: ${kind} ${shownName(path)}`);
  if (data.unexplained.length > 0 || data.unexplained_more) lines.push(unexplainedWords(data));
  const back = ifTool('restore', tool => `: ${tool} of . without a commit brings them back`);
  if (data.missing >= MANY_MISSING)
    lines.push(`${data.missing} files of the history are gone, or as HEAD has them${back}`);
  lines.push(...data.set_aside.map(({ message }) => message));
  if (data.unsettled) lines.push(failedCheckpointWords(data.unsettled));
  if (data.interrupted) lines.push('an edit was interrupted; the next edit finishes it or takes it back');
  if (data.packs_add_up !== null) lines.push(`packs add up: ${data.packs_add_up}`);
  return lines.join('\n');
}
