import { appendFileSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { Journal } from '../../../../src/engine/transaction/journal/journal.ts';
import { nodeFs } from '../../../../src/fs/node/node-fs.ts';
import { nativeCodec } from '../../../../src/git/native/codec.ts';
import { failing, overriding } from '../../../helpers/overriding.ts';
import { numbers, other, type Place, place, record } from './place.ts';

it('knows whether it still is where it was left', async () => {
  const at = await place(1);
  expect(await at.journal.catchUp('b')).toEqual([]);
  const second = other(at);
  await second.open((await second.readAll())[0]!);
  await second.append(record(2));
  expect(await second.catchUp('b')).toEqual([]);
  truncateSync(at.file(1), readFileSync(at.file(1)).length - 1);
  expect(await second.catchUp('b')).toBeNull();
  await second.close();
});

it('goes on behind what another process appended, and tells its records', async () => {
  const at = await place(1);
  const second = other(at);
  await second.open((await second.readAll())[0]!);
  await second.append(record(2));
  await second.append(record(3));
  const [whole] = await second.readAll();
  expect(await at.journal.catchUp('b')).toEqual(whole!.records.slice(1));
  expect([await at.journal.catchUp('b'), at.journal.end, at.journal.count]).toEqual([[], whole!.end, 3]);
  await at.journal.append(record(4));
  expect((await second.catchUp('b'))?.map(({ data }) => data)).toEqual([{ n: 4 }]);
  expect(await numbers(at)).toEqual([1, 2, 3, 4]);
  await second.close();
});

it('reads all anew where a checkpoint removes the next file between two looks', async () => {
  const at = await place(1);
  const second = other(at);
  await second.open((await second.readAll())[0]!);
  await second.begin({ boot: 'b', token: 'u', seal: second.end }, 2);
  const gone = overriding(nodeFs(), {
    open: (path, how, mode) => {
      if (how === 'journal' && path === at.file(2)) rmSync(path);
      return nodeFs().open(path, how, mode);
    },
  });
  const third = new Journal<{ n: number }>({ fs: gone, codec: nativeCodec, folder: at.folder });
  await third.open((await third.readAll())[0]!);
  expect(await third.catchUp('b')).toBeNull();
  await third.close();
  await second.close();
});

it.each<[string, (at: Place, second: Journal<{ n: number }>) => unknown]>([
  ['half a record', ({ file }) => truncateSync(file(1), readFileSync(file(1)).length - 1)],
  [
    'a file of another start of the machine',
    (_, second) => second.begin({ boot: 'c', token: 'u', seal: second.end }, 2),
  ],
  ['a file without a seal', (_, second) => second.begin({ boot: 'b', token: 'u', seal: null }, 2)],
  [
    'a file that seals another one',
    (_, second) => second.begin({ boot: 'b', token: 'u', seal: { ...second.end!, file: 0 } }, 2),
  ],
  [
    'a file whose seal says another sum',
    (_, second) => second.begin({ boot: 'b', token: 'u', seal: { ...second.end!, sum: '0'.repeat(40) } }, 2),
  ],
  [
    'a file that counts on more than there is',
    (_, second) => {
      const length = second.end!.length + 1;
      return second.begin({ boot: 'b', token: 'u', seal: { ...second.end!, length } }, 2);
    },
  ],
  [
    'a new file that is torn',
    async ({ file }, second) => {
      await second.begin({ boot: 'b', token: 'u', seal: second.end }, 2);
      appendFileSync(file(2), 'half');
    },
  ],
  [
    'a file that is another one',
    ({ file }) => {
      const bytes = readFileSync(file(1));
      rmSync(file(1));
      writeFileSync(file(1), bytes);
    },
  ],
  [
    'records that do not fit',
    ({ file }) => {
      const bytes = readFileSync(file(1));
      bytes[bytes.length - 1]! ^= 1;
      writeFileSync(file(1), bytes);
    },
  ],
])('follows nobody into %s', async (_, change) => {
  const at = await place(1);
  const second = other(at);
  await second.open((await second.readAll())[0]!);
  await second.append(record(2));
  await change(at, second);
  expect(await at.journal.catchUp('b')).toBeNull();
  await second.close();
});

it('follows into the files that others began, though a checkpoint has removed the names of those before', async () => {
  const at = await place(1);
  const second = other(at);
  await second.open((await second.readAll())[0]!);
  await second.append(record(2));
  for (const number of [2, 3]) {
    await second.begin({ boot: 'b', token: 'u', seal: second.end }, number);
    await second.append(record(number + 1));
  }
  rmSync(at.file(1));
  expect((await at.journal.catchUp('b'))?.map(({ data }) => data.n)).toEqual([2, 3, 4]);
  expect([at.journal.number, at.journal.count, at.journal.end]).toEqual([3, 1, second.end]);
  await at.journal.append(record(5));
  expect((await second.catchUp('b'))?.map(({ data }) => data.n)).toEqual([5]);
  await second.close();
});

it('follows nobody where the start of the machine cannot be told, nor past a seal that voids what it appended', async () => {
  const at = await place(1);
  const second = other(at);
  await second.open((await second.readAll())[0]!);
  const seal = second.end;
  await second.begin({ boot: 'b', token: 'u', seal }, 2);
  expect(await at.journal.catchUp(null)).toBeNull();
  await at.journal.append(record(2));
  expect(await at.journal.catchUp('b')).toBeNull();
  await second.close();
});

it('sees that the end it left was changed, also where nothing was appended', async () => {
  const at = await place(1);
  const bytes = readFileSync(at.file(1));
  bytes[bytes.length - 1]! ^= 1;
  writeFileSync(at.file(1), bytes);
  expect(await at.journal.catchUp('b')).toBeNull();
});

it('takes nothing back of what others appended', async () => {
  const at = await place(1);
  const second = other(at);
  await second.open((await second.readAll())[0]!);
  await second.append(record(2));
  await at.journal.catchUp('b');
  await at.journal.cutLast();
  expect([await numbers(at), at.journal.endBeforeLast]).toEqual([[1, 2], second.end]);
  await second.close();
});

it('follows nobody into a file that this user may not write', async () => {
  const at = await place(1);
  const [file] = await other(at).readAll();
  let { open } = nodeFs();
  const fs = overriding(nodeFs(), { open: (...given) => open(...given) });
  const journal = new Journal<{ n: number }>({ fs, codec: nativeCodec, folder: at.folder });
  expect(await journal.open(file!)).toBe(true);
  await at.journal.begin({ boot: 'b', token: 'u', seal: at.journal.end }, 2);
  open = failing('EACCES');
  expect([await journal.catchUp('b'), journal.number]).toEqual([null, null]);
});
