/** Which edits a landing is about, and in which form they are applied. */

import { EditError } from '../../errors.ts';
import { openEdits, type PendingEntry } from '../../trail/pending.ts';
import type { Pick } from '../../trail/pick.ts';

/** What the caller wants landed; ids are full. */
export interface LandWish {
  session?: string | undefined;
  /** Single commits; absent: all that is not landed yet. */
  commits?: ReadonlySet<string> | undefined;
  /** Also what was changed outside the engine and recorded before an edit. */
  outside: boolean;
}

/** The edits that the landing accounts for, oldest first. Throws NO_CHANGE when there are none. */
export function chooseEntries(entries: readonly PendingEntry[], wish: LandWish): PendingEntry[] {
  const open = entries.filter(({ entry, landed }) => !landed && isWanted(entry.meta!.op, wish));
  const named = open.filter(({ entry }) => wish.commits?.has(entry.commit) ?? true);
  const chosen = named.filter(
    ({ entry }) => wish.session === undefined || entry.meta!.session === wish.session,
  );
  const kept = wish.commits ? chosen : withoutStrayUndone(chosen);
  if (kept.some(({ entry }) => entry.meta!.op !== 'outside')) return kept;
  throw nothingToLand(wish);
}

function isWanted(op: string, wish: LandWish): boolean {
  return op !== 'sync' && (op !== 'outside' || wish.outside);
}

/** An edit that somebody else took back is not in the files any more. */
function withoutStrayUndone(chosen: readonly PendingEntry[]): PendingEntry[] {
  const takenBack = new Set(chosen.flatMap(({ entry }) => entry.meta!.undoes ?? []));
  return chosen.filter(({ entry, undone }) => !undone || takenBack.has(entry.commit));
}

function nothingToLand({ session, commits }: LandWish): EditError {
  const whose = session === undefined ? '' : ` of session ${session}`;
  const what = commits
    ? 'These edits are on the branch already, or taken back.'
    : `There is no edit${whose} that has not landed.`;
  return new EditError('NO_CHANGE', `${what} \`log\` lists the edits.`, { session: session ?? null });
}

/** As they were made, one after the other. */
export function straightPicks(chosen: readonly PendingEntry[]): Pick[] {
  return chosen.map(({ entry, paths }) => ({ entry, paths }));
}

/** Without edits that were taken back, and without what took them back. */
export function compactPicks(chosen: readonly PendingEntry[]): Pick[] {
  const outside = new Set(chosen.filter(({ entry }) => entry.meta!.op === 'outside'));
  const open = new Set(
    openEdits(chosen.map(one => ({ ...one, landed: false }))).map(one => one.entry.commit),
  );
  return straightPicks(chosen.filter(one => outside.has(one) || open.has(one.entry.commit)));
}
