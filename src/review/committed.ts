/**
 * Finds text that nobody claimed, and a person committed: by landing it, or by a commit of their own while no agent was
 * at work. They claim it with that.
 */

import type { Context } from '../engine/context.ts';
import { readActivity } from '../engine/origins/event-folder.ts';
import { openTrail } from '../engine/trails/open-trail.ts';
import { parseCommit } from '../git/objects/commit.ts';
import { isUnclaimed } from '../history/editors.ts';
import { fileAtCommit, sameRecorded } from '../history/steps.ts';
import { readEntry, walkRows } from '../history/walk.ts';
import { isOutside } from '../operations.ts';
import { claimChanges } from './accept.ts';
import { type Claims, claimOf, readClaims } from './claims.ts';

const MOST_COMMITS = 10_000;

/**
 * Claims, for the workspace's user, the unclaimed text of files of which HEAD holds all that the trail does. `landed`: the
 * person has landed it; else HEAD's commit has to be theirs, and made while no agent was at work.
 */
export async function claimCommitted(context: Context, { landed }: { landed: boolean }): Promise<void> {
  const trail = await openTrail(context);
  if (trail.checkedOut || trail.head === null || trail.tip === null || !context.user) return;
  const open = await openChanges(context, trail.tip);
  if (open.length === 0 || !(landed || (await isPersonsCommit(context, trail.head)))) return;
  const claims: string[] = [];
  for (const { commit, path } of open) {
    const held = await fileAtCommit(context.objects, trail.head, path);
    if (sameRecorded(held, await fileAtCommit(context.objects, trail.tip, path)))
      claims.push(claimOf(commit, path));
  }
  if (claims.length > 0) await claimChanges(context, claims);
}

/** The changes from outside that nobody claims, by path. */
async function openChanges(context: Context, tip: string): Promise<Array<{ commit: string; path: string }>> {
  const found: Array<{ commit: string; path: string }> = [];
  let claims: Claims | null = null;
  for await (const rows of walkRows(context.objects, tip, { ownOnly: true, limit: MOST_COMMITS })) {
    for (const row of rows) {
      if (!isOutside(row.op)) continue;
      const entry = await row.entry();
      if (!isUnclaimed(entry)) continue;
      claims ??= await readClaims(context);
      for (const path of row.paths)
        if (claims.leavesOpen(entry, path)) found.push({ commit: entry.commit, path });
    }
  }
  return found;
}

const SECOND = 1_000_000_000n;

/** True where a person made the commit, by its committer and the whole second in which it was made. */
async function isPersonsCommit(context: Context, head: string): Promise<boolean> {
  const entry = await readEntry(context.objects, head);
  if (entry.meta || entry.author.email !== context.user?.email) return false;
  const { committer } = parseCommit((await context.objects.read(head)).content);
  const from = BigInt(committer.seconds) * SECOND;
  const { turns, calls, clients, forgotten } = await readActivity(context);
  if (committer.email !== context.user.email || (forgotten !== null && from < forgotten)) return false;
  const isThen = (one: { from: bigint; until: bigint | null }): boolean =>
    one.from < from + SECOND && (one.until === null || one.until >= from);
  return ![...turns, ...calls, ...clients].some(isThen);
}
