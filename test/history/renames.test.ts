import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { renamesOf } from '../../src/history/renames.ts';

/** Files that went, and files that came, by their contents; answers who came from where, and which were read. */
async function renamed(
  gone: Record<string, string>,
  come: Record<string, string>,
): Promise<{ found: Record<string, string>; read: string[] }> {
  const read: string[] = [];
  const changes = [
    ...Object.entries(gone).map(([path, text]) => ({ path, before: text, after: null })),
    ...Object.entries(come).map(([path, text]) => ({ path, before: null, after: text })),
  ];
  const found = await renamesOf<string>(changes, (path, text) => {
    const bytes = Buffer.from(text, 'latin1');
    const oid = createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
    return {
      path,
      oid,
      read: async () => {
        read.push(path);
        return { bytes, mode: '100644', version: oid };
      },
    };
  });
  return { found: Object.fromEntries(found), read };
}

const text = (name: string): string => Array.from({ length: 9 }, (_, n) => `${name} ${n}\n`).join('');

it('a file with the same content is the same, and nothing is read for it', async () => {
  const { found, read } = await renamed({ a: text('a'), b: '\0\x01' }, { c: '\0\x01', d: text('a') });
  expect([found, read]).toEqual([{ c: 'b', d: 'a' }, []]);
});

it('of several with one content that with the same name is meant first, and each once', async () => {
  const same = text('same');
  const { found } = await renamed(
    { 'a/one': same, 'b/two': same },
    { 'c/new': same, 'd/two': same, 'e/one': same },
  );
  expect(found).toEqual({ 'd/two': 'b/two', 'e/one': 'a/one' });
});

it('half of the lines have to be the same, and the most similar are paired', async () => {
  const { found } = await renamed(
    { a: `${text('x')}1\n`, b: text('other') },
    { c: `${text('x')}2\n3\n`, d: `${text('x')}1\n2\n`, e: text('new') },
  );
  expect(found).toEqual({ d: 'a' });
});

it('files that are empty, or no text, are like no other', async () => {
  const binary = (n: number): string => `\0${text('same')}${n}`;
  expect((await renamed({ a: '', b: binary(1) }, { c: '', d: binary(2), e: '\n' })).found).toEqual({});
});

it('of very many files only those that are the same are looked for', async () => {
  const many = (name: string, end: string): Record<string, string> =>
    Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`${name}${n}`, `${text(`${n}`)}${end}`]));
  const { found, read } = await renamed(
    { ...many('old', 'x'), 'a/same': 'same\n' },
    { ...many('new', 'y'), 'b/same': 'same\n' },
  );
  expect([found, read]).toEqual([{ 'b/same': 'a/same' }, []]);
});
