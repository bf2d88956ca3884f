/** A store of three functions: the suite that every store has to pass, and a workspace on it. */

import { describe, expect, it } from 'vitest';
import {
  initRepository,
  memoryFs,
  openWorkspace,
  type Session,
  type Store,
  simpleStore,
} from '../../src/index.ts';
import { storeCases } from '../../src/stores/suite.ts';

function made(): { files: Map<string, Uint8Array>; store: Store } {
  const files = new Map<string, Uint8Array>();
  const store = simpleStore({
    read: path => files.get(path) ?? null,
    write: (path, bytes) => (bytes ? files.set(path, bytes) : files.delete(path)),
    list: () => files.keys(),
  });
  return { files, store };
}

const open = async () => {
  const { files, store } = made();
  const put = async (path: string, bytes: Uint8Array | null): Promise<void> =>
    void (bytes ? files.set(path, bytes) : files.delete(path));
  return { store, put };
};

describe('the suite of stores', () => {
  for (const { name, run } of storeCases(open)) {
    // There are no modes: see below.
    it.skipIf(name === 'keeps the execute bit')(name, run);
  }
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
