/** Holds what a way back claims of its base against what it comes to. */

import { checkVersion, checkVersionForm } from '../change/base/base.ts';
import { SinceBase } from '../change/base/since-base.ts';
import { type Stale, staleError } from '../change/base/stale.ts';
import type { Planned } from '../change/planned.ts';
import type { Snapshot } from '../files/snapshot.ts';
import type { Viewer } from '../views.ts';

/** The claim of a way back about its base, and who makes it. */
export interface BackPrecondition {
  /** The name of the operation for messages: `undo`. */
  op: string;
  /** The commit that was the newest when it was decided, as findCommit takes it. */
  base?: string | undefined;
  /** The version of a file that it changes: a blob id, or 4 or more hex digits of one. */
  version?: string | undefined;
  names: readonly string[];
  session: string;
  viewer: Viewer;
}

/** Plans, and holds the plan against the claim. Throws STALE, naming what came since; INVALID_INPUT; what `plan` throws. A conflict stays in the plan. */
export async function planWithPreconditions(
  snapshot: Snapshot,
  claim: BackPrecondition,
  plan: (since: SinceBase | null) => Promise<Planned>,
): Promise<Planned> {
  const since = claim.base === undefined ? null : await SinceBase.read(snapshot, claim, claim.base);
  for (const name of claim.names) await since?.checkName(name);
  if (claim.version !== undefined) checkVersionForm(claim.version);
  const planned = await plan(since);
  // That it conflicts with what came since is told as what came since.
  const paths = planned.conflict?.paths ?? [...planned.targets.keys()];
  await since?.checkPaths(paths);
  await checkVersions(snapshot, claim, paths);
  return planned;
}

/** The most files that are searched for an old version, through their history. */
const SEARCHED = 20;

/** Checks a version, which is about one of several files: the one that has it, else one that had it. */
async function checkVersions(
  snapshot: Snapshot,
  { version, viewer, session }: BackPrecondition,
  paths: readonly string[],
): Promise<void> {
  if (version === undefined) return;
  for (const path of paths) if ((await snapshot.file(path))?.version.startsWith(version)) return;
  let stale: Stale | null = null;
  for (const path of paths.slice(0, SEARCHED)) {
    const present = await snapshot.file(path);
    const found = await checkVersion(snapshot, version, path, present, { viewer, session });
    if (found === null) return;
    if (stale === null || (stale.was === undefined && found.was !== undefined)) stale = found;
  }
  if (stale) throw await staleError(snapshot, stale);
}
