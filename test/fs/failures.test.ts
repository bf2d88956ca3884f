import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { failureWords, readFailed } from '../../src/fs/failures.ts';
import { nodeFs } from '../../src/fs/node/node-fs.ts';

const coded = (code: string, places: object = {}): Error =>
  Object.assign(new Error(`${code}: x, open '/home/ada/x'`), { code, ...places });

describe('a failure of the system, in words', () => {
  it.each<[string, object, string]>([
    [
      'EACCES',
      { path: '/home/ada/shop/.git/refs/vedit/main' },
      'permission denied (EACCES) at .git/refs/vedit/main',
    ],
    ['EACCES', { path: '/srv/a.git/b/shop.git/HEAD' }, 'permission denied (EACCES) at shop.git/HEAD'],
    ['EACCES', { path: '/home/ada/shop/.git' }, 'permission denied (EACCES) at .git'],
    ['EBUSY', { path: '/home/ada/shop/src/a.ts' }, 'in use, or something is mounted there (EBUSY) at a.ts'],
    ['EROFS', { path: '/proc/self/fd/12/src/a.ts' }, 'the file system is read-only (EROFS) at src/a.ts'],
    [
      'EXDEV',
      { path: '/x/.git/vedit/tmp/1-0', dest: '/x/a.txt' },
      'on another file system than the rest (EXDEV) at .git/vedit/tmp/1-0 -> a.txt',
    ],
    ['ENOSPC', {}, 'the disk is full (ENOSPC)'],
    ['EPROTO', { path: '/home/ada/x' }, 'EPROTO at x'],
  ])('%s names the path, and no folder of the machine: %j', (code, places, words) => {
    expect(failureWords(coded(code, places))).toBe(words);
  });

  it('of a read says what was read', () => {
    expect(readFailed(coded('EIO'), 'the index').message).toMatch(
      /^reading the index failed: the disk reported an error \(EIO\); nothing was changed/,
    );
  });

  it('of what is done to an open file names it too', async () => {
    const fs = nodeFs();
    const path = join(mkdtempSync(join(tmpdir(), 'vedit-fs-')), 'a.txt');
    await (await fs.open(path, 'create')).close();
    const file = await fs.open(path, 'read');
    const error = await file.write(new Uint8Array([1])).catch(thrown => thrown);
    await file.close();
    expect(failureWords(error)).toMatch(/ at a\.txt$|^EBADF at a\.txt$/);
  });
});
