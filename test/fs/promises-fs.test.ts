import nodeFsModule from 'node:fs';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { createFsFromVolume, Volume } from 'memfs';
import { expect, onTestFinished, test } from 'vitest';
import { promisesFs } from '../../src/fs/promises-fs.ts';
import { describeFs } from './fs-suite.ts';

describeFs('promisesFs over memfs', async () => {
  const memory = createFsFromVolume(new Volume());
  await memory.promises.mkdir('/root');
  return {
    fs: promisesFs(memory),
    root: '/root',
    symlink: async (target, path) => memory.promises.symlink(target, path),
  };
});

describeFs('promisesFs over node', async () => {
  const root = await mkdtemp(`${tmpdir()}/promises-fs-`);
  onTestFinished(() => rm(root, { recursive: true }));
  return { fs: promisesFs(nodeFsModule), root, symlink };
});

test('a module without open flags gets the words that every imitation knows', async () => {
  const asked: (string | number)[] = [];
  const open = async (_path: string, flags: string | number): Promise<unknown> => {
    asked.push(flags);
    return { fd: 1 };
  };
  const fs = promisesFs({ promises: { ...nodeFsModule.promises, open } });
  for (const how of ['read', 'directory', 'create', 'append'] as const) await fs.open('/x', how);
  expect(asked).toEqual(['r', 'r', 'wx', 'a']);
});
