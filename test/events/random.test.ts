/** Random work of agents and git: a reader that goes on from random cursors is told of each commit once, parents first. */

import { expect, it } from 'vitest';
import type { TrailEvent } from '../../src/index.ts';
import { ownRepo, type Place, personRepo } from '../helpers/person-repo.ts';
import { all } from './follower.ts';

/** Mulberry32. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return below => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) % below;
  };
}

/** One step of somebody; what git refuses is not done. */
async function step(repo: Place, random: (below: number) => number, n: number): Promise<void> {
  const git = (...args: string[]): void => {
    try {
      repo.git(...args);
    } catch {
      // As a switch to a branch that there is not.
    }
  };
  const edit = async (): Promise<void> => {
    const session = await repo.session(`s${random(3)}`);
    await session.edit('create', { path: `f${n}.txt`, file_text: `${n}\n` });
    if (random(4) === 0) await session.undo();
    await repo.close();
  };
  const branch = `b${random(3)}`;
  const kinds: Array<() => Promise<void> | void> = [
    edit,
    edit,
    edit,
    () => git('commit', '-q', '--allow-empty', '-m', `by hand ${n}`),
    () => git('commit', '-q', '--amend', '--allow-empty', '-m', `amended ${n}`),
    () => git('switch', '-q', '-c', branch),
    () => git('switch', '-q', branch),
    () => git('switch', '-q', 'main'),
    () => git('branch', '-D', branch),
    () => git('merge', '-q', '--no-edit', branch),
    () => git('pack-refs', '--all'),
    () => git('gc', '-q'),
    () => git('update-ref', '-d', `refs/vedit/${branch}`),
  ];
  await kinds[random(kinds.length)]!();
}

const toldIn = (events: readonly TrailEvent[]): string[] =>
  events.flatMap(({ commit, kind }) => (commit && kind !== 'deleted' && kind !== 'rewound' ? [commit] : []));

/** The engine's commits that any ref leads to. */
function made(repo: Place): string[] {
  const lines = repo.git('log', '--all', '--format=%H %(trailers:key=Vedit-Op,valueonly,separator=%x2C)');
  return lines.split('\n').flatMap(line => (line.split(' ')[1] ? [line.split(' ')[0]!] : []));
}

it.each([
  [1, false],
  [2, false],
  [3, true],
  [4, true],
  [5, false],
  [6, true],
  [7, false],
  [8, true],
])(
  'once each, of seed %i, with the trail on the branch: %s',
  async (seed, own) => {
    const repo = (own ? ownRepo : personRepo)({ 'a.txt': 'a\n' });
    const random = randomOf(seed);
    const workspace = await repo.open();
    const told: string[] = [];
    let cursor: string | undefined = 'start';
    for (let n = 0; n < 40; n++) {
      await step(repo, random, n);
      if (random(3) > 0) continue;
      const reader = await repo.open();
      const events = await all(reader, cursor);
      // The reader was killed somewhere: what it had not handled yet comes again, and nothing else.
      const kept = events.slice(0, random(events.length + 1));
      const rest = await all(reader, kept.at(-1)?.cursor ?? cursor);
      expect(toldIn([...kept, ...rest])).toEqual(toldIn(events));
      told.push(...toldIn(events));
      cursor = events.at(-1)?.cursor ?? cursor;
      expect(made(repo).filter(one => !told.includes(one))).toEqual([]);
      await repo.close();
    }
    expect(told.length).toBe(new Set(told).size);
    await workspace.close();
  },
  60_000,
);
