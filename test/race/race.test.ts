/** The short forms of the races. */

import { describe, expect, it } from 'vitest';
import { checked } from '../crash/scenario-tests.ts';
import { raceProcesses, raceUnawaited } from './many-agents.ts';
import { everyday, pruning, raceNative } from './native.ts';

describe.each([
  ['on the branch', true],
  ['beside the branch', false],
])('nothing is lost %s', (_, own) => {
  it('when processes edit at the same time', () =>
    checked('processes', tally => raceProcesses(own, 4, 10, tally)));
  it('when nobody waits for an answer', () => checked('unawaited', tally => raceUnawaited(own, 40, tally)));
  it('when git works in the same repository', () =>
    checked('native git', async tally => {
      const { ran, locked } = await raceNative(own, everyday, 12, 100, tally);
      expect(locked).toBeLessThan(ran / 2);
    }));
  it('when git collects garbage all the time', () =>
    checked('gc', async tally => void (await raceNative(own, pruning, 20, 0, tally))));
});
