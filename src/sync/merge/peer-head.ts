/**
 * A peer's trail stands on the peer's HEAD. Where that commit is not in the own history and its text is not here either, a
 * merge would bring what the peer committed as uncommitted work: it has to come by the branch first.
 */

import type { Context } from '../../engine/context.ts';
import type { Snapshot } from '../../engine/files/snapshot.ts';
import { EditError } from '../../errors.ts';
import { mergeBases } from '../../git/merge-base.ts';
import { listRefs } from '../../git/refs/ref-list.ts';
import { isAncestor } from '../../git/rev-list.ts';
import { incomingTrail } from '../../trail/history/incoming.ts';
import { fileAt, sameRecorded } from '../../trail/steps.ts';
import { readEntry } from '../../trail/walk.ts';
import { capital, shortId } from '../../wording.ts';

/** The other trail, for messages. */
export interface OtherSide {
  name: string;
  /** The other trail's newest commit. */
  commit: string;
  /** The clone that can push what is missing. */
  owner: string;
}

/**
 * Returns the peer's HEAD where only its text is here (a squash or rebase merge), so that it counts as merged; `null` where the own
 * history has it, or the peer's trail is a branch. Throws STALE.
 */
export async function countedHead({ context, trail }: Snapshot, other: OtherSide): Promise<string | null> {
  const { objects } = context;
  const head = (await readEntry(objects, other.commit)).meta?.head;
  if (head === undefined || (await isAncestor(objects, head, trail.parent!))) return null;
  const bases = await mergeBases(objects, trail.parent!, head);
  const missing = await missingText(context, trail.parent!, head);
  if (bases.length > 0 && missing.length === 0) return head;
  throw await notHere(context, other, head, missing);
}

/** Lists the paths at which the commit has text that is not here. */
async function missingText({ objects }: Context, ours: string, head: string): Promise<string[]> {
  const incoming = await incomingTrail(objects, ours, head, null);
  const { tree } = await readEntry(objects, ours);
  const missing: string[] = [];
  for (const path of incoming.paths) {
    const now = await fileAt(objects, tree, path);
    const merged = await incoming.merge(path, now);
    if ('conflict' in merged || !sameRecorded(merged.recorded, now)) missing.push(path);
  }
  return missing;
}

async function notHere(
  context: Context,
  { name, commit, owner }: OtherSide,
  head: string,
  paths: readonly string[],
): Promise<EditError> {
  const branch = await branchWith(context, head);
  const { subject } = await readEntry(context.objects, head);
  const next =
    branch === null
      ? `no branch of the remote that is known here has it: git fetch and look again, or ask ${owner} to push (git push)`
      : `${branch} has it: git pull (git merge ${branch}), then merge again`;
  const message = `${name} stands on ${shortId(head)} ${JSON.stringify(subject)}, which is not in HEAD's history here, and neither is its text. What was committed there would arrive as uncommitted work, so nothing was merged. ${capital(next)}.`;
  return new EditError('STALE', message, {
    path: paths.length === 1 ? paths[0]! : null,
    paths,
    version: null,
    commit,
    base: head,
    base_version: null,
    diff: null,
    changed_by: [],
    peer_head: head,
    branch,
  });
}

/** Finds a branch of a remote that has the commit, as git shortens it. */
async function branchWith({ repo, objects }: Context, commit: string): Promise<string | null> {
  for (const { name, oid } of await listRefs(repo, 'refs/remotes/').catch(() => []))
    if (!name.endsWith('/HEAD') && (await isAncestor(objects, commit, oid)))
      return name.slice('refs/remotes/'.length);
  return null;
}
