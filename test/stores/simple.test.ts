/** A store of three functions: the suite that every store has to pass, and a workspace on it. */

import sqlite from 'node-sqlite3-wasm';
import { describe, expect, it } from 'vitest';
import {
  initRepository,
  memoryFs,
  openWorkspace,
  type Session,
  type Store,
  simpleStore,
} from '../../src/index.ts';
import { type StoreUnderTest, storeCases } from '../../src/stores/suite.ts';
import { bucketStore, objectStore, tableStore } from './places.ts';

function made(): { files: Map<string, Uint8Array>; store: Store } {
  const files = new Map<string, Uint8Array>();
  const store = simpleStore({
    read: path => files.get(path) ?? null,
    write: (path, bytes, { before }) => {
      if (!isSame(files.get(path) ?? null, before)) return 'moved';
      return bytes ? files.set(path, bytes) : files.delete(path);
    },
    list: () => files.keys(),
  });
  return { files, store };
}

function isSame(a: Uint8Array | null, b: Uint8Array | null): boolean {
  return a === null || b === null ? a === b : Buffer.compare(a, b) === 0;
}

/** Places that know no bytes of before, but a version of their own: each as docs/stores.md has it. */
const PLACES: Readonly<Record<string, () => Promise<StoreUnderTest>>> = {
  'a map': async () => {
    const { files, store } = made();
    const put = async (path: string, bytes: Uint8Array | null): Promise<void> =>
      void (bytes ? files.set(path, bytes) : files.delete(path));
    return { store, put };
  },
  'a table with a revision': async () => {
    const db = new sqlite.Database(':memory:');
    db.exec(
      'CREATE TABLE documents (path TEXT PRIMARY KEY, content BLOB NOT NULL, revision INTEGER NOT NULL)',
    );
    const put = async (path: string, bytes: Uint8Array | null): Promise<void> => {
      if (!bytes) return void db.run('DELETE FROM documents WHERE path = ?', [path]);
      const next = 'ON CONFLICT (path) DO UPDATE SET content = excluded.content, revision = revision + 1';
      db.run(`INSERT INTO documents VALUES (?, ?, 1) ${next}`, [path, bytes]);
    };
    return { store: tableStore(db), put, close: async () => db.close() };
  },
  'an object store with ETags': async () => {
    const bucket = await objectStore();
    const put = async (path: string, bytes: Uint8Array | null): Promise<void> => bucket.put(path, bytes);
    return { store: bucketStore(bucket.url, bucket.list), put, close: async () => bucket.close() };
  },
};

describe.each(Object.entries(PLACES))('the suite of stores on %s', (_, open) => {
  for (const { name, run } of storeCases(open, { modes: false })) it(name, run);
});

describe('a write by somebody else', () => {
  const put: Parameters<typeof storeCases>[0] = async () => {
    const files = new Map<string, Uint8Array>();
    const write = (path: string, bytes: Uint8Array | null): unknown =>
      bytes ? files.set(path, bytes) : files.delete(path);
    const store = simpleStore({ read: path => files.get(path) ?? null, write, list: () => files.keys() });
    return { store, put: async (path, bytes) => void write(path, bytes) };
  };

  it('is lost where write does not look, and the suite says so', async () => {
    const one = storeCases(put).find(
      ({ name }) => name === 'writes over nothing that somebody writes meanwhile',
    )!;
    await expect(one.run()).rejects.toThrow('written by others after 0 steps: expected ["theirs"]');
  });

  it('in the midst of ours is kept, told, and recorded by the next edit', async () => {
    const { files, store } = made();
    const theirs = new TextEncoder().encode('# Theirs\n');
    let meanwhile = false;
    const slow = simpleStore({
      read: path => files.get(path) ?? null,
      list: () => files.keys(),
      write: async (path, bytes, { before, version }) => {
        if (meanwhile) files.set(path, theirs);
        if (!isSame(files.get(path) ?? null, before)) return 'moved';
        expect(version).toBe((await store.read(path))?.version ?? null);
        files.set(path, bytes!);
      },
    });
    const one = await session(slow);
    await one.edit('create', { path: 'a.md', file_text: '# Hello\n' });
    meanwhile = true;
    const { data } = await one.edit('str_replace', { path: 'a.md', old_str: 'Hello', new_str: 'Bye' });
    expect(data.warnings).toEqual([
      expect.stringContaining('a.md was saved by somebody else in the same moment'),
    ]);
    expect(files.get('a.md')).toEqual(theirs);
    meanwhile = false;
    await one.edit('str_replace', { path: 'a.md', old_str: 'Theirs', new_str: 'Ours' });
    const ops = (await one.log()).data.entries.map(({ op }) => op);
    expect(ops).toEqual(['str_replace', 'outside', 'str_replace', 'create']);
  });
});

