/**
 * Landing takes what is there. What the person took back by hand is no part of it, edits that were made on top of that land
 * without it, and text of the person's own stays uncommitted: each path that they touched lands by the weave of its edits.
 */

import { utf8 } from '../../bytes.ts';
import { gitName } from '../../c-quote.ts';
import { EditError } from '../../errors.ts';
import type { Revised } from '../../text/diff/weave.ts';
import type { CherryPicker, Pick, PickStep } from '../../trail/history/cherry-pick.ts';
import type { PendingEntry } from '../../trail/open-edits.ts';
import type { Recorded } from '../../trail/steps.ts';
import { type Context, fromTrail } from '../context.ts';
import { handOn, type PathByHand, sidesOf } from '../files/by-hand.ts';
import type { Snapshot } from '../files/snapshot.ts';

/** By path, as the trail records it. */
export type Hands = ReadonlyMap<string, PathByHand>;

/** What the person did to the paths of these edits. `entries`: all that is pending, oldest first. */
export async function handsOf(
  snapshot: Snapshot,
  entries: readonly PendingEntry[],
  chosen: readonly PendingEntry[],
): Promise<Hands> {
  const hands = new Map<string, PathByHand>();
  const about = byPath(entries);
  for (const path of new Set(chosen.flatMap(one => one.paths))) {
    const hand = await handOn(snapshot, path, about.get(path) ?? []);
    if (hand) hands.set(path, hand);
  }
  return hands;
}

function byPath(entries: readonly PendingEntry[]): Map<string, PendingEntry[]> {
  const found = new Map<string, PendingEntry[]>();
  for (const one of entries) {
    for (const path of one.paths) {
      const there = found.get(path);
      if (there) there.push(one);
      else found.set(path, [one]);
    }
  }
  return found;
}

/** A place that the person revised, and the path that it is in. */
export interface RevisedPlace extends Revised {
  path: string;
}

export interface HandPicks {
  picks: Pick[];
  revised: RevisedPlace[];
}

/**
 * The picks with the steps that they have where the person touched the path. What cannot land without another edit, or
 * without the person's own text, is a conflict of the picker.
 */
export async function picksByHand(
  snapshot: Snapshot,
  picker: CherryPicker,
  picks: readonly Pick[],
  entries: readonly PendingEntry[],
  hands: Hands,
): Promise<HandPicks> {
  const found: HandPicks = {
    picks: picks.map(one => ({ ...one, instead: new Map<string, PickStep>() })),
    revised: [],
  };
  const landed = entries.filter(one => one.landed).map(one => one.entry.commit);
  for (const hand of hands.values()) {
    const own = found.picks.filter(one => one.paths.includes(hand.path));
    if (!hand.weave || own.length === 0) continue;
    const edits = new Set([...landed, ...own.map(one => one.entry.commit)]);
    for (const edit of hand.weave.unfounded(edits))
      picker.conflicts.push({ path: hand.path, commit: edit, regions: [] });
    found.revised.push(...hand.weave.revised(edits).map(one => ({ ...one, path: hand.path })));
    await addSteps(snapshot, picker, hand, own, landed);
  }
  return found;
}

/** From what the path is with the edits so far to what it is with one more. */
async function addSteps(
  snapshot: Snapshot,
  picker: CherryPicker,
  { path, weave, base, isModeBack }: PathByHand,
  picks: readonly Pick[],
  landed: readonly string[],
): Promise<void> {
  const edits = new Set(landed);
  const recorded = async (mode: string | undefined): Promise<Recorded> => {
    const text = weave!.text(edits);
    return text == null ? null : { mode: mode ?? '100644', oid: await picker.keep(utf8(text)) };
  };
  let from = await recorded(base?.mode);
  for (const { entry, instead } of picks) {
    edits.add(entry.commit);
    const { before, after } = await sidesOf(snapshot, path, entry);
    const to = await recorded(isModeBack ? base?.mode : (after?.mode ?? before?.mode));
    (instead as Map<string, PickStep>).set(path, { from, to });
    from = to;
  }
}

/** The person's own changes of the file on top of what the trail has, for a landing that takes them in. */
export async function ownSteps(
  snapshot: Snapshot,
  picker: CherryPicker,
  hands: Hands,
): Promise<Map<string, PickStep>> {
  const steps = new Map<string, PickStep>();
  for (const { path, file, isChanged } of hands.values()) {
    if (!isChanged || file === undefined) continue;
    const name = fromTrail(snapshot.context, path);
    const to = file && { mode: file.mode, oid: await picker.keep(file.bytes) };
    steps.set(path, { from: name === null ? null : await snapshot.recorded(name), to });
  }
  return steps;
}

/** So many places are named. */
const NAMED = 10;

export function revisedConflict(context: Context, revised: readonly RevisedPlace[]): EditError {
  const places = revised.slice(0, NAMED).map(({ path, line, edits }) => {
    const which = edits.map(commit => commit.slice(0, 12)).join(', ');
    return `${gitName(fromTrail(context, path) ?? path)} (line ${line}): you changed there a part of what ${which} wrote`;
  });
  const more = revised.length > NAMED ? `; and ${revised.length - NAMED} more places` : '';
  const all = [...new Set(revised.flatMap(one => one.edits))].map(commit => commit.slice(0, 12));
  const ways = `To land it as the files have it, land with what is yours (outside: true, --with-outside); to land it as it was written, name the edits (${all.slice(0, NAMED).join(' ')}).`;
  return new EditError('CONFLICT', `${places.join('; ')}${more}. ${ways} Nothing was committed.`, {
    revised: revised.map(one => ({ ...one, path: fromTrail(context, one.path) ?? one.path })),
  });
}
