/** An owner that is stopped after the moment of its edit, and wakes when its lock was taken over and the file edited on. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { ownRepo } from '../../helpers/person-repo.ts';

const ONE_EDIT = join(import.meta.dirname, '../../crash/one-edit.mjs');

it.runIf(process.platform === 'linux').each(['after-ref', 'after-file'])(
  'stopped %s, changes nothing of what was edited since, neither file nor index',
  async point => {
    const repo = ownRepo({ 'a.txt': 'one\ntwo\nthree\n' });
    const args = [ONE_EDIT, repo.dir, 'SIGSTOP', point];
    const owner = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void owner.kill('SIGKILL'));
    const ended = once(owner, 'exit');
    const stat = (): string => readFileSync(`/proc/${owner.pid}/stat`, 'utf8');
    while (!/\) T /.test(stat())) await sleep(20);
    await using workspace = await repo.open();
    const { token } = (await workspace.doctor()).data.lock;
    const takes = (): Promise<boolean> =>
      workspace.doctor({ unlock: token! }).then(
        ({ data }) => data.unlocked,
        () => false,
      );
    while (!(await takes())) await sleep(500);
    const session = workspace.session({ agent: 'y' });
    await session.edit('str_replace', { path: 'a.txt', old_str: 'TWO', new_str: 'zwei' });
    owner.kill('SIGCONT');
    expect((await ended)[0]).toBe(0);
    expect(repo.read('a.txt')).toBe('one\nzwei\nthree\n');
    expect(repo.git('status', '--porcelain')).toBe('');
    expect(repo.git('fsck', '--strict', '--no-dangling')).toBe('');
  },
);
