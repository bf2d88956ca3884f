import { describe, expect, it } from 'vitest';
import { memoryFs } from '../../src/fs/memory-fs.ts';
import { type SimpleFsModule, type SimplePromises, simpleFs } from '../../src/fs/simple-fs.ts';
import { initRepository, openWorkspace } from '../../src/index.ts';
import { at, sandbox } from '../helpers/real-git.ts';
import { describeFs } from './fs-suite.ts';

const CALLS = [
  'readFile',
  'writeFile',
  'unlink',
  'readdir',
  'mkdir',
  'rmdir',
  'rename',
  'lstat',
  'readlink',
] as const;

/** Only the calls that isomorphic-git asks for, with modes that do not tell the kind, as LightningFS has them. */
function simple(more: Partial<SimplePromises> = {}): {
  module: SimpleFsModule;
  memory: ReturnType<typeof memoryFs>;
} {
  const memory = memoryFs();
  const calls = CALLS.map(name => [name, (memory.promises[name] as () => unknown).bind(memory.promises)]);
  const lstat = async (path: string): Promise<object> => {
    const stat = await memory.promises.lstat(path);
    const [isDirectory, isSymbolicLink] = [() => stat.isDirectory(), () => stat.isSymbolicLink()];
    const { mode, size, mtimeMs, ino } = stat;
    return { isDirectory, isSymbolicLink, mode: mode & 0o777, size, mtimeMs, ino };
  };
  return { module: { promises: { ...Object.fromEntries(calls), lstat, ...more } }, memory };
}

describeFs('simpleFs over the calls of isomorphic-git', async () => {
  const { module, memory } = simple();
  module.promises.chmod = (path, mode) => memory.promises.chmod(path, mode);
  await memory.promises.mkdir('/root');
  return {
    fs: simpleFs(module),
    root: '/root',
    symlink: (target, path) => memory.promises.symlink(target, path),
  };
});

describe('a workspace on a file system of whole files', () => {
  it('is edited, undone and read; the real git finds it sound', async () => {
    let flushed = 0;
    const flush = async (): Promise<void> => void flushed++;
    const { module: fs, memory } = simple({ flush });
    await initRepository({ root: '/r', fs });
    const workspace = await openWorkspace({ root: '/r', fs });
    const session = workspace.session({ agent: 'page' });
    await session.edit('create', { path: 'src/a.txt', file_text: 'one\ntwo\n' });
    await session.edit('str_replace', { path: 'src/a.txt', old_str: 'two', new_str: 'TWO' });
    await session.edit('move', { path: 'src/a.txt', new_path: 'b.txt' });
    await session.undo({ count: 2 });
    await memory.promises.writeFile('/r/src/a.txt', 'one\ntwo\nby hand\n');
    await session.edit('str_replace', { path: 'src/a.txt', old_str: 'one', new_str: 'ONE' });
    expect((await workspace.verify()).data.faults).toEqual([]);
    expect(flushed).toBeGreaterThan(0);
    await workspace.close();
    const copy = sandbox();
    await copyTo(memory, '/r', copy.dir);
    expect(copy.git('fsck', '--strict')).toBe('');
    expect(copy.git('status', '--porcelain')).toBe('');
    expect(copy.git('log', '--format=%s', 'main').split('\n')).toEqual([
      'str_replace src/a.txt (+1 -1)',
      'outside src/a.txt',
      'undo 2 files (+2 -2)',
      'move src/a.txt -> b.txt (+0 -0)',
      'str_replace src/a.txt (+1 -1)',
      'create src/a.txt (+2 -0)',
    ]);
  });
});

async function copyTo(memory: ReturnType<typeof memoryFs>, from: string, to: string): Promise<void> {
  const box = at(to);
  for (const name of await memory.promises.readdir(from)) {
    const path = `${from}/${name}`;
    if ((await memory.promises.lstat(path)).isDirectory()) await copyTo(memory, path, box.path(name));
    else box.write(name, (await memory.promises.readFile(path)) as Uint8Array);
  }
}
