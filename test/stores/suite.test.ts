/** Every back end that keeps files passes the published suite; and the suite catches stores that do not. */

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nodePlatform } from '../../src/git/native/platform.ts';
import { givenStore } from '../../src/stores/checked.ts';
import { diskStore } from '../../src/stores/disk/disk.ts';
import { versionOf } from '../../src/stores/record.ts';
import { type MemoryStore, memoryStore } from '../../src/stores/simple.ts';
import type { Store } from '../../src/stores/store.ts';
import { type StoreUnderTest, storeCases } from '../../src/stores/suite.ts';
import { openDatabase, putDocument, sqliteStore } from './sqlite/store.ts';

const BACK_ENDS: Readonly<Record<string, () => Promise<StoreUnderTest>>> = {
  memory: async () => {
    const store = memoryStore();
    return { store, put: store.set };
  },

  'memory, as it is given to a workspace': async () => {
    const store = memoryStore();
    return { store: givenStore(store, versionOf), put: store.set };
  },

  sqlite: async () => {
    const folder = scratch();
    let db = openDatabase(join(folder, 'docs.db'));
    return {
      store: sqliteStore(db),
      put: (path, bytes) => putDocument(db, path, bytes),
      reopen: async () => {
        db.close();
        db = openDatabase(join(folder, 'docs.db'));
        return sqliteStore(db);
      },
      close: async () => {
        db.close();
        rmSync(folder, { recursive: true });
      },
    };
  },

  disk: async () => {
    const root = scratch();
    const { fs, codec } = nodePlatform();
    const gitDir = join(root, '.git');
    const stageFolder = join(gitDir, 'vedit/tmp');
    mkdirSync(stageFolder, { recursive: true });
    const hash = (bytes: Uint8Array): Promise<string> | string => codec.hash('blob', bytes);
    const open = (): Store => diskStore({ fs, root, gitDir, stageFolder, hash, maxBytes: 1e6 });
    return {
      store: open(),
      reopen: async () => open(),
      put: async (path, bytes) => {
        mkdirSync(dirname(join(root, path)), { recursive: true });
        if (bytes) writeFileSync(join(root, path), bytes);
        else rmSync(join(root, path));
      },
      close: async () => rmSync(root, { recursive: true }),
    };
  },
};

function scratch(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), 'vedit-store-')));
}

describe.each(Object.entries(BACK_ENDS))('%s', (_, open) => {
  for (const { name, run } of storeCases(open)) it(name, run);
});

/** Ways to get it wrong, each with the case that has to see it. */
const FAULTS: ReadonlyArray<readonly [string, (store: MemoryStore) => Partial<Store>]> = [
  ['keeps exact bytes', store => ({ read: async path => changed(await store.read(path)) })],
  ['keeps the execute bit', store => ({ read: async path => plain(await store.read(path)) })],
  ['shows nothing of what is staged', store => ({ stage: eager(store) })],
  ['sees what somebody else changed', store => ({ stage: blind(store) })],
  ['finishes after a crash', () => ({ recover: async () => [] })],
  ['lists folders', store => ({ list: async path => (await store.list(path))?.reverse() ?? null })],
];

describe('the suite', () => {
  it.each(FAULTS)('catches a store that fails: %s', async (name, fault) => {
    const cases = storeCases(async () => {
      const store = memoryStore();
      return { store: { ...store, ...fault(store) }, put: store.set };
    });
    const found = cases.find(one => one.name.startsWith(name))!;
    await expect(found.run()).rejects.toThrow('expected');
  });
});

type File = Awaited<ReturnType<Store['read']>>;

function changed(file: File): File {
  return file && { ...file, bytes: file.bytes.map(byte => (byte === 13 ? 10 : byte)) };
}

function plain(file: File): File {
  return file && { ...file, mode: '100644' };
}

function eager(store: MemoryStore): Store['stage'] {
  return async changes => {
    const staged = await store.stage(changes);
    await staged.publish();
    return staged;
  };
}

function blind(store: MemoryStore): Store['stage'] {
  return async changes => ({ ...(await store.stage(changes)), verify: async () => [] });
}

describe('versionOf', () => {
  it('is the id that git gives', async () => {
    expect(await versionOf(new Uint8Array())).toBe('e69de29bb2d1d6434b8b29ae775ad8c2e48c5391');
    expect(await versionOf(new TextEncoder().encode('a\nb\n'))).toBe(
      '422c2b7ab3b3c668038da977e4e93a5fc623169c',
    );
  });
});
