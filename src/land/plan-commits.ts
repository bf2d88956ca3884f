/** As which commits a landing is made: one for all, or one for each edit. */

import type { Context } from '../engine/context.ts';
import type { Snapshot } from '../engine/files/snapshot.ts';
import { landsOf } from '../trail/landing/lands.ts';
import type { Lands } from '../trail/landing/lands-trailer.ts';
import { type Recorded, sameRecorded } from '../trail/steps.ts';
import type { TrailEntry, TrailRow } from '../trail/walk.ts';
import type { LandContents, PathContents } from './contents.ts';
import {
  changesBy,
  type LandChoice,
  type LandedFile,
  type LandFile,
  type LandTerms,
  type LeftOut,
} from './land-files.ts';
import type { OmittedWork } from './stays-behind.ts';
import type { LandTarget } from './target.ts';

export interface LandCommit {
  edits: TrailEntry[];
  changes: PathContents;
  lands: Lands[];
  message: string;
  /** When it was edited, where the commit is one edit. Seconds since 1970. */
  time: number | null;
}

export interface Work {
  context: Context;
  snapshot: Snapshot;
  target: LandTarget;
  /** The trail's commits about the files, oldest first. */
  rows: readonly TrailRow[];
  chosen: readonly TrailRow[];
  files: readonly LandFile[];
  contents: LandContents;
  wish: LandTerms;
  choice: LandChoice;
  /** Edits of which something is open before the landing. */
  open: readonly TrailEntry[];
}

export interface Planned extends Work {
  landed: readonly LandedFile[];
  /** The paths at which the branch will differ from what it holds now, with their new contents. */
  changes: PathContents;
  /** The edits that the person took back in the files, and that stay behind therefore. */
  discarded: OmittedWork[];
  /** Rejected text that is back in the files, and stays behind. */
  leftOut: LeftOut[];
  /** The chosen edits of which all lands, or lies behind it. */
  whole: readonly TrailRow[];
}

export type Bare = Omit<LandCommit, 'message'>;

export async function squashed({ rows, chosen, landed, changes, whole }: Planned): Promise<Bare> {
  const lands = new Set(landed.flatMap(one => [...one.lands]));
  const own = chosen.filter(({ commit }) => lands.has(commit));
  // A way back alone may bring what somebody else wrote.
  const edits: TrailEntry[] = [];
  for (const row of own.length > 0 ? own : whole) edits.push(await row.entry());
  return { edits, changes, lands: landsOf(rows, new Set(whole.map(({ commit }) => commit))), time: null };
}

/** Plans one commit for each edit; the last one accounts also for those that change nothing by themselves. */
export async function singles(plan: Planned): Promise<Bare[]> {
  const { chosen, files, wish, choice, rows, whole } = plan;
  const parts: Bare[] = [];
  const taken = new Set<string>();
  let before: PathContents = new Map();
  for (const row of chosen) {
    taken.add(row.commit);
    const landed: LandedFile[] = [];
    const part = { ...wish, takes: (commit: string): boolean => taken.has(commit) };
    for (const file of files) landed.push(await file.land(part, { ...choice, lists: false }));
    const now = changesBy(landed);
    const changes = changedBetween(plan.contents, before, now);
    if (changes.size > 0) parts.push({ edits: [await row.entry()], changes, lands: [], time: row.time });
    before = now;
  }
  const own = new Set(parts.flatMap(({ edits }) => edits.map(({ commit }) => commit)));
  const isWhole = new Set(whole.map(({ commit }) => commit));
  const rest = landsOf(rows, new Set([...isWhole].filter(commit => !own.has(commit))));
  return parts.map((part, at) => ({
    ...part,
    lands: [
      ...(isWhole.has(part.edits[0]!.commit) ? [{ after: null, last: part.edits[0]!.commit }] : []),
      ...(at === parts.length - 1 ? rest : []),
    ],
  }));
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
export function statesOf(commits: readonly Bare[]): PathContents[] {
  let now: PathContents = new Map();
  return commits.map(({ changes }) => {
    now = new Map([...now, ...changes]);
    return now;
  });
}
