import { existsSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { nodeFs } from '../../../../src/fs/node/node-fs.ts';
import { joinPacks } from '../../../../src/git/packs/join/join-packs.ts';
import { packAway } from '../../../../src/git/packs/pack-away.ts';
import { readImage, writeImage } from '../../../crash/image.ts';
import { faultFs, hookAt } from '../../../helpers/fault-fs.ts';
import type { Sandbox } from '../../../helpers/real-git.ts';
import { History, SMALL } from '../history.ts';
import { expectSound, marksOf, missingIn, packed, packRepository, packsOf, storeOf } from '../pack-store.ts';

const TINY = { ...SMALL, folders: 1, files: 2, edited: 2 };

const verified = (box: Sandbox, name: string): string =>
  box.git('verify-pack', '-v', box.path(`.git/objects/pack/${name}.idx`));

/** The longest chain of deltas. */
function deepest(box: Sandbox, name: string): number {
  return Math.max(
    ...[...verified(box, name).matchAll(/^chain length = (\d+)/gm)].map(([, depth]) => Number(depth)),
    0,
  );
}

describe('joining packs', () => {
  it('makes one of all when told to, with nothing lost and less room', async () => {
    const { box, store, objects, history } = await packed([40, 40, 40, 40]);
    const before = packsOf(box);
    const bytes = (): number =>
      packsOf(box).reduce(
        (sum, name) => sum + readFileSync(box.path(`.git/objects/pack/${name}.pack`)).length,
        0,
      );
    const size = bytes();
    const { packs, into, damaged } = await joinPacks({ ...store, all: true });
    expect([...packs].sort()).toEqual(before);
    expect(damaged).toBeNull();
    expect(packsOf(box)).toEqual([into]);
    expect(packsOf(box, '.idx')).toEqual([into]);
    expect(marksOf(box)).toContain(into);
    expect(bytes()).toBeLessThan(size * 0.85);
    expect(await missingIn(box.dir, objects)).toEqual([]);
    expectSound(box.dir, history.edits + 1);
    box.git('index-pack', '--strict', '-o', box.path('../x.idx'), box.path(`.git/objects/pack/${into}.pack`));
    expect(
      readFileSync(box.path('../x.idx')).equals(readFileSync(box.path(`.git/objects/pack/${into}.idx`))),
    ).toBe(true);
    expect(box.git('count-objects', '-v')).toContain('garbage: 0');
    expect(existsSync(box.path('.git/gc.pid'))).toBe(false);
  });

  it('leaves few packs alone, and joins those that add up', async () => {
    const { box, store, history } = await packed(Array(9).fill(3));
    expect((await joinPacks(store)).into).toBeNull();
    await packAway(store, history.take(3));
    expect((await joinPacks(store)).into).not.toBeNull();
    expect(packsOf(box).length).toBeLessThan(3);
  });

  it('keeps a few packs and chains of at most 50 however many batches come', async () => {
    const { box, store, history, objects } = await packed([], { ...TINY, lines: [30, 60] });
    let most = 0;
    for (let n = 0; n < 60; n++) {
      const batch = history.take(4);
      objects.push(...batch);
      await packAway(store, batch);
      await joinPacks(store);
      most = Math.max(most, packsOf(box).length);
    }
    writeFileSync(box.path('.git/refs/heads/main'), `${history.head}\n`);
    expect(most).toBeLessThan(13);
    expect(await missingIn(box.dir, objects)).toEqual([]);
    for (const name of packsOf(box)) expect(deepest(box, name)).toBeLessThan(51);
    const { into } = await joinPacks({ ...store, all: true });
    expect(deepest(box, into!)).toBeLessThan(51);
    expectSound(box.dir, 241);
  });

  it('leaves a large pack beside small ones as it is', async () => {
    const { box, store, history } = await packed([], { ...SMALL, files: 200 });
    const large = packsOf(box)[0]!;
    for (let n = 0; n < 11; n++) await packAway(store, history.take(2));
    const { packs } = await joinPacks(store);
    expect(packs).toHaveLength(11);
    expect(packsOf(box)).toContain(large);
  });

  it('takes objects once that are in several packs', async () => {
    const { box, store } = packRepository();
    const history = new History(TINY);
    const objects = [...history.first, ...history.take(30)];
    writeFileSync(box.path('.git/refs/heads/main'), `${history.head}\n`);
    const parts = [
      objects,
      objects.slice(20),
      objects.slice(0, 60),
      [...objects.slice(50), ...objects.slice(0, 30)],
    ];
    for (const part of parts) await packAway(store, part);
    const { into } = await joinPacks({ ...store, all: true });
    expect(packsOf(box)).toEqual([into]);
    box.git('index-pack', '--strict', '-o', box.path('../x.idx'), box.path(`.git/objects/pack/${into}.pack`));
    expect(await missingIn(box.dir, objects)).toEqual([]);
    expectSound(box.dir, 31);
  });

  it('orders the entries of a pack of many objects too', async () => {
    const { box, store } = packRepository();
    const blobs = await Promise.all(
      Array.from({ length: 16_500 }, async (_, number) => {
        const content = new TextEncoder().encode(`${number}\n`);
        return { oid: await store.codec.hash('blob', content), type: 'blob' as const, content };
      }),
    );
    for (const part of [blobs.slice(0, 16_400), blobs.slice(16_300)]) await packAway(store, part);
    const { into } = await joinPacks({ ...store, all: true });
    expect(packsOf(box)).toEqual([into]);
    expect(verified(box, into!).match(/ blob /g)).toHaveLength(16_500);
  });

  it('goes on where marks are empty, damaged, or made up', async () => {
    const { box, store, objects } = await packed([5, 5, 5, 5]);
    const [first, second, third] = packsOf(box);
    writeFileSync(box.path('.git/vedit/packs', first!), '');
    writeFileSync(box.path('.git/vedit/packs', second!), '{"made":');
    const [a, b] = [objects[0]!.oid, objects.at(-1)!.oid];
    writeFileSync(
      box.path('.git/vedit/packs', third!),
      JSON.stringify({
        made: -1,
        roots: [
          [a, b, 3],
          [b, a, 0],
          [b, b, 900],
        ],
        links: [a, b, '1'.repeat(40)],
      }),
    );
    await joinPacks({ ...store, all: true });
    expect(packsOf(box)).toHaveLength(1);
    expect(await missingIn(box.dir, objects)).toEqual([]);
    expectSound(box.dir, 21);
  });
});

describe('packs are left alone', () => {
  it.each(['.keep', '.promisor'])('that have %s', async ending => {
    const { box, store } = await packed([3, 3, 3]);
    const kept = packsOf(box)[1]!;
    box.write(`.git/objects/pack/${kept}${ending}`, '');
    const { packs } = await joinPacks({ ...store, all: true });
    expect(packs).toHaveLength(3);
    expect(packs).not.toContain(kept);
    expect(packsOf(box)).toContain(kept);
  });

  it('that the engine did not make', async () => {
    const { box, store } = await packed([3, 3]);
    box.git('commit', '-q', '--allow-empty', '-m', 'of a person');
    box.git('repack', '-q');
    const theirs = packsOf(box).filter(name => !marksOf(box).includes(name));
    await joinPacks({ ...store, all: true });
    expect(theirs).toHaveLength(1);
    expect(packsOf(box)).toEqual(expect.arrayContaining(theirs));
    expect(packsOf(box)).toHaveLength(2);
  });

  it('that a multi-pack-index names, also one that is written meanwhile', async () => {
    const { box, store, history, objects } = await packed([3, 3]);
    box.git('multi-pack-index', 'write');
    const named = packsOf(box);
    for (const count of [2, 2]) {
      const batch = history.take(count);
      objects.push(...batch);
      await packAway(store, batch);
    }
    const { packs } = await joinPacks({ ...store, all: true });
    expect(packs).toHaveLength(2);
    expect(packsOf(box)).toEqual(expect.arrayContaining(named));
    rmSync(box.path('.git/objects/pack/multi-pack-index'));
    const probe = faultFs(nodeFs());
    const image = readImage(box.dir);
    await joinPacks({ ...storeOf(box.dir, probe), all: true });
    const firstRemoval = probe.trace.find(
      ({ method, path }) => method === 'unlink' && path.endsWith('.idx') && path.includes('objects/pack'),
    )!;
    writeImage(image, box.dir);
    const before = packsOf(box);
    const hook = hookAt(firstRemoval.n - 8, () => void box.git('multi-pack-index', 'write'));
    await joinPacks({ ...storeOf(box.dir, faultFs(nodeFs(), hook)), all: true });
    expect(packsOf(box)).toEqual(expect.arrayContaining(before));
    box.git('multi-pack-index', 'verify');
    expect(await missingIn(box.dir, objects)).toEqual([]);
  });

  it('that are very many: so many at once as may be open at once', async () => {
    const { box, store, objects } = await packed(Array(210).fill(1));
    expect((await joinPacks({ ...store, all: true })).packs).toHaveLength(200);
    expect((await joinPacks({ ...store, all: true })).packs).toHaveLength(12);
    expect(packsOf(box)).toHaveLength(1);
    expect(await missingIn(box.dir, objects)).toEqual([]);
  });

  it('while a multi-pack-index is written or cannot be understood', async () => {
    const { box, store } = await packed([3, 3]);
    for (const [name, content] of [
      ['multi-pack-index.lock', ''],
      ['multi-pack-index', 'MIDXrubbish and more of it'],
    ] as const) {
      box.write(`.git/objects/pack/${name}`, content);
      expect((await joinPacks({ ...store, all: true })).into).toBeNull();
      rmSync(box.path('.git/objects/pack', name));
    }
    expect((await joinPacks({ ...store, all: true })).into).not.toBeNull();
  });

  it.each([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9])(
    'that are damaged: named once, not joined, and no hindrance for the others, at %d of the file',
    async at => {
      const { box, store, objects } = await packed([10, 10, 10]);
      const path = box.path(`.git/objects/pack/${packsOf(box)[2]}.pack`);
      const bytes = readFileSync(path);
      bytes[Math.floor(bytes.length * at)]! ^= 0xff;
      rmSync(path);
      writeFileSync(path, bytes);
      const { damaged, into } = await joinPacks({ ...store, all: true });
      expect([damaged, into]).toEqual([packsOf(box)[2], null]);
      const again = await joinPacks({ ...store, all: true });
      expect(again.packs).toHaveLength(3);
      expect(again.damaged).toBeNull();
      expect((await missingIn(box.dir, objects)).length).toBeLessThan(objects.length / 2);
    },
  );
});

it('halves of packs that a crash left are swept when they are old', async () => {
  const { box, store, history } = await packed([3, 3, 3]);
  const half = packsOf(box)[1]!;
  rmSync(box.path(`.git/objects/pack/${half}.idx`));
  box.write(`.git/vedit/packs/pack-${'1'.repeat(40)}`, '');
  const old = Date.now() / 1000 - 7200;
  for (const path of [`.git/vedit/packs/${half}`, `.git/vedit/packs/pack-${'1'.repeat(40)}`])
    utimesSync(box.path(path), old, old);
  await joinPacks({ ...store, all: true });
  expect(packsOf(box)).toContain(half);
  utimesSync(box.path(`.git/objects/pack/${half}.pack`), old, old);
  await packAway(store, history.take(2));
  const { into } = await joinPacks({ ...store, all: true });
  expect(packsOf(box)).toEqual([into]);
  expect(marksOf(box)).not.toContain(half);
  for (const mark of marksOf(box)) utimesSync(box.path('.git/vedit/packs', mark), old, old);
  await joinPacks(store);
  expect(marksOf(box)).toEqual([into]);
});
