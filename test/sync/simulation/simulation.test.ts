/** The simulation of many hosts keeps the promises that the figures of docs/hosts.md are about. */

import { expect, it } from 'vitest';
import { Simulation, type World } from './hosts.ts';
import { type Process, VirtualTime } from './virtual-time.ts';

const WORLD: World = { hosts: 6, documents: 3, roundTrip: 50, rate: 3, interval: 300, seconds: 20 };

it('runs processes in the order of their times', () => {
  const said: string[] = [];
  const time = new VirtualTime();
  function* process(name: string, ...waits: number[]): Process {
    for (const wait of waits) {
      yield wait;
      said.push(`${name} ${time.now}`);
    }
  }
  time.start(process('a', 5, 5, 1));
  time.start(process('b', 3, 7));
  time.run(10);
  expect(said).toEqual(['b 3', 'a 5', 'b 10', 'a 10']);
  time.run(11);
  expect(said.at(-1)).toBe('a 11');
});

it('ends with the same texts everywhere, and each edit is there once or was put aside', () => {
  const simulation = new Simulation(WORLD);
  const outcome = simulation.run();
  expect(simulation.settle()).toBe(true);
  for (const host of simulation.hosts) expect(host.own).toEqual(simulation.server.documents);
  expect(outcome.edits).toBeGreaterThan(200);
  const lines = new Set(simulation.server.documents.flatMap(text => text.split('\n')));
  for (const { host, there, isAside, before, after } of simulation.edits) {
    expect(there).not.toBeNull();
    const line = after.split('\n').find((one, n) => one !== before.split('\n')[n])!;
    // What was put aside is in no text; what is not there was written over by a later edit.
    if (isAside) expect([host, lines.has(line)]).toEqual([host, false]);
  }
  expect(outcome.aside).toBeGreaterThan(0);
});

it('has fewer conflicts with more documents, and is the same each time', () => {
  const one = new Simulation(WORLD).run();
  expect(new Simulation(WORLD).run()).toEqual(one);
  expect(new Simulation({ ...WORLD, documents: 100 }).run().aside).toBeLessThan(one.aside / 3);
});

it.each([1, 100])('hosts %i ms away that wait for the server with each edit have their turns', roundTrip => {
  const world = { hosts: 2, documents: 30, roundTrip, rate: 1, interval: 0, seconds: 300, waits: true };
  const { byHost, gaveUp, edits } = new Simulation(world).run();
  const [least, most] = byHost.map(({ there }) => there).sort((a, b) => a - b);
  expect([gaveUp < edits / 500, least! > most! / 2]).toEqual([true, true]);
  // Who is alone is not held up.
  const alone = new Simulation({ ...world, hosts: 1 }).run();
  expect(alone.median).toBeLessThan((4 * roundTrip + 60) / 1000);
});
