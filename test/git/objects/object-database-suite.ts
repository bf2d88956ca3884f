/** What every codec must do with repositories that git made. */

import { chmodSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Fs } from '../../../src/fs/fs.ts';
import { type Codec, EMPTY_TREE, parseObject } from '../../../src/git/objects/object.ts';
import { type ObjectDatabase, openObjects } from '../../../src/git/objects/object-database.ts';
import { failing, overriding } from '../../helpers/overriding.ts';
import { repository, type Sandbox, sandbox } from '../../helpers/real-git.ts';

export interface Subject {
  codec: Codec;
  /** The file system through which the folder is read; called when all files are written. */
  view(dir: string): Promise<Fs>;
}

/** Revisions of one text that git stores as deltas of each other, a large blob, a tag. */
function history(box: Sandbox): Sandbox {
  const lines = Array.from({ length: 400 }, (_, i) => `line ${i} ${'x'.repeat(i % 37)}`);
  for (let revision = 0; revision < 6; revision++) {
    lines[revision * 50] = `changed in ${revision}`;
    box.write('dir/text', `${lines.join('\n')}\n`);
    box.write('empty', '');
    box.git('add', '.');
    box.git('commit', '-q', '-m', `revision ${revision}`);
  }
  box.git('tag', '-a', '-m', 'a tag', 'v1');
  return box;
}

const FORMS: Record<string, (box: Sandbox) => void> = {
  loose: () => {},
  packed: box => box.git('gc', '-q', '--prune=now'),
  'packed with deltas by id': box => {
    box.git('config', 'repack.useDeltaBaseOffset', 'false');
    box.git('repack', '-adfq', '--depth=50');
  },
  'packed without deltas': box => box.git('repack', '-adfq', '--depth=0'),
  'in two packs and loose': box => {
    box.git('repack', '-dq');
    box.write('more', 'more');
    box.git('add', '.');
    box.git('commit', '-q', '-m', 'more');
    box.git('repack', '-dq');
    box.write('more', 'most');
    box.git('commit', '-qam', 'most');
  },
  'with a multi-pack index': box => {
    FORMS['in two packs and loose']!(box);
    box.git('multi-pack-index', 'write');
  },
};

