import { createHash } from 'node:crypto';
import fsCallbacks, { mkdirSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import isomorphicGit from 'isomorphic-git';
import { describe, expect, it } from 'vitest';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import { nativeCodec } from '../../../src/git/native/codec.ts';
import { type ObjectType, objectHeader } from '../../../src/git/objects/object.ts';
import { buildPack, type NewPack, type PackInput } from '../../../src/git/packs/build-pack.ts';
import { portableCodec } from '../../../src/git/portable/codec.ts';
import { repository, type Sandbox } from '../../helpers/real-git.ts';
import { History, SMALL } from './history.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function object(type: ObjectType, content: Uint8Array, base?: string): PackInput {
  const oid = createHash('sha1').update(objectHeader(type, content.length)).update(content).digest('hex');
  return { oid, type, content, base };
}

/** Puts the pack into a repository of its own. */
function stored({ name, pack, index }: NewPack): Sandbox {
  const box = repository();
  mkdirSync(box.path('.git/objects/pack'), { recursive: true });
  writeFileSync(box.path(`.git/objects/pack/${name}.pack`), pack);
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

/** By id, how many deltas lie below each object. */
function depths(box: Sandbox, name: string): number[] {
  const lines = box.git('verify-pack', '-v', box.path(`.git/objects/pack/${name}.idx`)).split('\n');
  return lines.flatMap(line => {
    const parts = line.split(/\s+/);
    return /^[0-9a-f]{40}$/.test(parts[0]!) ? [Number(parts[5] ?? 0)] : [];
  });
}

describe('a pack of edits', () => {
  it('is what git makes of such bytes, and gives every object back', async () => {
    const history = new History(SMALL);
    const objects = [...history.first, ...history.take(120)];
    const made = await buildPack(nativeCodec, objects);
    const box = await check(made, objects);
    expect(made.name).toBe(`pack-${Buffer.from(made.pack.subarray(-20)).toString('hex')}`);
    expect(depths(box, made.name).filter(depth => depth > 0).length).toBeGreaterThan(300);
  });

  it('names what is whole though an older version is known', async () => {
    const history = new History(SMALL);
    await buildPack(nativeCodec, history.first);
    const objects = history.take(50);
    const made = await buildPack(nativeCodec, objects);
    const inside = new Set(objects.map(({ oid }) => oid));
    const known = objects.filter(({ type, base }) => type !== 'commit' && base && !inside.has(base));
    expect(made.roots.map(({ oid }) => oid).sort()).toEqual(
      expect.arrayContaining(known.map(({ oid }) => oid).sort()),
    );
    expect(Math.max(...made.roots.map(({ height }) => height))).toBeGreaterThan(3);
  });

  it('is the same for the same objects', async () => {
    const make = (): PackInput[] => new History(SMALL).take(20);
    expect((await buildPack(nativeCodec, make())).pack).toEqual((await buildPack(nativeCodec, make())).pack);
  });

  it('has chains of at most 28 deltas, however often one file is edited', async () => {
    let lines = Array.from({ length: 60 }, (_, i) => `line ${i} of ${(i * 7919) % 1000}`);
    const objects: PackInput[] = [];
    for (let n = 0; n < 450; n++) {
      lines = lines.with(n % 60, `changed by ${n}`);
      objects.push(object('blob', bytes(lines.join('\n')), objects.at(-1)?.oid));
    }
    const made = await buildPack(nativeCodec, objects);
    const box = await check(made, objects);
    const found = depths(box, made.name);
    expect(Math.max(...found)).toBe(28);
    expect(found.filter(depth => depth === 0)).toHaveLength(3);
    expect(made.roots.map(({ oid, height }) => [oid, height])).toEqual([
      [objects[200]!.oid, 28],
      [objects[400]!.oid, expect.any(Number)],
    ]);
  });
});

describe('whatever the objects are, the pack gives them back', () => {
  it.each<[string, PackInput[]]>([
    ['one empty blob', [object('blob', new Uint8Array(0))]],
    ['one named twice', [object('blob', bytes('x')), object('blob', bytes('x'))]],
    ['its own base', [object('blob', bytes('x'.repeat(100)), object('blob', bytes('x'.repeat(100))).oid)]],
    [
      'a base of another type',
      [
        object('blob', bytes('y'.repeat(99))),
        object('tag', bytes('y'.repeat(99)), object('blob', bytes('y'.repeat(99))).oid),
      ],
    ],
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

  it('any blobs with any of them as bases', async () => {
    const content = fc.oneof(
      fc.uint8Array({ maxLength: 400 }),
      fc.constantFrom(...['a', 'b'].map(c => bytes(c.repeat(300)))),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(content, fc.nat()), { minLength: 1, maxLength: 20 }), async plan => {
        const plain = plan.map(([one]) => object('blob', one));
        const objects = plain.map((one, i) => ({ ...one, base: plain[plan[i]![1] % plain.length]!.oid }));
        await check(await buildPack(nativeCodec, objects), objects, false);
      }),
      { numRuns: 15 },
    );
  });

  it('cyclic bases are no circle in the pack', async () => {
    const [a, b] = ['one', 'two'].map(word => object('blob', bytes(`${'same line\n'.repeat(50)}${word}`)));
    const objects = [
      { ...a!, base: b!.oid },
      { ...b!, base: a!.oid },
    ];
    await check(await buildPack(nativeCodec, objects), objects);
  });
});

it('a content that is not that of its id is refused', async () => {
  const wrong = { ...object('blob', bytes('right')), content: bytes('wrong') };
  for (const codec of [nativeCodec, portableCodec])
    await expect(buildPack(codec, [wrong])).rejects.toMatchObject({
      code: 'CORRUPT',
      data: { oid: wrong.oid },
    });
});

it('where the codec writes no packs, isomorphic-git does', async () => {
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
