/** Checks that a merge is what it says: what came in is worked out again, path by path. */

import type { ObjectDatabase } from '../../git/objects/object-database.ts';
import { type Incoming, incomingEdits, incomingTrail } from '../history/incoming.ts';
import { blobsOf, type Made, type Merged, mergeStep } from '../history/merge-steps.ts';
import { Replay } from '../history/replay.ts';
import { aboutPath, readAboutPath } from '../message.ts';
import { fileAt, plainEntry, type Recorded, sameRecorded } from '../steps.ts';
import { readEntry, type TrailEntry } from '../walk.ts';
import { wrongFrom } from './verify-back.ts';

/** The further parents that the merge has to have: the trail that it takes as a whole. */
export function mergedParents({ meta }: TrailEntry): string[] {
  const merges = meta?.merges;
  return merges === undefined || merges.includes('..') ? [] : [merges];
}

/** The paths at which it holds something else than its two sides make. Throws CORRUPT where a side cannot be read. */
export function wrongMerge(objects: ObjectDatabase, entry: TrailEntry): Promise<string[]> {
  return wrongFrom(objects, entry.parents[0]!, base => wrongOn(objects, entry, base));
}

async function wrongOn(objects: ObjectDatabase, entry: TrailEntry, base: TrailEntry): Promise<string[]> {
  const incoming = await incomingOf(objects, entry, base.commit);
  if (!incoming) return [...entry.meta!.paths];
  const before = await readEntry(objects, entry.parents[0]!);
  const kept = new Map((entry.meta!.keeps ?? []).map(readAboutPath).map(({ what, path }) => [path, what]));
  const wrong: string[] = [];
  const { merges } = entry.meta!;
  const isReplayed = merges !== undefined && [...kept.values()].includes('server');
  const replay = isReplayed ? await Replay.of(objects, base.commit, merges) : null;
  for (const path of new Set([...incoming.paths, ...entry.meta!.paths])) {
    const [ours, now, found] = await Promise.all(
      [base, before, entry].map(({ tree }) => fileAt(objects, tree, path)),
    );
    const keep = kept.get(path);
    let expected: Recorded | undefined = now!;
    if (keep === undefined) expected = await expectedAt(objects, incoming, path, { ours: ours!, now: now! });
    // A person made it of both sides; where these can be merged, nobody had to.
    else if (keep === 'resolved')
      expected = 'conflict' in (await incoming.merge(path, ours!)) ? found! : undefined;
    else if (keep === 'theirs') expected = await incoming.theirs(path);
    else if (keep === 'server' && replay)
      expected = await replayedAt(objects, replay, path, { ours: ours!, now: now!, entry });
    if (expected === undefined || !sameRecorded(plainEntry(found!), plainEntry(expected))) wrong.push(path);
  }
  return wrong;
}

/** `undefined` where it does not name the edits that it puts aside. */
async function replayedAt(
  objects: ObjectDatabase,
  replay: Replay,
  path: string,
  { ours, now, entry }: { ours: Recorded; now: Recorded; entry: TrailEntry },
): Promise<Recorded | undefined> {
  const made = await replay.at(path);
  const { recorded, aside } = made;
  const named = new Set(entry.meta!.setsAside);
  if (aside.some(commit => !named.has(aboutPath(commit, path)))) return undefined;
  if (sameRecorded(now, ours)) return recorded;
  const onTop = await mergeOnTop(objects, path, { ours, now, made });
  return 'conflict' in onTop ? recorded : onTop.recorded;
}

async function incomingOf(
  objects: ObjectDatabase,
  { meta }: TrailEntry,
  ours: string,
): Promise<Incoming | null> {
  const { merges = '', counts = null } = meta!;
  const [after, last] = merges.split('..');
  if (last !== undefined) return incomingEdits(objects, after!, last);
  return merges === '' ? null : incomingTrail(objects, ours, merges, counts);
}

/** `undefined` where the sides cannot be merged, so that somebody has to have decided. */
async function expectedAt(
  objects: ObjectDatabase,
  incoming: Incoming,
  path: string,
  { ours, now }: { ours: Recorded; now: Recorded },
): Promise<Recorded | undefined> {
  const merged = await incoming.merge(path, ours);
  if ('conflict' in merged) return undefined;
  if (sameRecorded(now, ours)) return merged.recorded;
  if (sameRecorded(merged.recorded, ours)) return now;
  const onTop = await mergeOnTop(objects, path, { ours, now, made: merged });
  return 'conflict' in onTop ? undefined : onTop.recorded;
}

/** Merges what came of the two sides into what the path held when the merge was recorded, unsaved work too. */
function mergeOnTop(
  objects: ObjectDatabase,
  path: string,
  { ours, now, made: { recorded, content } }: { ours: Recorded; now: Recorded; made: Made },
): Promise<Merged> {
  const contents = new Map(content && recorded ? [[recorded.oid, content]] : []);
  return mergeStep(blobsOf(objects, contents), now, { path, from: ours, to: recorded });
}
