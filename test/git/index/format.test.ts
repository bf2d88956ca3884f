import { rmSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { HASH } from '../../../src/git/index/format.ts';
import { IndexReader } from '../../../src/git/index/reader.ts';
import { overriding } from '../../helpers/overriding.ts';
import { committed, fs, indexOf } from './changes.ts';

function reader(box: { dir: string }): { index: IndexReader; whole(): number } {
  let reads = 0;
  const counting = overriding(fs, {
    readFile: path => {
      reads += 1;
      return fs.readFile(path);
    },
  });
  return { index: new IndexReader(counting, `${box.dir}/.git/index`, async () => ''), whole: () => reads };
}

describe('an index that is read again', () => {
  test('is read as a whole once while git leaves it alone, and anew when git wrote it', async () => {
    const box = committed({ a: '1', b: '2' });
    const stage = (content: string): void => {
      box.write('a', content);
      box.git('add', 'a');
    };
    stage('once'); // the first time it takes what git knew of the folder out, too
    const { index, whole } = reader(box);
    const first = await index.read();
    expect(await index.read()).toBe(first);
    expect(whole()).toBe(1);
    const size = statSync(index.path).size;
    stage('again');
    expect(statSync(index.path).size).toBe(size);
    expect(Buffer.from((await index.read())!).equals(indexOf(box))).toBe(true);
    expect(whole()).toBe(2);
  });

  test('is known when the reader was told what was written, and only while that is there', async () => {
    const box = committed({ a: '1' });
    const { index, whole } = reader(box);
    const bytes = new Uint8Array(indexOf(box));
    index.wrote(bytes);
    expect(await index.read()).toBe(bytes);
    index.wrote(bytes.slice(0, -1));
    expect(Buffer.from((await index.read())!).equals(indexOf(box))).toBe(true);
    expect(whole()).toBe(1);
  });

  test('is read as a whole each time when it has no hash', async () => {
    const box = committed({ a: '1' });
    const bytes = indexOf(box);
    writeFileSync(`${box.dir}/.git/index`, bytes.fill(0, bytes.length - HASH));
    const { index, whole } = reader(box);
    const first = await index.read();
    expect(await index.read()).toBe(first);
    expect(whole()).toBe(2);
  });

  test('is the same array where it cannot be asked for its hash: who compares two of them must come to an end', async () => {
    const box = committed({ a: '1' });
    const failing = overriding(fs, { open: async () => Promise.reject(new Error('EMFILE')) });
    const index = new IndexReader(failing, `${box.dir}/.git/index`, async () => '');
    const first = await index.read();
    expect(await index.read()).toBe(first);
    box.write('b', '2');
    box.git('add', 'b');
    expect(await index.read()).not.toBe(first);
  });

  test('is null when it is gone', async () => {
    const box = committed({ a: '1' });
    const { index } = reader(box);
    await index.read();
    rmSync(index.path);
    expect(await index.read()).toBeNull();
  });
});
