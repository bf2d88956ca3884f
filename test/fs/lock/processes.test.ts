import { expect, it } from 'vitest';
import { onlyProcess, processesOf } from '../../../src/fs/lock/processes.ts';

it('of a file system that one program alone can see no other run is alive', () => {
  const [one, other] = [onlyProcess(), onlyProcess()];
  expect([one.isAlive(one.self, 'other'), one.isAlive(other.self, 'other')]).toEqual([true, false]);
});

it('two workspaces on one file system are of the same process', () => {
  const [fs, another] = [{}, {}];
  expect(processesOf(fs)).toBe(processesOf(fs));
  expect(processesOf(another)).not.toBe(processesOf(fs));
});
