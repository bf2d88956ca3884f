import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Resemblance } from '../../../src/git/packs/delta/resemblance.ts';
import { packLooseObjects } from '../../../src/git/packs/pack-loose.ts';
import { seededBytes } from '../../helpers/seeded-bytes.ts';
import { damageObject } from '../../helpers/tampering.ts';
import { History, SMALL } from './history.ts';
import { expectSound, looseOf, missingIn, packRepository, packsOf, writeLoose } from './pack-store.ts';

describe('packing what is loose', () => {
  it('finds the versions of each file by their contents', async () => {
    const { box, store } = packRepository();
    const history = new History(SMALL);
    const objects = [...history.first, ...history.take(100)];
    await writeLoose(box, objects);
    const done = await packLooseObjects(store);
    expect(done).toMatchObject({ objects: objects.length, damaged: [] });
    expect(looseOf(box)).toEqual([]);
    expect(await missingIn(box.dir, objects)).toEqual([]);
    expectSound(box.dir, 101);
    const ours = readFileSync(box.path(`.git/objects/pack/${done.packs[0]}.pack`)).length;
    box.git('repack', '-adfq');
    const theirs = readFileSync(box.path(`.git/objects/pack/${packsOf(box)[0]}.pack`)).length;
    expect(ours).toBeLessThan(theirs * 1.5);
  });

  it('makes little of large versions of one file, and leaves what is too large', async () => {
    const { box, store } = packRepository();
    const noise = seededBytes(3_000_000);
    for (let n = 0; n < 6; n++)
      box.pipe(
        Buffer.concat([noise.subarray(0, n * 400_000), Buffer.from(`version ${n}`), noise]),
        'hash-object',
        '-w',
        '--stdin',
      );
    const large = box
      .pipe(Buffer.alloc(70 * 1024 * 1024), 'hash-object', '-w', '--stdin')
      .toString()
      .trim();
    const { packs, damaged } = await packLooseObjects(store);
    expect(looseOf(box)).toEqual([large]);
    expect(damaged).toEqual([]);
    expect(readFileSync(box.path(`.git/objects/pack/${packs[0]}.pack`)).length).toBeLessThan(6_000_000);
    box.git('fsck', '--strict');
  });

  it('leaves a damaged object, and one of another name, where it is', async () => {
    const { box, store } = packRepository();
    const objects = new History(SMALL).first;
    await writeLoose(box, objects);
    damageObject(box, objects[3]!.oid);
    expect(await packLooseObjects(store)).toMatchObject({
      damaged: [objects[3]!.oid],
      objects: objects.length - 1,
    });
    expect(looseOf(box)).toEqual([objects[3]!.oid]);
  });

  it('does nothing where nothing is loose', async () => {
    const { box, store } = packRepository();
    expect(await packLooseObjects(store)).toEqual({ packs: [], objects: 0, damaged: [] });
    expect(existsSync(box.path('.git/vedit/packs'))).toBe(false);
  });
});

describe('resemblance', () => {
  const found = (resemblance: Resemblance, oid: string, content: Uint8Array): string | undefined => {
    const steps = resemblance.add({ oid, type: 'blob', content });
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value;
    }
  };

  it('finds an earlier version and nothing else', () => {
    const resemblance = new Resemblance();
    const [a, b] = [seededBytes(20_000), seededBytes(20_000)];
    expect(found(resemblance, 'a', a)).toBeUndefined();
    expect(found(resemblance, 'b', b)).toBeUndefined();
    expect(
      found(resemblance, 'a2', Buffer.concat([a.subarray(0, 9000), Buffer.from('edit'), a.subarray(9000)])),
    ).toBe('a');
    expect(found(resemblance, 'b2', b.subarray(3000))).toBe('b');
    expect(found(resemblance, 'c', seededBytes(20_000))).toBeUndefined();
    expect(found(resemblance, 'd', new Uint8Array(0))).toBeUndefined();
  });
});
