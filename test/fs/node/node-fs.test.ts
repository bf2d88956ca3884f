import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { expect, onTestFinished, test } from 'vitest';
import { errno, lstatOf } from '../../../src/fs/fs.ts';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import { describeFs } from '../fs-suite.ts';

const make = async () => {
  const root = await mkdtemp(`${tmpdir()}/node-fs-`);
  onTestFinished(() => rm(root, { recursive: true }));
  return { fs: nodeFs(), root, symlink };
};

describeFs('nodeFs', make);

test.runIf(process.platform !== 'win32')('a pipe neither hangs nor is read', async () => {
  const { fs, root } = await make();
  execFileSync('mkfifo', [`${root}/pipe`]);
  expect((await lstatOf(fs, `${root}/pipe`)).type).toBe('other');
  const handle = await fs.open(`${root}/pipe`, 'read');
  expect((await handle.stat()).type).toBe('other');
  await handle.close();
  expect(errno(await fs.readFile(`${root}/pipe`).catch(error => error))).toBe('EINVAL');
});

test.runIf(process.platform === 'linux')('descriptor paths reach below an open folder', async () => {
  const { fs, root } = await make();
  expect(fs.descriptorPaths).toBe(true);
  const folder = await fs.open(root, 'directory');
  await fs.mkdir(`/proc/self/fd/${folder.fd}/below`);
  await folder.close();
  expect(await fs.readdir(root)).toEqual(['below']);
  expect((await fs.readFile('/proc/self/stat')).length).toBeGreaterThan(0);
});

test('a handle that was closed never reaches another file', async () => {
  const { fs, root } = await make();
  const closed = await fs.open(`${root}/a`, 'create');
  await closed.close();
  const other = await fs.open(`${root}/b`, 'create');
  await closed.close();
  await expect(closed.write(Uint8Array.of(1))).rejects.toThrow();
  await other.write(Uint8Array.of(2));
  await other.close();
  expect([...(await fs.readFile(`${root}/b`))]).toEqual([2]);
});
