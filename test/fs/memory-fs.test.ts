import git from 'isomorphic-git';
import { describe, expect, it } from 'vitest';
import { memoryFs } from '../../src/fs/memory-fs.ts';
import { promisesFs } from '../../src/fs/promises-fs.ts';
import { describeFs } from './fs-suite.ts';

describeFs('promisesFs over the memory file system', async () => {
  const fs = memoryFs();
  await fs.promises.mkdir('/root');
  return { fs: promisesFs(fs), root: '/root', symlink: (target, path) => fs.promises.symlink(target, path) };
});

const CODES: ReadonlyArray<readonly [what: string, code: string, call: (fs: Calls) => Promise<unknown>]> = [
  ['a name below a file', 'ENOTDIR', fs => fs.readFile('/f/x')],
  ['a name in a folder that is missing', 'ENOENT', fs => fs.writeFile('/no/x', '')],
  ['reading a folder', 'EISDIR', fs => fs.readFile('/d')],
  ['writing a folder', 'EISDIR', fs => fs.writeFile('/d', '')],
  ['listing a file', 'ENOTDIR', fs => fs.readdir('/f')],
  ['removing a folder as a file', 'EISDIR', fs => fs.unlink('/d')],
  ['removing a file as a folder', 'ENOTDIR', fs => fs.rmdir('/f')],
  ['a file over a folder', 'EISDIR', fs => fs.rename('/f', '/d')],
  ['a folder over a file', 'ENOTDIR', fs => fs.rename('/d', '/f')],
  ['a folder over a full one', 'ENOTEMPTY', fs => fs.rename('/e', '/d')],
  ['a folder into itself', 'EINVAL', fs => fs.rename('/d', '/d/x/y')],
  ['a link to a folder', 'EPERM', fs => fs.link('/d', '/new')],
  ['links in a circle', 'ELOOP', fs => fs.stat('/round')],
  ['a link that leads nowhere', 'ENOENT', fs => fs.stat('/nowhere')],
  ['the target of what is no link', 'EINVAL', fs => fs.readlink('/f')],
];

type Calls = ReturnType<typeof memoryFs>['promises'];

/** The files f and d/x, the folders d and e, and links. */
async function filled(): Promise<Calls> {
  const { promises: fs } = memoryFs();
  await fs.mkdir('/d/x', { recursive: true });
  await fs.mkdir('/e');
  await fs.writeFile('/f', 'text');
  await fs.symlink('round', '/round');
  await fs.symlink('../no', '/nowhere');
  await fs.symlink('../d/./x', '/e/link');
  return fs;
}

describe('the memory file system', () => {
  it.each(CODES)('answers %s with %s', async (_, code, call) => {
    await expect(call(await filled())).rejects.toMatchObject({ code });
  });

  it('follows links in the middle and at the end, up and down', async () => {
    const fs = await filled();
    await fs.writeFile('/e/link/../y', 'y');
    expect(await fs.readFile('/d/y', 'utf8')).toBe('y');
    expect(await fs.realpath('/e/link')).toBe('/d/x');
    expect((await fs.lstat('/e/link')).isSymbolicLink()).toBe(true);
    expect((await fs.stat('/e/link')).isDirectory()).toBe(true);
  });

  it('gives a copy of what it holds, and takes one', async () => {
    const fs = await filled();
    const bytes = new Uint8Array([1, 2]);
    await fs.writeFile('/f', bytes);
    bytes[0] = 9;
    ((await fs.readFile('/f')) as Uint8Array)[1] = 9;
    expect(await fs.readFile('/f')).toEqual(new Uint8Array([1, 2]));
  });

  it('has another time after each change', async () => {
    const fs = await filled();
    const times: bigint[] = [];
    for (const text of ['a', 'b', 'c']) {
      await fs.writeFile('/f', text);
      times.push((await fs.stat('/f')).mtimeNs);
    }
    expect(new Set(times).size).toBe(3);
  });

  it('is one that isomorphic-git works on', async () => {
    const fs = memoryFs();
    const author = { name: 'Ada', email: 'ada@example.com' };
    await git.init({ fs, dir: '/r', defaultBranch: 'main' });
    await fs.promises.writeFile('/r/a.txt', 'a\n');
    await git.add({ fs, dir: '/r', filepath: 'a.txt' });
    const oid = await git.commit({ fs, dir: '/r', message: 'first', author });
    expect(await git.statusMatrix({ fs, dir: '/r' })).toEqual([['a.txt', 1, 1, 1]]);
    expect((await git.log({ fs, dir: '/r' })).map(entry => entry.oid)).toEqual([oid]);
    await git.checkout({ fs, dir: '/r', ref: 'main', force: true });
    expect(await fs.promises.readFile('/r/a.txt', { encoding: 'utf8' })).toBe('a\n');
  });
});
