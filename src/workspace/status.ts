/** How the workspace stands: trail, head, what changed outside the engine, and work that a crash interrupted. */

import { orNull } from '../git/fs.ts';
import { readJournal } from '../git/journal.ts';
import { parseOwner } from '../git/owner.ts';
import { preflight } from '../git/preflight.ts';
import { readTrail, type TrailHead } from '../trail/head.ts';
import { walkTrail } from '../trail/walk.ts';
import type { Answer } from './answer.ts';
import { type Context, fromTrail } from './context.ts';
import { Snapshot } from './snapshot.ts';

/** Outside changes are looked for among the paths of so many commits, however long the trail is. */
const COMMITS = 1_000;

export async function status(context: Context): Promise<Answer> {
  const { repo } = context;
  await preflight(repo);
  const trail = await readTrail(repo, context.objects, context.trailName);
  const { outside, checked } = await outsideChanges(context, trail);
  const interrupted = (await readJournal(context.fs, context.codec, context.folder)).kind === 'whole';
  const holder = await lockHolder(context);
  const data = {
    trail: trail.ref,
    checked_out: trail.checkedOut,
    head: trail.oid,
    branch_head: trail.head,
    behind_head: !trail.checkedOut && trail.oid !== null && trail.head !== trail.seen,
    outside,
    checked_paths: checked,
    interrupted,
    locked_by: holder,
  };
  return { message: words(data), data };
}

interface OutsideChange {
  path: string;
  kind: 'modified' | 'deleted' | 'created';
}

async function outsideChanges(
  context: Context,
  trail: TrailHead,
): Promise<{ outside: OutsideChange[]; checked: number }> {
  const snapshot = new Snapshot(context, trail);
  const paths = new Set<string>();
  for await (const entry of walkTrail(context.objects, trail.oid, {
    ownOnly: !trail.checkedOut,
    limit: COMMITS,
  })) {
    for (const path of entry.meta?.paths ?? []) paths.add(path);
  }
  const outside: OutsideChange[] = [];
  for (const path of context.store.separate ? [...paths].sort() : []) {
    const change = await outsideChange(snapshot, path);
    if (change) outside.push(change);
  }
  return { outside, checked: paths.size };
}

async function outsideChange(snapshot: Snapshot, path: string): Promise<OutsideChange | null> {
  const own = fromTrail(snapshot.context, path);
  if (own === null) return null;
  const recorded = await snapshot.recorded(own);
  if (await snapshot.isLeftOut(own)) return null;
  const present = await snapshot.file(own).catch(() => null);
  if (await snapshot.conversion.holds(own, present, recorded)) return null;
  return { path: own, kind: !present ? 'deleted' : recorded ? 'modified' : 'created' };
}

async function lockHolder(context: Context): Promise<{ pid: number; host: string } | null> {
  const bytes = await orNull(context.fs.readFile(`${context.folder}/lock`));
  const owner = bytes && parseOwner(new TextDecoder().decode(bytes));
  return owner && context.processes.isAlive(owner) ? { pid: owner.pid, host: owner.host } : null;
}

function words(data: {
  trail: string;
  head: string | null;
  outside: OutsideChange[];
  interrupted: boolean;
  behind_head: boolean;
  checked_out: boolean;
}): string {
  const lines = [
    `trail ${data.trail}${data.checked_out ? ' (checked out)' : ''} at ${data.head?.slice(0, 12) ?? 'nothing yet'}`,
  ];
  if (data.behind_head) lines.push('HEAD moved since; the next edit brings the trail up to it');
  if (data.outside.length === 0) lines.push('no outside changes in the files that were edited');
  for (const { path, kind } of data.outside) lines.push(`outside: ${kind} ${path}`);
  if (data.interrupted) lines.push('an edit was interrupted; the next edit finishes it or takes it back');
  return lines.join('\n');
}