export function objectDatabaseSuite(name: string, { codec, view }: Subject): void {
  const open = async (box: Sandbox, objects = '.git/objects', maxBytes = 1e8): Promise<ObjectDatabase> => {
    const database = openObjects({
      fs: await view(box.path('..')),
      objectsDir: box.path(objects),
      codec,
      maxBytes,
    });
    return database;
  };
  const expectAll = async (database: ObjectDatabase, box: Sandbox) => {
    const list = box
      .git('cat-file', '--batch-all-objects', '--batch-check=%(objectname) %(objecttype) %(objectsize)')
      .split('\n');
    for (const line of list) {
      const [oid = '', type = ''] = line.split(' ');
      const object = await database.read(oid);
      expect(object.type).toBe(type);
      expect(Buffer.from(object.content).equals(box.pipe('', 'cat-file', type, oid))).toBe(true);
      expect(await database.has(oid)).toBe(true);
      expect(await database.expand(oid.slice(0, 12).toUpperCase())).toEqual([oid]);
    }
    expect(list.length).toBeGreaterThan(15);
  };

  describe(name, () => {
    test.each(Object.keys(FORMS))('reads every object of a repository that is %s', async form => {
      const box = history(repository());
      FORMS[form]!(box);
      const database = await open(box);
      await expectAll(database, box);
      const missing = '1'.repeat(40);
      expect(await database.readOrNull(missing)).toBeNull();
      expect(await database.has(missing)).toBe(false);
      expect(await database.expand('1111111')).toEqual([]);
      await expect(database.read(missing)).rejects.toMatchObject({ code: 'CORRUPT', data: { oid: missing } });
      await database.close();
    });

    test('reads what alternates hold, alternates of alternates too', async () => {
      const box = history(repository());
      box.git('gc', '-q');
      box.git('clone', '-q', '--shared', '.', '../second');
      const third = sandbox();
      third.git('clone', '-q', '--shared', box.path('../second'), '.');
      writeFileSync(
        box.path('../second/.git/objects/info/alternates'),
        '# relative\n"../../../\\162epo/.git/objects"\n',
      );
      const alternate = `${box.path('../second/.git/objects')}\n`;
      box.git('clone', '-q', '--shared', box.path('../second'), '../third');
      writeFileSync(box.path('../third/.git/objects/info/alternates'), alternate);
      await expectAll(await open(box, '../third/.git/objects'), box);
    });

    test('a prefix gives every object that begins with it, once', async () => {
      const box = history(repository());
      box.git('repack', '-aq');
      const database = await open(box);
      const all = box.git('cat-file', '--batch-all-objects', '--batch-check=%(objectname)').split('\n');
      const four = all[0]!.slice(0, 4);
      expect(await database.expand(four)).toEqual(all.filter(oid => oid.startsWith(four)));
      for (const prefix of ['', 'abc', 'xyz1', `${all[0]}0`])
        expect(await database.expand(prefix)).toEqual([]);
    });

    test('what is encoded is what git writes, and git reads it', async () => {
      const box = repository();
      for (const content of ['', 'hello\n', 'x'.repeat(100_000)]) {
        const bytes = new TextEncoder().encode(content);
        const encoded = await codec.encode('blob', bytes);
        expect(encoded.oid).toBe(box.pipe(content, 'hash-object', '--stdin').toString().trim());
        expect(await codec.hash('blob', bytes)).toBe(encoded.oid);
        expect(parseObject(await codec.inflate(encoded.deflated))).toEqual({ type: 'blob', content: bytes });
        box.write(`.git/objects/${encoded.oid.slice(0, 2)}/${encoded.oid.slice(2)}`, encoded.deflated);
        expect(box.git('cat-file', 'blob', encoded.oid)).toBe(content.trimEnd());
      }
      expect(await codec.sha1(new TextEncoder().encode('abc'))).toBe(
        'a9993e364706816aba3e25717850c26c9cd0d89d',
      );
    });

    test('what is remembered is read without being written, and the empty tree always', async () => {
      const database = await open(repository());
      const tree = await codec.encode('tree', new TextEncoder().encode(`100644 a\0${'x'.repeat(20)}`));
      database.remember(tree);
      expect(await database.read(tree.oid)).toEqual({ type: 'tree', content: tree.content });
      expect(await database.isPacked(tree.oid)).toBe(false);
      expect(await database.read(EMPTY_TREE)).toMatchObject({ type: 'tree' });
      await expect(database.read(tree.oid, 'commit')).rejects.toMatchObject({ code: 'CORRUPT' });
      await expect(database.read('HEAD')).rejects.toMatchObject({ code: 'CORRUPT' });
    });

    test.each([
      ['empty', () => Buffer.alloc(0)],
      ['cut off', (bytes: Buffer) => bytes.subarray(0, bytes.length >> 1)],
      ['changed', (bytes: Buffer) => Buffer.from(bytes.map((byte, i) => (i === 12 ? byte ^ 1 : byte)))],
      ['another object', () => Buffer.from('eJxLyslPUjBiAAALBAJ3', 'base64')],
      ['no zlib stream', () => Buffer.from('hello')],
    ])('a loose object that is %s is damage, by name', async (_, damage) => {
      const box = repository();
      const oid = box.pipe('some content\n', 'hash-object', '-w', '--stdin').toString().trim();
      const file = box.path('.git/objects', oid.slice(0, 2), oid.slice(2));
      const encoded = await codec.encode('blob', new TextEncoder().encode('some content\n'));
      chmodSync(file, 0o644);
      writeFileSync(file, damage(Buffer.from(encoded.deflated)));
      const database = await open(box);
      await expect(database.read(oid)).rejects.toMatchObject({ code: 'CORRUPT', data: { oid } });
      await expect(database.readOrNull(oid)).rejects.toMatchObject({ code: 'CORRUPT' });
    });

    test('damage of a pack is found, and an object is never handed out changed', async () => {
      const box = history(repository());
      const all = box.git('cat-file', '--batch-all-objects', '--batch-check=%(objectname)').split('\n');
      box.git('repack', '-adq');
      const pack = box.path(
        '.git/objects/pack',
        readdirSync(box.path('.git/objects/pack')).find(file => file.endsWith('.pack'))!,
      );
      const bytes = await (await view(box.path('..'))).readFile(pack);
      chmodSync(pack, 0o644);
      for (let at = 12; at < bytes.length - 20; at += Math.ceil(bytes.length / 12)) {
        const changed = Uint8Array.from(bytes, (byte, i) => (i === at ? byte ^ 0x55 : byte));
        writeFileSync(pack, changed);
        const database = await open(box);
        const errors = await Promise.all(
          all.map(oid =>
            database.read(oid).then(
              () => null,
              error => error.code,
            ),
          ),
        );
        expect(errors).toContain('CORRUPT');
        expect(errors.filter(code => code !== null && code !== 'CORRUPT')).toEqual([]);
        await database.close();
      }
      writeFileSync(pack, bytes.subarray(0, bytes.length - 100));
      await expect((await open(box)).read(all[0]!)).rejects.toMatchObject({ code: 'CORRUPT' });
    });

    test.each(['EIO', 'EMFILE', 'EACCES'])(
      '%s is an error of the store, never a missing object',
      async code => {
        const box = history(repository());
        const head = box.git('rev-parse', 'HEAD');
        const fail = failing(code);
        const real = await view(box.path('..'));
        const broken = (calls: Partial<Fs>) =>
          openObjects({ fs: overriding(real, calls), objectsDir: box.path('.git/objects'), codec });
        const refused = (read: Promise<unknown>) =>
          expect(read).rejects.toMatchObject({ code: 'STORE_FAILED', data: { cause: code } });
        await refused(broken({ readFile: fail }).read(head));
        await refused(broken({ lstat: fail }).has(head));
        await refused(broken({ readdir: fail }).expand(head.slice(0, 6)));
        await refused(broken({ readdir: fail }).read('1'.repeat(40)));
      },
    );

    test('an object over the limit is refused', async () => {
      const box = history(repository());
      const oid = box.git('rev-parse', 'HEAD:dir/text');
      const limited = async () => await (await open(box, '.git/objects', 1000)).read(oid);
      await expect(limited()).rejects.toMatchObject({ code: 'TOO_LARGE' });
      box.git('repack', '-adq');
      expect(statSync(box.path('.git/objects', oid.slice(0, 2)), { throwIfNoEntry: false })).toBeUndefined();
      await expect(limited()).rejects.toMatchObject({ code: 'TOO_LARGE' });
    });
  });
}

