/** A stranger's pack is measured before anything of it is inflated. */

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import zlib from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nativeCodec } from '../../../src/git/native/codec.ts';
import { entryHeader } from '../../../src/git/packs/entry-header.ts';
import { indexPack } from '../../../src/git/portable/pack-writer.ts';
import { measureZlib, surveyPack } from '../../../src/remote/isomorphic/survey-pack.ts';
import { repository } from '../../helpers/real-git.ts';

const LIMITS = { object: 1 << 20, all: 1 << 22 };

describe('measureZlib', () => {
  const content = fc.oneof(
    fc.uint8Array({ maxLength: 3_000 }),
    fc
      .array(fc.constantFrom('ab', 'line of text\n', 'x', '\u00e4'), { maxLength: 2_000 })
      .map(all => Buffer.from(all.join(''))),
  );

  it('says of every stream of zlib where it ends, what it holds, and how it begins', () => {
    fc.assert(
      fc.property(
        content,
        fc.integer({ min: 0, max: 9 }),
        fc.constantFrom(0, 1, 2, 3, 4),
        (bytes, level, strategy) => {
          const stream = zlib.deflateSync(bytes, { level, strategy });
          const all = Buffer.concat([Buffer.from('in front'), stream, Buffer.from('behind')]);
          const { end, size, head } = measureZlib(all, 8, bytes.length);
          expect([end, size]).toEqual([8 + stream.length, bytes.length]);
          expect(Buffer.from(head)).toEqual(Buffer.from(bytes.subarray(0, 20)));
        },
      ),
    );
  });

  it('is refused at once for more than the limit', () => {
    const bomb = zlib.deflateSync(Buffer.alloc(64 * 1024 * 1024));
    expect(() => measureZlib(bomb, 0, 1_000)).toThrow('more than 1000');
  });

  it('never takes a damaged stream for another reason to fail than that', () => {
    const stream = zlib.deflateSync(Buffer.from('one\ntwo\nthree\n'.repeat(50)));
    fc.assert(
      fc.property(fc.nat(stream.length - 1), fc.nat(255), fc.nat(stream.length), (at, value, length) => {
        const damaged = Uint8Array.from(stream).subarray(0, length);
        if (at < length) damaged[at] = value;
        try {
          expect(measureZlib(damaged, 0, 1 << 20).end).toBeLessThanOrEqual(length);
        } catch (error) {
          expect((error as Error).message).toMatch(/damaged|holds more/);
        }
      }),
    );
  });
});

/** A pack of these entries with a right checksum. */
function packOf(...entries: Uint8Array[]): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(entries.length);
  const body = Buffer.concat([Buffer.from('PACK\0\0\0\x02'), count, ...entries]);
  return Buffer.concat([body, createHash('sha1').update(body).digest()]);
}

const blob = (content: Uint8Array, size = content.length): Uint8Array =>
  Buffer.concat([entryHeader('blob', size), zlib.deflateSync(content)]);

describe('surveyPack', () => {
  it('counts what a pack of git holds, deltas too, and it can be indexed', async () => {
    const box = repository();
    const lines = Array.from({ length: 500 }, (_, n) => `line ${n}\n`);
    for (let n = 0; n < 20; n++) {
      lines[n * 20] = `changed ${n}\n`;
      box.write('a.txt', lines.join(''));
      box.git('add', '-A');
      box.git('commit', '-qm', `${n}`);
    }
    box.git('repack', '-adq');
    const folder = box.path('.git/objects/pack');
    const name = readdirSync(folder).find(one => one.endsWith('.pack'))!;
    const pack = readFileSync(`${folder}/${name}`);
    expect(await surveyPack(nativeCodec, pack, LIMITS)).toBe(60);
    const { index } = await indexPack(pack, 60);
    expect(Buffer.from(index)).toEqual(readFileSync(`${folder}/${name.replace('.pack', '.idx')}`));
  });

  it.each([
    ['an object that says that it is large', blob(Buffer.from('x'), 2 ** 32), 'TOO_LARGE'],
    ['an object that is larger than it says', blob(Buffer.alloc(1 << 22), 10), 'CORRUPT'],
    ['a large object', blob(Buffer.alloc(1 << 21)), 'TOO_LARGE'],
    [
      'a delta that makes a large object',
      Buffer.concat([
        // A delta of 7 bytes, of the entry 12 bytes before.
        Buffer.from([0x67, 12]),
        zlib.deflateSync(Buffer.from([1, 0x80, 0x80, 0x80, 0x80, 0x10, 0x90])),
      ]),
      'TOO_LARGE',
    ],
    ['what is not compressed', Buffer.from([0x31, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]), 'CORRUPT'],
  ])('is refused for %s', async (_, entry, code) => {
    await expect(
      surveyPack(nativeCodec, packOf(blob(Buffer.from('a')), entry), LIMITS),
    ).rejects.toMatchObject({ code });
  });

  it('is refused for many objects that are large together, for half of it, and for what is behind it', async () => {
    const many = Array.from({ length: 9 }, () => blob(Buffer.alloc(1 << 19)));
    await expect(surveyPack(nativeCodec, packOf(...many), LIMITS)).rejects.toMatchObject({
      code: 'TOO_LARGE',
    });
    const sound = packOf(blob(Buffer.from('a')));
    for (const damaged of [
      sound.subarray(0, -5),
      sound.subarray(0, 4),
      Buffer.from('<html>'),
      new Uint8Array(0),
    ])
      await expect(surveyPack(nativeCodec, damaged, LIMITS)).rejects.toMatchObject({ code: 'CORRUPT' });
    const more = packOf(Buffer.concat([blob(Buffer.from('a')), Buffer.from('more')]));
    await expect(surveyPack(nativeCodec, more, LIMITS)).rejects.toMatchObject({ code: 'CORRUPT' });
  });
});
