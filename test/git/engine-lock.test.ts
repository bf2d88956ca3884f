import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sweepLocks, takeEngineLock } from '../../src/git/engine-lock.ts';
import { nodeFs } from '../../src/git/native/node-fs.ts';
import { nodeProcesses } from '../../src/git/native/processes.ts';
import { type Owner, onlyProcess, randomToken } from '../../src/git/owner.ts';

const fs = nodeFs();
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vedit-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const take = (processes = nodeProcesses(), patience = 100) =>
  takeEngineLock({ fs, processes, folder, patience });

function deadOwner(): Owner {
  return { ...nodeProcesses().self(), pid: 2 ** 22 - 3, started: '1', token: randomToken() };
}

describe('the engine lock', () => {
  it('names its holder and goes away', async () => {
    const lock = await take();
    expect(JSON.parse(readFileSync(join(folder, 'lock'), 'utf8'))).toMatchObject({
      pid: process.pid,
      token: lock.owner.token,
    });
    await lock.release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('waits for a living holder, then refuses with the holder', async () => {
    await take();
    await expect(take()).rejects.toMatchObject({
      code: 'LOCKED',
      retryable: true,
      data: { holder: { pid: process.pid } },
    });
  });

  it('is taken when the holder lets go in time', async () => {
    const first = await take();
    setTimeout(() => void first.release(), 30);
    expect((await take(nodeProcesses(), 5000)).brokeDead).toBe(false);
  });

  it.each([
    ['another start of the machine', (owner: Owner) => ({ ...owner, pid: process.pid, boot: 'other' })],
    ['a process that is gone', (owner: Owner) => owner],
    ['a process whose pid is used again', (owner: Owner) => ({ ...owner, pid: process.pid })],
  ])('is taken over from %s', async (_who, change) => {
    writeFileSync(join(folder, 'lock'), JSON.stringify(change(deadOwner())));
    const lock = await take();
    expect(lock.brokeDead).toBe(true);
    await lock.release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is not taken over from another machine', async () => {
    writeFileSync(join(folder, 'lock'), JSON.stringify({ ...deadOwner(), host: 'elsewhere' }));
    await expect(take()).rejects.toMatchObject({ code: 'LOCKED' });
  });

  it('is never held by two, though all of them saw the same dead owner', async () => {
    for (let round = 0; round < 30; round++) {
      writeFileSync(join(folder, 'lock'), JSON.stringify(deadOwner()));
      let holders = 0;
      await Promise.all(
        Array.from({ length: 6 }, async () => {
          const lock = await take(nodeProcesses(), 5000);
          expect(++holders).toBe(1);
          await new Promise(resolve => setTimeout(resolve, 1));
          holders--;
          await lock.release();
        }),
      );
    }
  });

  it('breaks a guard that a dead process left, and sweeps what lies around', async () => {
    const dead = deadOwner();
    writeFileSync(join(folder, 'lock'), JSON.stringify(dead));
    writeFileSync(join(folder, `lock.break-${dead.token}`), JSON.stringify(deadOwner()));
    writeFileSync(join(folder, `lock.draft-${randomToken()}`), '');
    const processes = onlyProcess();
    const lock = await take(processes, 1000);
    await sweepLocks(fs, processes, folder);
    expect(readdirSync(folder)).toEqual(['lock']);
    await lock.release();
  });
});
