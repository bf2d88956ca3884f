import { describe, expect, it } from 'vitest';
import { bootId } from '../../../src/fs/node/proc.ts';
import { nodeProcesses } from '../../../src/fs/node/processes.ts';

const processes = nodeProcesses();
const NOBODY = 2 ** 22 - 3;

describe('this process', () => {
  it('lives, and is itself', () => {
    expect(processes.isAlive(processes.self, 'local')).toBe(true);
    expect(nodeProcesses()).toBe(processes);
    expect(nodeProcesses({ brief: true })).not.toBe(processes);
  });

  it.each([
    ['another boot', { boot: 'another' }],
    ['no boot that can be read', { boot: null }],
    ['another namespace', { space: 'pid:[1] time:[1]' }],
    ['no namespace that can be told', { space: null }],
  ])('nothing can be told of one of %s', (_, changes) => {
    expect(processes.isAlive({ ...processes.self, pid: NOBODY, ...changes }, 'local')).toBe(null);
  });

  it('nothing can be told on a disk that machines share: clones of one have the same names', () => {
    expect(processes.isAlive({ ...processes.self, pid: NOBODY }, 'other')).toBe(null);
    expect(processes.isAlive({ ...processes.self, pid: NOBODY }, 'layered')).toBe(false);
  });

  it('what cannot be read equals nothing', () => {
    const blind = { ...processes.self, boot: null };
    expect(processes.isAlive(blind, 'local')).toBe(null);
  });

  it('tokens never come twice', () => {
    const all = Array.from({ length: 100 }, () => processes.newToken());
    expect(new Set(all).size).toBe(100);
    for (const token of all) expect(token).toMatch(/^[0-9a-f]{24}$/);
  });

  it.runIf(process.platform === 'linux')('knows the boot and what a folder lies on', () => {
    expect(bootId()).toMatch(/^[0-9a-f-]{36}$/);
    expect(processes.diskOf('/proc')).toBe('other');
    expect(processes.diskOf('/nowhere/at/all')).toBe('other');
    expect(processes.diskOf('/dev/shm')).toBe('local');
  });
});
