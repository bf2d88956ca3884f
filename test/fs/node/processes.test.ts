import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { bootId, bootTime } from '../../../src/fs/node/boot.ts';
import { nodeProcesses } from '../../../src/fs/node/processes.ts';
import { noSandbox } from '../../sandboxes/sandboxed-processes.ts';

const processes = nodeProcesses();
const NOBODY = 2 ** 22 - 3;

function gcPid(text: string): { path: string; mtimeMs: number } {
  const folder = mkdtempSync(join(tmpdir(), 'vedit-gc-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'gc.pid');
  writeFileSync(path, text);
  return { path, mtimeMs: Date.now() };
}

describe('another program', () => {
  it('runs when its number is taken, and not when nobody has it in any namespace', () => {
    const file = gcPid('');
    expect(processes.isRunning(process.pid, hostname(), file)).toBe(true);
    expect(processes.isRunning(NOBODY, hostname(), file)).toBe(
      processes.self.space?.startsWith('pid:[4026531836]') === false,
    );
  });

  it('may run on another machine, and on a disk that machines share', () => {
    expect(processes.isRunning(NOBODY, 'elsewhere', gcPid(''))).toBe(true);
    expect(processes.isRunning(NOBODY, hostname(), { path: '/proc/version', mtimeMs: Date.now() })).toBe(
      true,
    );
  });

  it('has ended when it was written before the machine was started', () => {
    const file = { ...gcPid(''), mtimeMs: bootTime() - 3_600_000 };
    expect(processes.isRunning(process.pid, hostname(), file)).toBe(false);
  });

  const reason = noSandbox();
  it.skipIf(reason)(
    `is seen from outside of the sandbox it runs in${reason ? ` (left out: ${reason})` : ''}`,
    async () => {
      // Numbers there begin at 1 again: some that are used inside are free out here, or the test says nothing.
      const script = 'i=0; while [ $i -lt 40 ]; do i=$((i+1)); sleep 100 & done; echo $!; wait';
      const child = spawn('unshare', ['-p', '-f', '--mount-proc', '--kill-child', 'sh', '-c', script]);
      onTestFinished(() => void child.kill('SIGKILL'));
      const [inside] = (await once(createInterface({ input: child.stdout! }), 'line')) as [string];
      expect(processes.isRunning(Number(inside), hostname(), gcPid(''))).toBe(true);
    },
  );

  it.skipIf(reason)('is not taken for dead by a sandbox that cannot see it', () => {
    const url = join(import.meta.dirname, '../../../dist/fs/node/processes.js');
    const { path } = gcPid('');
    const script = `const { nodeProcesses } = await import(${JSON.stringify(url)});
      const file = { path: ${JSON.stringify(path)}, mtimeMs: Date.now() };
      process.stdout.write(String(nodeProcesses().isRunning(${process.pid}, ${JSON.stringify(hostname())}, file)));`;
    const args = ['-p', '-f', '--mount-proc', process.execPath, '--input-type=module', '-e', script];
    expect(spawnSync('unshare', args, { encoding: 'utf8' }).stdout).toBe('true');
  });
});

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
