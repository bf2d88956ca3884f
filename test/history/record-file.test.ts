import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeFs } from '../../src/fs/node/node-fs.ts';
import { nativeCodec } from '../../src/git/native/codec.ts';
import { type FileRecord, RecordFile } from '../../src/history/trail-index.ts';

const ALL: FileRecord[] = ['one', '', 'three'].map((text, kind) => ({ kind, body: Buffer.from(text) }));

describe('a file of kept records', () => {
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vedit-kept-'));
    path = join(folder, 'kept');
    for (const record of ALL) await open().append(record);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function open(magic = 7): RecordFile {
    return new RecordFile({ fs: nodeFs(), crc32: nativeCodec.packing.crc32, path, magic });
  }

  async function told(file = open(), isGood = (_: FileRecord) => true): Promise<string[]> {
    const found: string[] = [];
    await file.read(record => {
      found.push(`${record.kind} ${Buffer.from(record.body)}`);
      return isGood(record);
    });
    return found;
  }

  it('answers what was appended, in its order', async () => {
    expect(await told()).toEqual(['0 one', '1 ', '2 three']);
  });

  it('keeps none of two records that were under way together when a purge came', async () => {
    let purges = '';
    let inTime: Promise<void> | null = null;
    const real = nodeFs();
    const open = async (...given: Parameters<typeof real.open>): ReturnType<typeof real.open> => {
      const waiting = inTime;
      inTime = null;
      await waiting;
      return real.open(...given);
    };
    const fs = { ...real, open };
    const file = new RecordFile({
      fs,
      crc32: nativeCodec.packing.crc32,
      path,
      magic: 7,
      purges: async () => purges,
    });
    await file.read(() => true);
    purges = 'one';
    let resolve = (): void => {};
    inTime = new Promise(done => (resolve = done));
    const late = file.append(ALL[0]!);
    while (inTime) await Promise.resolve();
    expect(await file.append(ALL[2]!)).toBe(false);
    resolve();
    expect(await late).toBe(false);
    expect(existsSync(path)).toBe(false);
    expect(await file.append(ALL[0]!)).toBe(true);
  });

  it('answers what is in front of each byte that is damaged or missing, and begins anew with what is written', async () => {
    const whole = readFileSync(path);
    for (let at = 0; at < whole.length; at++) {
      const damaged = Buffer.from(whole);
      damaged[at]! ^= 0x40;
      for (const bytes of [damaged, whole.subarray(0, at)]) {
        writeFileSync(path, bytes);
        const file = open();
        const found = await told(file);
        expect(['0 one', '1 ', '2 three'].slice(0, found.length)).toEqual(found);
        expect(found.length).toBeLessThan(3);
        await file.append(ALL[2]!);
        const isWhole = bytes !== damaged && [0, 19, 35].includes(at);
        expect(await told()).toEqual(isWhole ? [...found, '2 three'] : ['2 three']);
      }
    }
  });

  it('of another form has no records', async () => {
    expect(await told(open(8))).toEqual([]);
  });

  it('ends at a record that its reader does not understand', async () => {
    const file = open();
    expect(await told(file, ({ kind }) => kind === 0)).toEqual(['0 one', '1 ']);
    await file.append(ALL[2]!);
    expect(await told()).toEqual(['2 three']);
  });

  it('that is not there has none, and is made by what is written', async () => {
    rmSync(path);
    expect(await told()).toEqual([]);
    expect(existsSync(path)).toBe(false);
    await open().append(ALL[0]!);
    expect(await told()).toEqual(['0 one']);
  });
});
