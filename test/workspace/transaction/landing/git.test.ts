/** Whether the git of a landing lives, told from files that others left; test/crash/killed-landing.test.ts has real ones. */

import { mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { encodeLock, type LockFile } from '../../../../src/fs/lock/lock-file.ts';
import type { Processes } from '../../../../src/fs/lock/processes.ts';
import { nodeFs } from '../../../../src/fs/node/node-fs.ts';
import { nodeProcesses } from '../../../../src/fs/node/processes.ts';
import type { ChangeRecord } from '../../../../src/workspace/transaction/journal/record.ts';
import { isByGit, lifeOfGit, sweepLandings } from '../../../../src/workspace/transaction/landing/git.ts';
import { anotherProcess, deadLock, scratch } from '../../../helpers/locks.ts';

const NAME = `${'a1'.repeat(12)}.3`;

class Left {
  readonly folder = scratch();
  readonly land = join(this.folder, 'land');

  constructor() {
    mkdirSync(this.land);
    this.write('.index');
  }

  write(ending: string, content: string | Uint8Array = ''): void {
    writeFileSync(`${this.land}/${NAME}${ending}`, content);
  }

  note(changes: Partial<LockFile>): void {
    this.write('.git', encodeLock(deadLock(changes)));
  }

  /** As of a process that lives. */
  async listen(): Promise<() => Promise<void>> {
    const server = createServer();
    await new Promise<void>(resolve => server.listen(`${this.land}/s`, resolve));
    const { renameSync } = await import('node:fs');
    renameSync(`${this.land}/s`, `${this.land}/${NAME}`);
    const close = (): Promise<void> => new Promise(resolve => server.close(() => resolve()));
    onTestFinished(close);
    return close;
  }

  age(hours: number): void {
    const then = new Date(Date.now() - hours * 3_600_000);
    for (const name of readdirSync(this.land)) utimesSync(`${this.land}/${name}`, then, then);
  }

  where(processes: Partial<Processes> = {}): Parameters<typeof lifeOfGit>[0] {
    return { fs: nodeFs(), folder: this.folder, processes: anotherProcess(processes) };
  }

  async life(processes: Partial<Processes> = {}): Promise<string> {
    return lifeOfGit(this.where(processes), NAME);
  }

  async swept(processes: Partial<Processes> = {}): Promise<boolean> {
    await sweepLandings(this.where(processes));
    return !readdirSync(this.folder).includes('land');
  }
}

/** What it says of itself is of a place that this process does not see into. */
const ELSEWHERE: Partial<LockFile> = { space: 'pid:[7] time', socket: { dev: '1', ino: '1' } };

it('git makes the commit of a landing that names none', () => {
  const landing = { from: null, staged: [] };
  const isBy = (oid: string | null, isLanding: boolean): boolean =>
    isByGit({ new: oid, landing: isLanding ? landing : null } as ChangeRecord);
  expect([isBy(null, true), isBy('a'.repeat(40), true), isBy(null, false)]).toEqual([true, false, false]);
});

describe('the git of a landing', () => {
  it('was never started where nothing says so: its files go', async () => {
    const left = new Left();
    expect([await left.life(), await left.swept()]).toEqual(['ended', true]);
  });

  it('lives or has ended as the system says, whoever holds its socket', async () => {
    const left = new Left();
    await left.listen();
    left.note({});
    expect(await left.life()).toBe('ended');
    left.note(nodeProcesses().identityOf(process.pid));
    expect([await left.life(), await left.swept()]).toEqual(['lives', false]);
  });

  it('of another container lives while its socket is open, and has ended when it is not', async () => {
    const left = new Left();
    left.note(ELSEWHERE);
    const close = await left.listen();
    expect([await left.life(), await left.swept()]).toEqual(['lives', false]);
    await close();
    expect([await left.life({ diskOf: () => 'local' }), await left.swept({ diskOf: () => 'local' })]).toEqual(
      ['ended', true],
    );
  });

  it('is waited for no longer than an hour where a daemon may hold the socket; its files stay for a day', async () => {
    const left = new Left();
    left.note(ELSEWHERE);
    await left.listen();
    left.age(2);
    expect([await left.life(), await left.swept()]).toEqual(['unknown', false]);
    left.age(25);
    expect(await left.swept()).toBe(true);
  });

  it('cannot be told where a refused socket says nothing: nobody waits, and its files stay', async () => {
    const left = new Left();
    left.note(ELSEWHERE);
    await (await left.listen())();
    const overlay = { diskOf: () => 'layered' as const };
    expect([await left.life(overlay), await left.swept(overlay)]).toEqual(['unknown', false]);
  });

  it('without sockets lives for an hour unless the system knows better', async () => {
    const left = new Left();
    left.note({ ...ELSEWHERE, socket: null });
    expect(await left.life({ openSockets: async () => null })).toBe('lives');
    left.age(2);
    expect(await left.life({ openSockets: async () => null })).toBe('unknown');
  });
});

it('nothing is removed through a link that a repository came with', async () => {
  const [left, other] = [new Left(), scratch()];
  symlinkSync(left.land, join(other, 'land'));
  await sweepLandings({ ...left.where(), folder: other });
  expect(readdirSync(left.land)).toEqual([`${NAME}.index`]);
});
