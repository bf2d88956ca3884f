/** Which edits a landing is about, and in which form they are applied. */

import { EditError } from '../../errors.ts';
import { isOutside, isSync } from '../../operations.ts';
import { listedSome } from '../../text/words.ts';
import { isBelow } from '../../trail/changed-paths.ts';
import type { Pick } from '../../trail/history/cherry-pick.ts';
import { isThere, openEdits, type PendingEntry, standingEdits } from '../../trail/open-edits.ts';

/** What the caller wants landed; ids are full. */
export interface LandSelection {
  session?: string | undefined;
  agent?: string | undefined;
  /** Files and folders, as the trail records them. */
  paths?: readonly string[] | undefined;
  /** Single commits; absent: all that is not landed yet. */
  commits?: ReadonlySet<string> | undefined;
  /** Also what was changed outside the engine and recorded before an edit. */
  outside: boolean;
}

/** The edits that the landing accounts for, oldest first. Throws NO_CHANGE when there are none. */
export function chooseEntries(entries: readonly PendingEntry[], wish: LandSelection): PendingEntry[] {
  const open = entries.filter(({ entry, landed }) => !landed && isWanted(entry.meta!.op, wish));
  const named = open.filter(({ entry }) => wish.commits?.has(entry.commit) ?? true);
  const chosen = withinPaths(ofEditor(named, wish), wish.paths);
  const kept = wish.commits ? chosen : withoutStrays(chosen, entries);
  const lands = wish.commits ? kept.filter(({ entry }) => !isOutside(entry.meta!.op)) : openEdits(kept);
  if (lands.length > 0) return kept;
  throw nothingToLand(wish);
}

/** Edits of the session and the agent, and what was changed outside the engine in files that they are about. */
function ofEditor(entries: PendingEntry[], { session, agent }: LandSelection): PendingEntry[] {
  if (session === undefined && agent === undefined) return entries;
  const isOwn = ({ entry: { meta } }: PendingEntry): boolean =>
    !isOutside(meta!.op) &&
    (session === undefined || meta!.session === session) &&
    (agent === undefined || meta!.agent === agent);
  const paths = new Set(entries.filter(isOwn).flatMap(one => one.paths));
  const isBeside = ({ entry, paths: about }: PendingEntry): boolean =>
    isOutside(entry.meta!.op) && about.some(path => paths.has(path));
  return entries.filter(one => isOwn(one) || isBeside(one));
}

/** What of them is about these files and folders: of an edit of several files it may be a part. */
function withinPaths(entries: PendingEntry[], wanted: readonly string[] | undefined): PendingEntry[] {
  if (wanted === undefined) return entries;
  return entries.flatMap(one => {
    const paths = one.paths.filter(path => wanted.some(folder => isBelow(path, folder)));
    if (paths.length === 0) return [];
    return paths.length === one.paths.length ? [one] : [{ ...one, paths, part: true as const }];
  });
}

function isWanted(op: string, wish: LandSelection): boolean {
  return !isSync(op) && (!isOutside(op) || wish.outside);
}

/** Without what only makes sense together with something that is not chosen. */
function withoutStrays(chosen: readonly PendingEntry[], entries: readonly PendingEntry[]): PendingEntry[] {
  return withoutStrayVoid(withoutStrayUndone(withoutStrayWaysBack(chosen, entries)), entries);
}

/** What takes back edits of somebody else takes nothing back where those have not landed. */
function withoutStrayWaysBack(
  chosen: readonly PendingEntry[],
  entries: readonly PendingEntry[],
): PendingEntry[] {
  const open = new Set(entries.filter(one => !isThere(one)).map(({ entry }) => entry.commit));
  const kept = new Set<string>();
  return chosen.filter(({ entry: { commit, meta } }) => {
    const named = [...(meta!.undoes ?? []), ...(meta!.redoes ?? [])];
    const isStray = named.some(id => !kept.has(id)) && named.every(id => open.has(id));
    if (!isStray) kept.add(commit);
    return !isStray;
  });
}

/** An edit that somebody else took back is not in the files any more. */
function withoutStrayUndone(chosen: readonly PendingEntry[]): PendingEntry[] {
  const takenBack = new Set(chosen.flatMap(({ entry }) => entry.meta!.undoes ?? []));
  return chosen.filter(({ entry, undone }) => !undone || takenBack.has(entry.commit));
}

/** Where not all that leads nowhere is chosen, none of it is in the files. What was done by hand is never chosen. */
function withoutStrayVoid(chosen: readonly PendingEntry[], entries: readonly PendingEntry[]): PendingEntry[] {
  const ids = new Set(chosen.map(({ entry }) => entry.commit));
  const left = entries.filter(({ entry }) => !ids.has(entry.commit) && !isOutside(entry.meta!.op));
  const strays = new Set(left.flatMap(one => [...one.void]));
  const kept = chosen.map(one => ({
    ...one,
    paths: one.paths.filter(path => !(one.void.has(path) && strays.has(path))),
  }));
  return kept.filter(one => one.paths.length > 0);
}

function nothingToLand({ session, agent, paths, commits }: LandSelection): EditError {
  const by = session === undefined ? '' : ` of session ${session}`;
  const whose = by + (agent === undefined ? '' : ` by ${agent}`) + (paths ? ` in ${listedSome(paths)}` : '');
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
  const outside = new Set(chosen.filter(({ entry }) => isOutside(entry.meta!.op)));
  const standing = new Set(standingEdits(chosen));
  return straightPicks(chosen.filter(one => outside.has(one) || standing.has(one)));
}
