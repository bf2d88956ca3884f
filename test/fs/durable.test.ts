import { createFsFromVolume, Volume } from 'memfs';
import { describe, expect, test } from 'vitest';
import {
  createFile,
  ensureFolder,
  exists,
  parentOf,
  removeIfThere,
  removeTree,
  replaceFile,
  syncFolder,
} from '../../src/fs/durable.ts';
import { errno, type FileHandle, type Fs, lstatOf } from '../../src/fs/fs.ts';
import { promisesFs } from '../../src/fs/promises-fs.ts';

const text = (words: string): Uint8Array => new TextEncoder().encode(words);

function memory(): Fs {
  const volume = Volume.fromJSON({ '/w/here': 'old' });
  return promisesFs(createFsFromVolume(volume));
}

/** The same file system, with handles in which one method fails. */
function failing(fs: Fs, method: 'write' | 'chmod' | 'sync' | 'close'): Fs & { closed: number } {
  const result = Object.assign(Object.create(fs) as Fs, { closed: 0 });
  result.open = async (path, how, mode) => {
    const handle = await fs.open(path, how, mode);
    const broken: FileHandle = Object.create(handle);
    broken.write = handle.write.bind(handle);
    broken.chmod = handle.chmod.bind(handle);
    broken.sync = handle.sync.bind(handle);
    broken.close = async () => {
      result.closed += 1;
      await handle.close();
      if (method === 'close') throw Object.assign(new Error('EIO'), { code: 'EIO' });
    };
    if (method !== 'close') {
      broken[method] = async () => {
        throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
      };
    }
    return broken;
  };
  for (const name of ['unlink', 'rename', 'lstat', 'readdir'] as const) {
    (result as unknown as Record<string, unknown>)[name] = (fs[name] as () => unknown).bind(fs);
  }
  return result;
}

describe('createFile', () => {
  test('makes a new file with exactly the mode asked for', async () => {
    const fs = memory();
    await createFile(fs, '/w/new', text('x'), { mode: 0o777 });
    expect(await fs.readFile('/w/new')).toEqual(text('x'));
    expect((await lstatOf(fs, '/w/new')).mode & 0o7777).toBe(0o777);
  });

  test('never touches what is there', async () => {
    const fs = memory();
    expect(errno(await createFile(fs, '/w/here', text('x')).catch(error => error))).toBe('EEXIST');
    expect(await fs.readFile('/w/here')).toEqual(text('old'));
  });

  test.each(['write', 'chmod', 'sync', 'close'] as const)('leaves nothing when %s fails', async method => {
    const fs = memory();
    const broken = failing(fs, method);
    const error = await createFile(broken, '/w/new', text('x'), { mode: 0o600 }).catch(error => error);
    expect(errno(error)).toBe(method === 'close' ? 'EIO' : 'ENOSPC');
    expect(await exists(fs, '/w/new')).toBe(false);
    expect(broken.closed).toBe(1);
  });
});

describe('replaceFile', () => {
  test('puts the new content in place and leaves no temporary', async () => {
    const fs = memory();
    await replaceFile(fs, '/w/here', text('new'), '/w/temp');
    expect(await fs.readFile('/w/here')).toEqual(text('new'));
    expect(await fs.readdir('/w')).toEqual(['here']);
  });

  test('keeps the old content and leaves no temporary when the rename fails', async () => {
    const fs = memory();
    const error = await replaceFile(fs, '/missing/here', text('new'), '/w/temp').catch(error => error);
    expect(errno(error)).toBe('ENOENT');
    expect(await fs.readdir('/w')).toEqual(['here']);
  });
});

describe('ensureFolder', () => {
  test('answers the folders it made, outermost first', async () => {
    const fs = memory();
    expect(await ensureFolder(fs, '/w/a/b/c')).toEqual(['/w/a', '/w/a/b', '/w/a/b/c']);
    expect(await ensureFolder(fs, '/w/a/b/d')).toEqual(['/w/a/b/d']);
    expect(await ensureFolder(fs, '/w/a/b')).toEqual([]);
  });

  test('a file in the way is an error', async () => {
    expect(errno(await ensureFolder(memory(), '/w/here').catch(error => error))).toBe('EEXIST');
    expect(errno(await ensureFolder(memory(), '/w/here/x').catch(error => error))).toBe('ENOTDIR');
  });
});

test('removeIfThere tells whether there was a file', async () => {
  const fs = memory();
  expect(await removeIfThere(fs, '/w/here')).toBe(true);
  expect(await removeIfThere(fs, '/w/here')).toBe(false);
});

test('exists sees folders and does not take an error for "missing"', async () => {
  const fs = memory();
  expect(await exists(fs, '/w')).toBe(true);
  const broken = Object.assign(Object.create(fs) as Fs, {
    lstat: () => Promise.reject(Object.assign(new Error('EACCES'), { code: 'EACCES' })),
  });
  expect(errno(await exists(broken, '/w').catch(error => error))).toBe('EACCES');
});

test('syncFolder syncs a folder and refuses a file', async () => {
  const fs = memory();
  await syncFolder(fs, '/w');
  expect(errno(await syncFolder(fs, '/w/here').catch(error => error))).toBe('ENOTDIR');
});

test('parentOf', () => {
  expect(parentOf('/a/b')).toBe('/a');
  expect(parentOf('/a')).toBe('/');
  expect(parentOf('/')).toBe('/');
});

describe('removeTree', () => {
  test.each([
    ['a folder with all that is in it', '/w/a'],
    ['a file', '/w/a/f'],
    ['nothing', '/w/none'],
    ['nothing, below a file', '/w/here/x'],
  ])('removes %s, and nothing else', async (_, path) => {
    const volume = Volume.fromJSON({ '/w/here': 'old', '/w/a/f': '', '/w/a/b/c/g': '' });
    const fs = promisesFs(createFsFromVolume(volume));
    await removeTree(fs, path);
    expect([await exists(fs, path), await exists(fs, '/w/here')]).toEqual([false, true]);
  });

  test('tells what it cannot remove', async () => {
    const rmdir = async (): Promise<never> => {
      throw Object.assign(new Error('EBUSY'), { code: 'EBUSY' });
    };
    const fs: Fs = Object.assign(Object.create(memory()) as Fs, { rmdir });
    await expect(removeTree(fs, '/w')).rejects.toMatchObject({ code: 'EBUSY' });
  });
});
