import { execFileSync } from 'node:child_process';
import { readdirSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import { nativeCodec } from '../../../src/git/native/codec.ts';
import { Pack } from '../../../src/git/native/pack.ts';
import { LruCache } from '../../../src/git/objects/lru.ts';
import type { GitObject } from '../../../src/git/objects/object.ts';
import { openObjects } from '../../../src/git/objects/object-database.ts';
import { overriding } from '../../helpers/overriding.ts';
import { repository } from '../../helpers/real-git.ts';
import { seededBytes } from '../../helpers/seeded-bytes.ts';
import { liveDatabaseSuite, objectDatabaseSuite } from '../objects/object-database-suite.ts';

const subject = { codec: nativeCodec, view: async () => nodeFs() };

objectDatabaseSuite('the native codec', subject);
liveDatabaseSuite('the native codec', subject);

function packNames(dir: string): string[] {
  return readdirSync(dir).filter(name => /\.(pack|idx)$/.test(name));
}

function packedBlobs(count: number, size: number): { box: ReturnType<typeof repository>; oids: string[] } {
  const box = repository();
  const blobs = Array.from({ length: count }, () => seededBytes(size));
  const oids = blobs.map(blob => box.pipe(blob, 'hash-object', '-w', '--stdin').toString().trim());
  box.pipe(oids.join('\n'), 'pack-objects', '-q', '.git/objects/pack/pack');
  box.git('prune-packed', '-q');
  return { box, oids };
}

test('offsets of 8 bytes are followed, and an index of version 1 is refused', async () => {
  const { box, oids } = packedBlobs(20, 50);
  const dir = box.path('.git/objects/pack');
  const pack = packNames(dir).find(name => name.endsWith('.pack'))!;
  const open = () => openObjects({ fs: nodeFs(), objectsDir: box.path('.git/objects'), codec: nativeCodec });
  for (const [version, check] of [
    ['2,0x40', (read: Promise<unknown>) => expect(read).resolves.toMatchObject({ type: 'blob' })],
    [
      '1',
      (read: Promise<unknown>) =>
        expect(read).rejects.toMatchObject({
          code: 'CORRUPT',
          message: expect.stringContaining('version 2'),
        }),
    ],
  ] as const) {
    execFileSync('git', ['index-pack', `--index-version=${version}`, pack], { cwd: dir });
    for (const oid of oids) await check(open().read(oid));
  }
});

test('objects are told apart in a process that has opened a great many packs', async () => {
  const { box, oids } = packedBlobs(20, 8);
  const bases = new LruCache<string, GitObject>(0, () => 0);
  for (let n = 0; n < 40_000; n++) new Pack({ fs: nodeFs(), path: 'not opened', maxBytes: 0, bases });
  const objects = openObjects({ fs: nodeFs(), objectsDir: box.path('.git/objects'), codec: nativeCodec });
  for (const oid of oids) expect((await objects.read(oid)).content).toHaveLength(8);
});

test('a pack behind a symbolic link is read', async () => {
  const { box, oids } = packedBlobs(2, 50);
  const dir = box.path('.git/objects/pack');
  for (const name of packNames(dir)) {
    renameSync(`${dir}/${name}`, box.path(name));
    symlinkSync(box.path(name), `${dir}/${name}`);
    expect(readlinkSync(`${dir}/${name}`)).toBe(box.path(name));
  }
  const objects = openObjects({ fs: nodeFs(), objectsDir: box.path('.git/objects'), codec: nativeCodec });
  expect((await objects.read(oids[0]!)).content).toHaveLength(50);
});

test('one object of a large pack is read without reading the pack', async () => {
  const { box, oids } = packedBlobs(40, 500_000);
  const [fs, reads] = [nodeFs(), [] as number[]];
  const counting = overriding(fs, {
    open: async (path, how) => {
      const handle = await fs.open(path, how);
      const read = (position: number, length: number) => {
        reads.push(length);
        return handle.read(position, length);
      };
      return {
        ...handle,
        fd: handle.fd,
        stat: () => handle.stat(),
        close: () => handle.close(),
        read,
      } as typeof handle;
    },
  });
  const objects = openObjects({ fs: counting, objectsDir: box.path('.git/objects'), codec: nativeCodec });
  expect((await objects.read(oids[7]!)).content).toHaveLength(500_000);
  expect(reads.length).toBeGreaterThan(3);
  expect(reads.reduce((sum, length) => sum + length)).toBeLessThan(700_000);
});

test('many lookups at once, while packs come and go, all find their object', async () => {
  const { box, oids } = packedBlobs(60, 200);
  const packs = box.path('.git/objects/pack');
  const first = packNames(packs);
  const before: string[] = [];
  const objects = openObjects({ fs: nodeFs(), objectsDir: box.path('.git/objects'), codec: nativeCodec });
  const readdir = async (path: string) => {
    await new Promise(setImmediate);
    return readdirSync(path);
  };
  const fs = overriding(nodeFs(), { readdir });
  const slow = openObjects({ fs, objectsDir: box.path('.git/objects'), codec: nativeCodec });
  for (let round = 0; round < 4; round++) {
    const reading = [objects, slow].map(database => Promise.all(oids.map(oid => database.read(oid))));
    box.pipe(oids.slice(round).join('\n'), 'pack-objects', '-q', '.git/objects/pack/pack');
    const asked = Promise.all([objects.isPacked(oids[0]!), slow.expand(oids[1]!.slice(0, 12))]);
    await objects.close();
    for (const found of await Promise.all(reading))
      expect(found.map(({ type, content }) => nativeCodec.hash(type, content))).toEqual(oids);
    expect(await asked).toEqual([true, [oids[1]]]);
    // Those of the rounds before go, and the next lookups find what the new one holds.
    for (const name of before.splice(0)) rmSync(`${packs}/${name}`);
    before.push(...packNames(packs).filter(name => !first.includes(name)));
  }
  expect(await Promise.all(oids.map(oid => slow.isPacked(oid)))).toEqual(oids.map(() => true));
  await Promise.all([objects.close(), slow.close()]);
});

test('a folder that had the last object is asked first: in a clone that borrows all of its objects', async () => {
  const { box, oids } = packedBlobs(20, 50);
  const clone = repository();
  clone.write('.git/objects/info/alternates', `${box.path('.git/objects')}\n`);
  const own = clone.path('.git/objects');
  const tried: string[] = [];
  const fs = overriding(nodeFs(), {
    readFile: path => {
      if (path.startsWith(own) && !path.endsWith('/alternates')) tried.push(path);
      return nodeFs().readFile(path);
    },
  });
  const objects = openObjects({ fs, objectsDir: own, codec: nativeCodec });
  for (const oid of oids) expect((await objects.read(oid)).content).toHaveLength(50);
  expect(tried).toHaveLength(1);
  const fresh = clone.pipe('fresh', 'hash-object', '-w', '--stdin').toString().trim();
  expect(new TextDecoder().decode((await objects.read(fresh)).content)).toBe('fresh');
  await objects.close();
});
