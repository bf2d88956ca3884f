import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nodeFs } from '../../src/fs/node/node-fs.ts';
import { nativeCodec } from '../../src/git/native/codec.ts';
import { type ObjectDatabase, openObjects } from '../../src/git/objects/object-database.ts';
import { KeptEntries } from '../../src/trail/kept-entries.ts';
import { type TrailEntry, useEntries, walkTrail } from '../../src/trail/walk.ts';
import { repository, type Sandbox } from '../git/real-git.ts';

const COMMITS = 61;
const [BATCH, NEWEST] = [8, 5];

/** Messages as engine and people write them, with what a file in lines or with tabs would trip over. */
function messageOf(n: number): string {
  if (n % 7 === 3) return `a person's commit ${n}\n\nVedit-Lands: ${'ab'.repeat(20)}`;
  const reason = n % 5 === 0 ? '\n\nfor "quotes",\ttabs — and 日本\n\nin two paragraphs' : '';
  return `str_replace f (+1 -1)${reason}\n\nVedit-Op: str_replace\nVedit-Path: f\nVedit-Session: s${n % 3}`;
}

function history(): Sandbox {
  const box = repository();
  const lines = Array.from({ length: COMMITS }, (_, n) => {
    const message = Buffer.from(messageOf(n));
    return `commit refs/heads/main\ncommitter C <c@example.com> ${1_700_000_000 + n} +0000\ndata ${message.length}\n${message}\nM 100644 inline f\ndata 4\n${String(n).padStart(4, '0')}\n`;
  });
  box.pipe(`${lines.join('')}done\n`, 'fast-import', '--quiet', '--done');
  mkdirSync(box.path('.git/vedit'));
  return box;
}

/** A walk of a process of its own; how many commits it found kept. */
async function walk(box: Sandbox, keep = true): Promise<{ entries: TrailEntry[]; kept: number }> {
  const objects: ObjectDatabase = openObjects({
    fs: nodeFs(),
    objectsDir: box.path('.git/objects'),
    codec: nativeCodec,
  });
  const options = { fs: nodeFs(), codec: nativeCodec, folder: box.path('.git/vedit') };
  const source = new KeptEntries({ ...options, batch: BATCH, few: NEWEST });
  let kept = 0;
  const get = async (oid: string): Promise<TrailEntry | null> => {
    const entry = await source.get(oid);
    if (entry) kept++;
    return entry;
  };
  if (keep) useEntries(objects, { few: NEWEST, get, learn: entry => source.learn(entry) });
  const entries: TrailEntry[] = [];
  for await (const entry of walkTrail(objects, box.git('rev-parse', 'main'), { ownOnly: false }))
    entries.push(entry);
  await objects.close();
  return { entries, kept };
}

/** A repository whose commits are kept, and what a walk of it answers. */
async function kept(): Promise<{ box: Sandbox; file: string; expected: TrailEntry[]; whole: Buffer }> {
  const box = history();
  const expected = (await walk(box, false)).entries;
  await walk(box);
  const file = box.path('.git/vedit/entries');
  return { box, file, expected, whole: readFileSync(file) };
}

describe('entries that are kept', () => {
  it('are those of the commits, and read no commit again but the newest and those of no batch', async () => {
    const { box, expected } = await kept();
    expect(expected).toHaveLength(COMMITS);
    const again = await walk(box);
    expect(again.entries).toEqual(expected);
    expect(again.kept).toBe(Math.floor((COMMITS - NEWEST) / BATCH) * BATCH);
  });

  it('answer the same from a file that is cut off or damaged anywhere, and it is mended', async () => {
    const { box, file, expected, whole } = await kept();
    const damage = fc.oneof(
      fc.nat(whole.length - 1).map(at => whole.subarray(0, at)),
      fc.tuple(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 })).map(([at, bits]) => {
        const bytes = Buffer.from(whole);
        bytes[at]! ^= bits;
        return bytes;
      }),
      fc.uint8Array({ maxLength: 100 }).map(bytes => Buffer.concat([whole, bytes])),
      fc.uint8Array({ minLength: 1, maxLength: 400 }),
    );
    await fc.assert(
      fc.asyncProperty(damage, async bytes => {
        writeFileSync(file, bytes);
        expect((await walk(box)).entries).toEqual(expected);
        expect((await walk(box)).entries).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });

  it('of another form are not understood, and begin anew', async () => {
    const { box, file, expected, whole } = await kept();
    writeFileSync(file, Buffer.concat([Buffer.from('VED2'), whole.subarray(4)]));
    expect(await walk(box)).toEqual({ entries: expected, kept: 0 });
    expect((await walk(box)).kept).toBeGreaterThan(40);
  });

  it('of an entry under the id of another commit do not count', async () => {
    const { box, file, expected } = await kept();
    const options = { fs: nodeFs(), codec: nativeCodec, folder: box.path('.git/vedit') };
    rmSync(file);
    const forged = new KeptEntries({ ...options, batch: 1 });
    await forged.learn(expected[20]!);
    const bytes = readFileSync(file);
    bytes.fill(Buffer.from(expected[30]!.commit, 'hex'), 16, 36);
    bytes.writeUInt32BE(nativeCodec.packing!.crc32(bytes.subarray(12)), 8);
    writeFileSync(file, bytes);
    expect((await walk(box)).entries).toEqual(expected);
  });

  it('are no error where they cannot be written', async () => {
    const { box, expected } = await kept();
    rmSync(box.path('.git/vedit'), { recursive: true });
    expect((await walk(box)).entries).toEqual(expected);
    expect(existsSync(box.path('.git/vedit'))).toBe(false);
  });
});
