/** As which commits a landing is made: one for all, or one for each edit. */

import { landsOf } from '../history/landing/lands.ts';
import type { Lands } from '../history/landing/lands-trailer.ts';
import { type Recorded, sameRecorded } from '../history/steps.ts';
import type { TrailEntry, TrailRow } from '../history/walk.ts';
import type { LandContents, PathContents } from './contents.ts';
import { changesOf, type LandedFile } from './land-files.ts';
import { formatLandMessage } from './message.ts';
import type { LandRequest } from './request.ts';
import type { LandWork } from './work.ts';

export interface LandCommit {
  edits: TrailEntry[];
  changes: PathContents;
  lands: Lands[];
  message: string;
  /** When it was edited, where the commit is one edit. Seconds since 1970. */
  time: number | null;
}

/** Plans one commit for all. `whole`: the edits that it is said to land. */
export async function squashed(
  { request, rows, chosen }: LandWork,
  {
    landed,
    changes,
    whole,
  }: { landed: readonly LandedFile[]; changes: PathContents; whole: readonly TrailRow[] },
): Promise<LandCommit> {
  const lands = new Set(landed.flatMap(one => [...one.lands]));
  const own = chosen.filter(({ commit }) => lands.has(commit));
  // A way back alone may bring what somebody else wrote.
  const edits: TrailEntry[] = [];
  for (const row of own.length > 0 ? own : whole) edits.push(await row.entry());
  const named = landsOf(rows, new Set(whole.map(({ commit }) => commit)));
  return withMessage({ edits, changes, lands: named, time: null }, request);
}

/** Plans one commit for each edit; the last one accounts also for those that change nothing by themselves. */
export async function singles(
  { request, rows, chosen, files, contents }: LandWork,
  whole: readonly TrailRow[],
): Promise<LandCommit[]> {
  const parts: Array<Omit<LandCommit, 'message'>> = [];
  const taken = new Set<string>();
  const left = new Set(whole.map(({ commit }) => commit));
  let before: PathContents = new Map();
  for (const row of chosen) {
    taken.add(row.commit);
    const landed: LandedFile[] = [];
    for (const file of files) landed.push(await file.land(request, commit => taken.has(commit)));
    const now = changesOf(landed);
    const changes = changedBetween(contents, before, now);
    before = now;
    if (changes.size === 0) continue;
    const lands = left.delete(row.commit) ? [{ after: null, last: row.commit }] : [];
    parts.push({ edits: [await row.entry()], changes, lands, time: row.time });
  }
  parts.at(-1)?.lands.push(...landsOf(rows, left));
  return parts.map(part => withMessage(part, request));
}

function withMessage(commit: Omit<LandCommit, 'message'>, request: LandRequest): LandCommit {
  const { edits, changes, lands } = commit;
  const { message, coAuthors = [] } = request;
  const words = formatLandMessage({ edits, paths: [...changes.keys()], lands, message, coAuthors });
  return { ...commit, message: words };
}

/** Returns what changes from one state of the landing to the next. */
function changedBetween(contents: LandContents, before: PathContents, now: PathContents): PathContents {
  const changed = new Map<string, Recorded>();
  for (const path of new Set([...before.keys(), ...now.keys()])) {
    const [old, next] = [before, now].map(one => (one.has(path) ? one : contents.before).get(path) ?? null);
    if (!sameRecorded(old!, next!)) changed.set(path, next!);
  }
  return changed;
}

/** Returns for each commit all paths that it and those before it changed, as it leaves them. */
export function statesOf(commits: ReadonlyArray<Pick<LandCommit, 'changes'>>): PathContents[] {
  let now: PathContents = new Map();
  return commits.map(({ changes }) => {
    now = new Map([...now, ...changes]);
    return now;
  });
}
