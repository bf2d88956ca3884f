/** All histories of a shape: for each place a set of items, and every combination of them. */

import { type Item, judge, replay, type Tally, type Work } from './histories.ts';
import { ACTS } from './person.ts';
import type { EditSpec } from './plan.ts';

function spec(ref: string, worktree: string, ...changes: string[]): EditSpec {
  return {
    ref,
    worktree,
    changes: changes.map(change => ({ path: change.slice(1), kind: change[0] === '-' ? 'delete' : 'write' })),
  };
}

const HEAD = spec('HEAD', 'w1', '+f');
const TRAIL = spec('trail', 'w1', '+f');

/** On the branch and beside it, several files, a second trail, another work tree, a failing disk. */
const EDITS: readonly EditSpec[] = [
  HEAD,
  TRAIL,
  spec('trail', 'w1', '+h', '-g'),
  spec('HEAD', 'w1', '+h', '-f'),
  spec('second', 'w1', '+f'),
  spec('HEAD', 'w2', '+f'),
  spec('trail', 'w2', '+g'),
  { ...HEAD, fails: 'append' },
  { ...TRAIL, fails: 'sync' },
];
const WORKS: readonly Work[] = [...EDITS, 'checkpoint'];
const PERSON = Object.keys(ACTS).filter(act => !act.startsWith('gc '));
/** More than the longest work has; what is beyond its end is passed over. */
const STEPS = Array.from({ length: 30 }, (_, at) => at);

type Place =
  | 'work'
  | 'checkpoint'
  | 'killed-checkpoint'
  | 'failed-edit'
  | 'plain'
  | 'gc-marks'
  | 'gc-removes'
  | 'beside-create'
  | 'act'
  | 'beside'
  | 'kill'
  | 'stop'
  | 'wake'
  | 'cut';

function besideOf(work: Work): Item[] {
  return STEPS.flatMap(at => PERSON.map((act): Item => ({ kind: 'work', work, at, act })));
}

/** By name, what one place of a history may hold. */
const PLACES: Readonly<Record<Place, readonly Item[]>> = {
  /** An edit or checkpoint to its end. */
  work: WORKS.map((work): Item => ({ kind: 'work', work })),
  checkpoint: [{ kind: 'work', work: 'checkpoint' }],
  'killed-checkpoint': STEPS.map((at): Item => ({ kind: 'kill', work: 'checkpoint', at })),
  'failed-edit': EDITS.filter(({ fails }) => fails).map((work): Item => ({ kind: 'work', work })),
  /** The two plainest edits. */
  plain: [HEAD, TRAIL].map((work): Item => ({ kind: 'work', work })),
  act: PERSON.map((act): Item => ({ kind: 'act', act })),
  /** A work with somebody's act between any two of its steps. */
  beside: WORKS.flatMap(besideOf),
  /** A gc that has looked at the refs between any two steps of an edit, and removes later what it found then. */
  'gc-marks': [HEAD, TRAIL].flatMap(work =>
    STEPS.map((at): Item => ({ kind: 'work', work, at, act: 'gc marks' })),
  ),
  'gc-removes': [{ kind: 'act', act: 'gc removes' }],
  'beside-create': EDITS.filter(({ changes }) => changes.length > 1).flatMap(besideOf),
  kill: WORKS.flatMap(work => STEPS.map((at): Item => ({ kind: 'kill', work, at }))),
  stop: WORKS.flatMap(work => STEPS.map((at): Item => ({ kind: 'stop', work, at }))),
  wake: [{ kind: 'wake' }, ...STEPS.map((steps): Item => ({ kind: 'wake', steps }))],
  cut: (['all', 'oldest'] as const).map((leaves): Item => ({ kind: 'cut', leaves })),
};

/** 'act|work kill': a person's act or a work, then a killed work. */
export type Shape = string;

export interface Search {
  flaws?: readonly string[];
  /** Power cuts tried for each history. */
  cuts: number;
  /** Judge one history of so many. */
  oneOf?: number;
  /** Stop at the first violation. */
  isFirstEnough?: boolean;
}

/** Judges every history of the shapes at its end. */
export function explore(
  shapes: readonly Shape[],
  { flaws = [], cuts, oneOf = 1, isFirstEnough }: Search,
): Tally {
  const tally: Tally = { histories: 0, worlds: 0, found: new Map() };
  const wrong = new Set(flaws);
  let turn = 0;
  const go = (items: readonly Item[], places: readonly string[]): void => {
    const [place, ...later] = places;
    let ended: Work | null = null;
    for (const item of itemsOf(place!)) {
      if ((item.kind === 'kill' || item.kind === 'stop') && item.work === ended) continue;
      if (isFirstEnough && tally.found.size > 0) return;
      if (later.length === 0 && turn++ % oneOf !== 0) continue;
      const next = [...items, item];
      const run = replay(next, wrong);
      // A work that ends before this step ends before all later ones.
      if (!run && (item.kind === 'kill' || item.kind === 'stop')) ended = item.work;
      if (!run) continue;
      if (later.length > 0) go(next, later);
      else judge(next, run, cuts, tally);
    }
  };
  for (const shape of shapes) go([], shape.split(' '));
  return tally;
}

function itemsOf(place: string): Item[] {
  return place.split('|').flatMap(name => [...PLACES[name as Place]]);
}
