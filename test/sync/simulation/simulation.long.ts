/** Prints the table of docs/hosts.md: hosts of one trail in virtual time. */

import { expect, it } from 'vitest';
import { type Outcome, Simulation, type World } from './hosts.ts';

const DOCUMENTS = [1, 30, 1000];

/** One row: the number of documents decides on conflicts alone. */
function row(
  away: string,
  world: Omit<World, 'documents'>,
  documents: readonly number[] = DOCUMENTS,
): string {
  const outcomes = documents.map(count => new Simulation({ ...world, documents: count }).run());
  const { edits, there, pushes, outrun, median, late } = outcomes.at(-1)!;
  expect(there).toBeLessThanOrEqual(edits);
  const aside = (one: Outcome): string => `${((100 * one.aside) / one.edits).toFixed(1)} %`;
  const cells = [
    away,
    world.hosts,
    `${world.interval / 1000} s`,
    (there / world.seconds).toFixed(1),
    (pushes / world.seconds).toFixed(1),
    pushes === 0 ? '-' : (outrun / pushes).toFixed(1),
    `${median.toFixed(1)} s, ${late.toFixed(1)} s`,
    ...DOCUMENTS.map(count => (documents.includes(count) ? aside(outcomes[documents.indexOf(count)]!) : '')),
  ];
  return `| ${cells.join(' | ')} |`;
}

it('prints the table', () => {
  const rows: string[] = [];
  for (const roundTrip of [10, 50, 200])
    for (const hosts of [4, 16, 64, 256]) {
      const world = { hosts, roundTrip, rate: 1, seconds: 120 };
      rows.push(row(`${roundTrip} ms`, { ...world, interval: 1_000 }));
      // Five syncs a second of all hosts together.
      if (hosts > 16) rows.push(row(`${roundTrip} ms`, { ...world, interval: hosts * 200, seconds: 300 }));
    }
  // Six pushes a minute for all hosts together.
  for (const hosts of [4, 16, 64])
    rows.push(
      row('GitHub', { hosts, roundTrip: 100, rate: 1, interval: hosts * 10_000, seconds: 1_800 }, [30, 1000]),
    );
  console.log(`\n${rows.join('\n')}\n`);
}, 3_600_000);
