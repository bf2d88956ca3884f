/** Prints the table of docs/many-machines.md: hosts of one trail in virtual time. */

import { expect, it } from 'vitest';
import { Simulation, type World } from './hosts.ts';

const SECONDS = 120;

function row(name: string, world: World): string {
  const { edits, there, aside, pushes, outrun, gaveUp, median, late } = new Simulation(world).run();
  expect(there).toBeLessThanOrEqual(edits);
  const cells = [
    name,
    world.hosts,
    world.documents,
    (there / world.seconds).toFixed(1),
    (pushes / world.seconds).toFixed(1),
    pushes === 0 ? '-' : (outrun / pushes).toFixed(1),
    gaveUp,
    `${((100 * aside) / edits).toFixed(1)} %`,
    `${median.toFixed(1)} / ${late.toFixed(1)}`,
  ];
  return `| ${cells.join(' | ')} |`;
}

it('prints the table', () => {
  const rows: string[] = [];
  for (const roundTrip of [10, 50, 200])
    for (const hosts of [4, 16, 64, 256])
      for (const documents of [1, 30, 1000]) {
        const world = { hosts, documents, roundTrip, rate: 1, interval: 1_000, seconds: SECONDS };
        rows.push(row(`${roundTrip} ms`, world));
      }
  // Six pushes a minute for all hosts together.
  for (const hosts of [4, 16, 64]) {
    const world = {
      hosts,
      documents: 1000,
      roundTrip: 100,
      rate: 1,
      interval: hosts * 10_000,
      seconds: 1_800,
    };
    rows.push(row('GitHub', world));
  }
  console.log(`\n${rows.join('\n')}\n`);
}, 3_600_000);
