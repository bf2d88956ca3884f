import fc from 'fast-check';
import { expect, it } from 'vitest';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import { RangedFile } from '../../../src/git/native/ranged-file.ts';
import { Branches } from '../../helpers/branches.ts';
import { sandbox } from '../../helpers/real-git.ts';
import { seededBytes } from '../../helpers/seeded-bytes.ts';

const SIZE = 6_000_000;

it('answers the bytes of the file, in whatever order, across blocks, and more than are kept', async () => {
  const box = sandbox();
  const bytes = seededBytes(SIZE);
  box.write('f', bytes);
  const file = await RangedFile.open(nodeFs(), box.path('f'));
  expect(file.size).toBe(SIZE);
  const range = fc.record({
    at: fc.oneof(fc.integer({ min: 0, max: SIZE - 1 }), fc.integer({ min: SIZE - 70_000, max: SIZE - 1 })),
    length: fc.oneof(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 70_000 })),
  });
  const near = range.chain(({ at, length }) =>
    fc.constantFrom(at, at - (at % 16_384)).map(from => ({ at: from, length })),
  );
  const branches = new Branches('inside', 'past the end');
  await fc.assert(
    fc.asyncProperty(fc.array(near, { maxLength: 50 }), async ranges => {
      for (const { at, length } of ranges) {
        const expected = bytes.subarray(at, at + length);
        branches.ran(expected.length === length ? 'inside' : 'past the end');
        if (expected.length === length) expect(Buffer.compare(await file.read(at, length), expected)).toBe(0);
        else await expect(file.read(at, length)).rejects.toThrow('cut off');
      }
    }),
    { numRuns: 60 },
  );
  branches.expectAll();
  for (let at = 0; at < SIZE; at += 9_999) expect((await file.read(at, 1))[0]).toBe(bytes[at]);
  await file.close();
});
