import { createHash } from 'node:crypto';
import fsCallbacks, { mkdirSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import isomorphicGit from 'isomorphic-git';
import { describe, expect, it } from 'vitest';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import { nativeCodec } from '../../../src/git/native/codec.ts';
import { type ObjectType, objectHeader, type PackInput } from '../../../src/git/objects/object.ts';
import { buildPack, type NewPack } from '../../../src/git/packs/build-pack.ts';
import { portableCodec } from '../../../src/git/portable/codec.ts';
import { repository, type Sandbox } from '../../helpers/real-git.ts';
import { History, SMALL } from './history.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function object(type: ObjectType, content: Uint8Array): PackInput {
  const oid = createHash('sha1').update(objectHeader(type, content.length)).update(content).digest('hex');
  return { oid, type, content };
}

/** Puts the pack into a repository of its own. */
function stored({ name, pack, index }: NewPack): Sandbox {
  const box = repository();
  mkdirSync(box.path('.git/objects/pack'), { recursive: true });
  writeFileSync(box.path(`.git/objects/pack/${name}.pack`), Buffer.concat(pack));
  writeFileSync(box.path(`.git/objects/pack/${name}.idx`), index);
  return box;
}

/** Everything that git, the engine and isomorphic-git have to say about the pack. */
async function check(made: NewPack, objects: readonly PackInput[], complete = true): Promise<Sandbox> {
  const box = stored(made);
  const path = box.path(`.git/objects/pack/${made.name}`);
  box.git('index-pack', ...(complete ? ['--strict'] : []), '-o', box.path('../again.idx'), `${path}.pack`);
  expect(fsCallbacks.readFileSync(box.path('../again.idx')).equals(made.index)).toBe(true);
  box.git('verify-pack', `${path}.idx`);
  if (complete) expect(box.git('fsck', '--strict', '--no-dangling')).toBe('');
  const packs = nativeCodec.packs({ fs: nodeFs(), objectsDir: box.path('.git/objects'), maxBytes: 1e9 });
  const cache = {};
  for (const { oid, type, content } of objects) {
    const read = await packs.read(oid);
    expect(read?.type).toBe(type);
    expect(Buffer.from(read!.content).equals(content)).toBe(true);
    const args = { fs: fsCallbacks, dir: box.dir, gitdir: box.path('.git'), oid, cache };
    const other = await isomorphicGit.readObject({ ...args, format: 'content' });
    expect(Buffer.from(other.object as Uint8Array).equals(content)).toBe(true);
  }
  await packs.close();
  return box;
}

/** As the journal carries them. */
async function deflatedOnce(objects: readonly PackInput[]): Promise<PackInput[]> {
  return Promise.all(objects.map(({ type, content, oid }) => nativeCodec.encode(type, content, oid)));
}

describe('a pack of edits', () => {
  it('is what git makes of such bytes, and gives every object back', async () => {
    const history = new History(SMALL);
    const objects = [...history.first, ...history.take(120)];
    const made = await buildPack(nativeCodec, objects);
    await check(made, objects);
    const bytes = Buffer.concat(made.pack);
    expect(made.name).toBe(`pack-${bytes.subarray(-20).toString('hex')}`);
  });

  it('gives back what was deflated before, and trees and commits that were stored as they are', async () => {
    const objects = new History(SMALL).take(20);
    await check(await buildPack(nativeCodec, await deflatedOnce(objects)), objects, false);
  });

  it('has commits first, which who reads a log reads', async () => {
    const made = await buildPack(nativeCodec, new History(SMALL).take(5));
    const box = stored(made);
    const rows = box.git('verify-pack', '-v', box.path(`.git/objects/pack/${made.name}.idx`)).split('\n');
    const placed = rows.flatMap(row => {
      const [oid, type, , , offset] = row.split(/ +/);
      return oid?.length === 40 ? [{ type, at: Number(offset) }] : [];
    });
    const types = placed.sort((a, b) => a.at - b.at).map(({ type }) => type);
    expect([...new Set(types)]).toEqual(['commit', 'tree', 'blob']);
    expect(types).toEqual([...types].sort((a, b) => ORDER.indexOf(a!) - ORDER.indexOf(b!)));
  });
});

const ORDER = ['commit', 'tree', 'blob'];

describe('whatever the objects are, the pack gives them back', () => {
  it.each<[string, PackInput[]]>([
    ['one empty blob', [object('blob', new Uint8Array(0))]],
    ['one named twice', [object('blob', bytes('x')), object('blob', bytes('x'))]],
    [
      'sizes around each length of a header',
      [1, 15, 16, 2047, 2048, 2049, 262143, 262144, 300_000].map(size =>
        object('blob', new Uint8Array(size).fill(size)),
      ),
    ],
    [
      'a large one that was changed',
      [
        object(
          'blob',
          Buffer.concat([Buffer.alloc(3e6, 'abcdefg'), createHash('sha512').update('x').digest()]),
        ),
      ],
    ],
  ])('%s', async (_, objects) => {
    await check(await buildPack(nativeCodec, objects), objects, false);
  });

  it('any blobs, deflated before', async () => {
    const content = fc.oneof(
      fc.uint8Array({ maxLength: 400 }),
      fc.nat(200_000).map(size => Buffer.alloc(size, 'abcdefg')),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(content, { minLength: 1, maxLength: 20 }), async contents => {
        const objects = contents.map(one => object('blob', one));
        await check(await buildPack(nativeCodec, await deflatedOnce(objects)), objects, false);
      }),
      { numRuns: 15 },
    );
  });
});

it('without Node it is made the same way', async () => {
  const history = new History(SMALL);
  const objects = [...history.first, ...history.take(10)];
  await check(await buildPack(portableCodec, objects), objects);
});

it('the event loop has its turns while a large pack is made', async () => {
  const history = new History({ ...SMALL, lines: [400, 800] });
  const objects = history.take(256);
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  await buildPack(nativeCodec, objects);
  clearInterval(timer);
  expect(turns).toBeGreaterThan(3);
});