/** Cases that change the repository while it is open; only for a view that shows the change. */
export function liveDatabaseSuite(name: string, { codec, view }: Subject): void {
  describe(`${name}, changing`, () => {
    test('objects are found after a repack, after a gc, and after their pack went', async () => {
      const box = history(repository());
      const database = openObjects({
        fs: await view(box.dir),
        objectsDir: box.path('.git/objects'),
        codec,
        cacheBytes: 0,
      });
      const oids = box
        .git('rev-list', '--objects', 'HEAD')
        .split('\n')
        .map(line => line.slice(0, 40));
      const readAll = async () => {
        for (const oid of oids) await database.read(oid);
      };
      await readAll();
      for (const step of [
        ['repack', '-dq'],
        ['repack', '-adfq'],
        ['gc', '-q', '--prune=now'],
        ['repack', '-adfq', '--depth=3'],
      ]) {
        box.git(...step);
        expect(await database.isPacked(oids[0]!)).toBe(true);
        await readAll();
      }
      const [pack] = readdirSync(box.path('.git/objects/pack')).filter(file => file.endsWith('.pack'));
      const data = await (await view(box.dir)).readFile(box.path('.git/objects/pack', pack!));
      rmSync(box.path('.git/objects/pack'), { recursive: true });
      expect(await database.isPacked(oids[0]!)).toBe(false);
      box.pipe(data, 'unpack-objects', '-q');
      await readAll();
      await database.close();
    });
  });
}