async function session(store: Store): Promise<Session> {
  const fs = memoryFs();
  await initRepository({ root: '/h.git', fs, bare: true });
  return (await openWorkspace({ root: '/h.git', fs, store })).session();
}

describe('a workspace on three functions', () => {
  it('edits, sees what others wrote, and takes back', async () => {
    const { files, store } = made();
    const one = await session(store);
    const text = (path: string): string => new TextDecoder().decode(files.get(path));
    await one.edit('create', { path: 'articles/a.md', file_text: '# Hello\n' });
    files.set('articles/a.md', new TextEncoder().encode('# Hello, Ada\n'));
    await one.edit('str_replace', { path: 'articles/a.md', old_str: 'Ada', new_str: 'Bob' });
    await one.edit('move', { path: 'articles/a.md', new_path: 'b.md' });
    expect([...files.keys()]).toEqual(['b.md']);
    expect(text('b.md')).toBe('# Hello, Bob\n');
    await one.undo({ count: 2 });
    expect(text('articles/a.md')).toBe('# Hello, Ada\n');
    expect((await one.verify()).data.faults).toEqual([]);
  });

  it('may read texts, and refuses what it could not give back', async () => {
    const table: Record<string, string> = { 'a.sh': 'echo\n' };
    const store = simpleStore({
      read: async path => table[path] ?? null,
      write: async (path, bytes) => {
        if (bytes) table[path] = new TextDecoder().decode(bytes);
        else delete table[path];
      },
      list: async () => Object.keys(table),
    });
    const one = await session(store);
    await one.edit('str_replace', { path: 'a.sh', old_str: 'echo', new_str: 'true' });
    expect(table).toEqual({ 'a.sh': 'true\n' });
    const patch = 'diff --git a/a.sh b/a.sh\nold mode 100644\nnew mode 100755\n';
    await expect(one.edit('unified_diff', { patch })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('is told what goes wrong in them', async () => {
    const fail = (): never => {
      throw new Error('the API is down');
    };
    const one = await session(simpleStore({ read: fail, write: fail, list: fail }));
    const call = one.edit('create', { path: 'a', file_text: 'a' });
    await expect(call).rejects.toMatchObject({
      code: 'STORE_FAILED',
      message: expect.stringContaining('the API is down'),
    });
  });
});

it.each([
  ['write', { read: () => null, list: () => [] }],
  ['read and list', { read: null, write: () => {} }],
  ['read and write and list', undefined],
])('without %s no store is made of functions', (missing, files) => {
  expect(() => simpleStore(files as never)).toThrow(`simpleStore needs three functions, and ${missing} `);
  expect(() => simpleStore(files as never)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
});

describe('a store that is none', () => {
  const { store } = made();
  it.each<[string, object, RegExp]>([
    [
      'lacks functions',
      { read: store.read },
      /it has no resolve\(\), no list\(\), no stage\(\).*simpleStore/,
    ],
    [
      'does not say whether others write',
      { ...store, separate: undefined },
      /it has no separate \(true where/,
    ],
    ['has something else for a function', { ...store, close: true }, /close must be a function/],
    [
      'is three functions',
      { read: () => null, write: () => null, list: () => [] },
      /simpleStore\(\{ read, write, list \}\)/,
    ],
  ])('opens nothing: it %s', async (_, wrong, words) => {
    const call = session(wrong as Store);
    await expect(call).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringMatching(words),
    });
  });

  it.each<[string, Partial<Store>, RegExp]>([
    ['no bytes', { read: async () => ({ bytes: 'text' as never, mode: '100644', version: '' }) }, /no bytes/],
    [
      'no mode',
      { read: async () => ({ bytes: new Uint8Array(), mode: 'x' as never, version: '' }) },
      /mode "x"/,
    ],
    [
      'half of what is staged',
      { stage: async () => ({ verify: async () => [] }) as never },
      /has no sync, no publish/,
    ],
  ])('fails at the call where it answers %s', async (_, parts, words) => {
    const one = await session({ ...made().store, ...parts });
    const call = one.edit('create', { path: 'a', file_text: 'a' });
    await expect(call).rejects.toMatchObject({ code: 'STORE_FAILED', message: expect.stringMatching(words) });
  });
});
