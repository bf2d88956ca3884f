import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { frameOf, type Seal } from '../../../../src/engine/transaction/journal/frames.ts';
import { Journal } from '../../../../src/engine/transaction/journal/journal.ts';
import { nodeFs } from '../../../../src/fs/node/node-fs.ts';
import { nativeCodec } from '../../../../src/git/native/codec.ts';
import { failing, overriding } from '../../../helpers/overriding.ts';
import { numbers, other, place, record } from './place.ts';

it('gives back what was appended, objects and all', async () => {
  const at = await place(3);
  const [file] = await other(at).readAll();
  expect(file!.records.map(({ data, objects }) => ({ data, objects }))).toEqual([
    record(1),
    record(2),
    record(3),
  ]);
  expect([file!.torn, file!.header.boot, at.journal.count]).toEqual([false, 'b', 3]);
});

it('cut off anywhere, the records before the cut count, and the rest is torn', async () => {
  const at = await place(2);
  const whole = readFileSync(at.file(1));
  const [file] = await other(at).readAll();
  const second = file!.records[1]!.start.length;
  for (let size = second; size < whole.length; size++) {
    writeFileSync(at.file(1), whole.subarray(0, size));
    const [cut] = await other(at).readAll();
    expect([size, cut!.records.length, cut!.torn]).toEqual([size, 1, size > second]);
  }
});

it('a byte that changed in the last record takes that one, in an earlier one it is CORRUPT', async () => {
  const at = await place(3);
  const whole = readFileSync(at.file(1));
  const starts = (await other(at).readAll())[0]!.records.map(({ start }) => start.length);
  for (const [n, start] of starts.entries()) {
    const damaged = Buffer.from(whole);
    damaged[start + 20]! ^= 1;
    writeFileSync(at.file(1), damaged);
    if (n === 2) expect(await numbers(at)).toEqual([1, 2]);
    else await expect(numbers(at)).rejects.toMatchObject({ code: 'CORRUPT' });
  }
});

it('a header that changed is CORRUPT when records follow, and says how to go on; without any, it holds nothing', async () => {
  const at = await place(2);
  const whole = readFileSync(at.file(1));
  const [first] = (await other(at).readAll())[0]!.records;
  const damaged = Buffer.from(whole);
  damaged[40]! ^= 1;
  writeFileSync(at.file(1), damaged);
  await expect(numbers(at)).rejects.toMatchObject({
    code: 'CORRUPT',
    message: expect.stringMatching(/journal\.1 .* is damaged.* move that file out/),
  });
  writeFileSync(at.file(1), damaged.subarray(0, first!.start.length));
  expect(await numbers(at)).toEqual([]);
});

it.each([
  { file: 2, length: 1, sum: 'x' },
  { file: 3, length: 1, sum: 'x' },
  { file: -1, length: 1, sum: 'x' },
  { file: 1, length: -1, sum: 'x' },
  { file: 1, length: 1, sum: 1 },
])('a header that seals what lies before no file of that name is CORRUPT: %j', async seal => {
  const at = await place(1);
  await at.journal.begin({ boot: 'b', token: 't', seal: seal as Seal }, 2);
  await expect(numbers(at)).rejects.toMatchObject({ code: 'CORRUPT' });
});

it('a header that holds nothing is CORRUPT', async () => {
  const at = await place(1);
  const frame = await frameOf(nativeCodec, new Uint8Array(20), 0, { data: null, objects: [] });
  writeFileSync(at.file(2), Buffer.concat([Buffer.from('vedit journal 3\n'), ...frame.parts]));
  await expect(numbers(at)).rejects.toMatchObject({ code: 'CORRUPT' });
});

it('a record of another file does not fit', async () => {
  const [one, two] = [await place(2), await place(1)];
  const start = (await other(one).readAll())[0]!.records[1]!.start.length;
  appendFileSync(two.file(1), readFileSync(one.file(1)).subarray(start));
  expect(await numbers(two)).toEqual([1]);
});

it('what was taken back is gone, and the next one follows', async () => {
  const at = await place(2);
  await at.journal.cutLast();
  await at.journal.append(record(7));
  expect(await numbers(at)).toEqual([1, 7]);
});

it('bytes past a seal are void', async () => {
  const at = await place(2);
  const seal = at.journal.end!;
  const woken = other(at);
  await woken.open((await woken.readAll())[0]!);
  await at.journal.begin({ boot: 'b', token: 't', seal }, 2);
  await woken.append(record(9));
  await woken.close();
  await at.journal.append(record(3));
  expect(await numbers(at)).toEqual([1, 2, 3]);
});

it.each(['EACCES', 'EPERM'])('a file that this user may not write is not gone on with: %s', async code => {
  const at = await place(1);
  const fs = overriding(nodeFs(), { open: failing(code) });
  const second = new Journal<{ n: number }>({ fs, codec: nativeCodec, folder: at.folder });
  expect(await second.open((await second.readAll())[0]!)).toBe(false);
  expect([second.number, second.count]).toEqual([null, 0]);
});

