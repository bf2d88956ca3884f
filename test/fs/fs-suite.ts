/** What every implementation of the system calls must do; node's and memfs's tests call it. */

import { describe, expect, test } from 'vitest';
import { exists, parentOf } from '../../src/fs/durable.ts';
import { errno, type Fs, isMissing, lstatOf, orNull } from '../../src/fs/fs.ts';

const text = (words: string): Uint8Array => new TextEncoder().encode(words);

/** `make` answers a file system, an empty folder in it, and a way to make a symlink. */
export interface FsUnderTest {
  fs: Fs;
  root: string;
  symlink(target: string, path: string): Promise<void>;
}

export function describeFs(name: string, make: () => Promise<FsUnderTest>): void {
  describe(name, () => {
    test('an exclusive create writes once, and refuses what is there', async () => {
      const { fs, root } = await make();
      await write(fs, `${root}/f`, 'one');
      expect(await fs.readFile(`${root}/f`)).toEqual(text('one'));
      expect(await codeOf(fs.open(`${root}/f`, 'create'))).toBe('EEXIST');
      expect(await fs.readFile(`${root}/f`)).toEqual(text('one'));
    });

    test('writes go on where the last one ended, and append adds at the end', async () => {
      const { fs, root } = await make();
      const handle = await fs.open(`${root}/f`, 'create');
      await handle.write(text('ab'));
      await handle.write(text('cd'));
      await handle.sync();
      await handle.close();
      const more = await fs.open(`${root}/f`, 'append');
      await more.write(text('ef'));
      await more.close();
      expect(await fs.readFile(`${root}/f`)).toEqual(text('abcdef'));
    });

    test('a read stops at the end of the file', async () => {
      const { fs, root } = await make();
      await write(fs, `${root}/f`, 'abcdef');
      const handle = await fs.open(`${root}/f`, 'read');
      expect(await handle.read(2, 3)).toEqual(text('cde'));
      expect(await handle.read(4, 100)).toEqual(text('ef'));
      expect(await handle.read(6, 10)).toEqual(text(''));
      await handle.close();
    });

    test('large contents come back whole', async () => {
      const { fs, root } = await make();
      const bytes = new Uint8Array(3 * 1024 * 1024 + 7).map((_, index) => index * 31 + (index >> 8));
      const handle = await fs.open(`${root}/f`, 'create');
      await handle.write(bytes);
      await handle.close();
      expect(same(await fs.readFile(`${root}/f`), bytes)).toBe(true);
      const again = await fs.open(`${root}/f`, 'read');
      expect(same(await again.read(1, bytes.length), bytes.subarray(1))).toBe(true);
      await again.close();
    });

    test('what is read is a plain array: a slice is a copy', async () => {
      const { fs, root } = await make();
      await write(fs, `${root}/f`, 'abc');
      const bytes = await fs.readFile(`${root}/f`);
      bytes.slice(0, 1)[0] = 0;
      expect(bytes).toEqual(text('abc'));
      expect(Object.getPrototypeOf(bytes)).toBe(Uint8Array.prototype);
    });

    test('stat tells kind, size and mode, and the handle agrees with the path', async () => {
      const { fs, root, symlink } = await make();
      await write(fs, `${root}/f`, 'abc');
      await symlink('f', `${root}/l`);
      const stat = await lstatOf(fs, `${root}/f`);
      expect(stat).toMatchObject({ type: 'file', size: 3 });
      expect((await lstatOf(fs, `${root}/l`)).type).toBe('symlink');
      expect((await lstatOf(fs, root)).type).toBe('directory');
      const handle = await fs.open(`${root}/f`, 'read');
      expect(await handle.stat()).toEqual(stat);
      await handle.chmod(0o640);
      expect((await handle.stat()).mode & 0o7777).toBe(0o640);
      await handle.close();
    });

    test('neither a file nor a folder is opened through a link', async () => {
      const { fs, root, symlink } = await make();
      await write(fs, `${root}/f`, 'abc');
      await fs.mkdir(`${root}/d`);
      await symlink('f', `${root}/lf`);
      await symlink('d', `${root}/ld`);
      expect(await codeOf(fs.open(`${root}/lf`, 'read'))).toBe('ELOOP');
      expect(await codeOf(fs.open(`${root}/ld`, 'directory'))).toBe('ENOTDIR');
      expect(await codeOf(fs.open(`${root}/f`, 'directory'))).toBe('ENOTDIR');
      expect(await fs.readFile(`${root}/lf`)).toEqual(text('abc'));
      expect(await fs.readlink(`${root}/lf`)).toBe('f');
      expect(await fs.realpath(`${root}/ld`)).toBe(await fs.realpath(`${root}/d`));
    });

    test('rename replaces, link does not', async () => {
      const { fs, root } = await make();
      await write(fs, `${root}/a`, 'a');
      await write(fs, `${root}/b`, 'b');
      expect(await codeOf(fs.link(`${root}/a`, `${root}/b`))).toBe('EEXIST');
      await fs.link(`${root}/a`, `${root}/c`);
      await fs.rename(`${root}/a`, `${root}/b`);
      expect(await fs.readFile(`${root}/b`)).toEqual(text('a'));
      expect((await fs.readdir(root)).sort()).toEqual(['b', 'c']);
    });

    test('folders are made once, and removed when empty', async () => {
      const { fs, root } = await make();
      await fs.mkdir(`${root}/d`);
      expect(await codeOf(fs.mkdir(`${root}/d`))).toBe('EEXIST');
      await write(fs, `${root}/d/f`, '');
      expect(await codeOf(fs.rmdir(`${root}/d`))).toBe('ENOTEMPTY');
      await fs.unlink(`${root}/d/f`);
      await fs.rmdir(`${root}/d`);
      expect(await exists(fs, `${root}/d`)).toBe(false);
    });

    test('a missing path is missing, anything else is an error', async () => {
      const { fs, root } = await make();
      await write(fs, `${root}/f`, '');
      expect(await orNull(fs.readFile(`${root}/no`))).toBe(null);
      expect(await orNull(fs.readFile(`${root}/f/x`))).toBe(null);
      expect(await codeOf(fs.readFile(root))).toBe('EISDIR');
    });

    test('touch sets the time to now', async () => {
      const { fs, root } = await make();
      await write(fs, `${root}/f`, '');
      const before = (await lstatOf(fs, `${root}/f`)).mtimeNs;
      await new Promise(resolve => setTimeout(resolve, 20));
      await fs.touch(`${root}/f`);
      expect((await lstatOf(fs, `${root}/f`)).mtimeNs).toBeGreaterThan(before);
    });

    test('a folder can be opened and synced', async () => {
      const { fs, root } = await make();
      const handle = await fs.open(root, 'directory');
      await handle.sync();
      expect((await handle.stat()).type).toBe('directory');
      await handle.close();
      expect(isMissing(await errorOf(fs.open(`${root}/no`, 'directory')))).toBe(true);
      expect(parentOf(`${root}/no`)).toBe(root);
    });
  });
}

async function write(fs: Fs, path: string, words: string): Promise<void> {
  const handle = await fs.open(path, 'create');
  await handle.write(text(words));
  await handle.close();
}

/** Compares long contents; `toEqual` takes half a minute for a few megabytes. */
function same(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}

async function errorOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => null,
    error => error,
  );
}

async function codeOf(call: Promise<unknown>): Promise<string | undefined> {
  return errno(await errorOf(call));
}