it('any other error of opening it is thrown', async () => {
  const at = await place(1);
  for (const code of ['EIO', undefined]) {
    const error = Object.assign(new Error('x'), { code });
    const fs = overriding(nodeFs(), { open: () => Promise.reject(error) });
    const second = new Journal<{ n: number }>({ fs, codec: nativeCodec, folder: at.folder });
    await expect(second.open((await second.readAll())[0]!)).rejects.toBe(error);
  }
});

it('a record of many megabytes is appended in pieces, and read back whole', async () => {
  const at = await place(1);
  const lengths: number[] = [];
  const fs = overriding(nodeFs(), {
    open: async (path, how, mode) => {
      const handle = await nodeFs().open(path, how, mode);
      const write = (bytes: Uint8Array): Promise<void> => {
        lengths.push(bytes.length);
        return handle.write(bytes);
      };
      return overriding(handle, { write });
    },
  });
  const second = new Journal<{ n: number }>({ fs, codec: nativeCodec, folder: at.folder });
  await second.open((await second.readAll())[0]!);
  const deflated = Uint8Array.from({ length: 2_500_000 }, (_, n) => n % 251);
  const objects = ['1', '2'].map(digit => ({ oid: digit.repeat(40), deflated }));
  await second.append({ data: { n: 2 }, objects });
  expect([lengths.length, Math.max(...lengths)]).toEqual([8, 1024 * 1024]);
  const [file] = await other(at).readAll();
  const [, last] = file!.records;
  expect([file!.torn, last!.data.n, last!.objects.map(({ oid }) => oid)]).toEqual([
    false,
    2,
    objects.map(({ oid }) => oid),
  ]);
  expect(Buffer.compare(last!.objects[1]!.deflated, deflated)).toBe(0);
  // Another process that has the file open reads it when it needs it.
  expect(await at.journal.catchUp('b')).toHaveLength(1);
});

it('a write that was cut short is an error, and what came of it is taken back', async () => {
  const at = await place(1);
  const fs = overriding(nodeFs(), {
    open: async (path, how, mode) => {
      const handle = await nodeFs().open(path, how, mode);
      return overriding(handle, { write: bytes => handle.write(bytes.subarray(0, 10)) });
    },
  });
  const short = new Journal<{ n: number }>({ fs, codec: nativeCodec, folder: at.folder });
  await short.open((await short.readAll())[0]!);
  await expect(short.append(record(2))).rejects.toMatchObject({ code: 'ENOSPC' });
  await short.cutLast();
  await short.close();
  expect(await numbers(at)).toEqual([1]);
  expect((await other(at).readAll())[0]!.torn).toBe(false);
});

it('refuses a newer format untouched', async () => {
  const at = await place();
  writeFileSync(at.file(2), 'vedit journal 4\nwhatever');
  await expect(numbers(at)).rejects.toMatchObject({ code: 'UNSUPPORTED_REPOSITORY' });
  expect(readFileSync(at.file(2), 'utf8')).toBe('vedit journal 4\nwhatever');
});

it('a file without a whole header holds nothing', async () => {
  const at = await place(1);
  writeFileSync(at.file(2), 'vedit jour');
  expect(await numbers(at)).toEqual([1]);
});

it('lists its files by their numbers, whatever the folder says first', async () => {
  const at = await place(1);
  const names = ['journal.10', 'journal.9', 'journal.0', 'journal.11', 'journal.1', 'journal.2.tmp'];
  const fs = overriding(nodeFs(), { readdir: async () => names });
  const journal = new Journal({ fs, codec: nativeCodec, folder: at.folder });
  expect(await journal.list()).toEqual([1, 9, 10, 11]);
});

it('has no end after the file that it appends to is removed, and keeps it while another one is', async () => {
  const { journal } = await place(1);
  await journal.begin({ boot: 'b', token: 't', seal: journal.end }, 2);
  await journal.remove(1);
  expect([journal.number, await journal.list()]).toEqual([2, [2]]);
  await journal.remove(2);
  expect([journal.number, journal.end, journal.size, await journal.list()]).toEqual([null, null, 0, []]);
});

it.each<[string, object]>([
  ['no start of the machine', { boot: 5 }],
  ['no token', { token: undefined }],
  ['no salt', { salt: 5 }],
  ['a word for a seal', { seal: 'x' }],
  ['no seal', { seal: undefined }],
  ['a seal of itself', { seal: { file: 2, length: 5, sum: 'x' } }],
  ['a seal of a negative length', { seal: { file: 1, length: -5, sum: 'x' } }],
  ['a seal without a sum', { seal: { file: 1, length: 5 } }],
])('a header with %s is CORRUPT', async (_, header) => {
  const at = await place(1);
  await other(at).begin({ boot: 'b', token: 't', seal: null, ...header } as never, 2);
  await expect(numbers(at)).rejects.toMatchObject({ code: 'CORRUPT' });
});
