import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nodeFs } from '../../src/fs/node/node-fs.ts';
import { nativeCodec } from '../../src/git/native/codec.ts';
import { type ObjectDatabase, openObjects } from '../../src/git/objects/object-database.ts';
import { TrailIndex, type TrailIndexOptions } from '../../src/history/trail-index.ts';
import {
  rowOf,
  type TrailEntry,
  type TrailRow,
  useEntries,
  walkRows,
  walkTrail,
} from '../../src/history/walk.ts';
import { repository, type Sandbox } from '../helpers/real-git.ts';

const COMMITS = 61;
const [BATCH, NEWEST] = [8, 5];

/** Messages as engine and people write them, with what a file in lines or with tabs would trip over. */
function messageOf(n: number): string {
  if (n % 7 === 3) return `a person's commit ${n}\n\nVedit-Lands: ${'ab'.repeat(20)}`;
  const reason = n % 5 === 0 ? '\n\nfor "quotes",\ttabs — and 日本\n\nin two paragraphs' : '';
  const more = n % 6 === 1 ? '\nVedit-Path: "a b"\nVedit-Agent: a' : '';
  const turn = n % 4 === 2 ? `\nVedit-Turn: t${n % 8}` : '';
  const back = n % 9 === 2 ? `\nVedit-Undoes: ${'cd'.repeat(20)}` : '';
  return `str_replace f (+1 -1)${reason}\n\nVedit-Op: str_replace\nVedit-Path: f${more}\nVedit-Session: s${n % 3}${turn}${back}`;
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
  const { objects, options } = opened(box);
  const source = new TrailIndex({ ...options, batch: BATCH, few: NEWEST });
  const found = new Set<string>();
  const learn = (entry: TrailEntry): Promise<void> => source.learn(entry);
  const rowsFrom: TrailIndex['rowsFrom'] = async oid => {
    const rows = await source.rowsFrom(oid);
    for (const { commit } of rows ?? []) found.add(commit);
    return rows;
  };
  if (keep) useEntries(objects, { few: NEWEST, rowsFrom, learn });
  const entries: TrailEntry[] = [];
  const tip = box.git('rev-parse', 'main');
  for await (const entry of walkTrail(objects, tip, { ownOnly: false })) entries.push(entry);
  const kept = found.size;
  const rows: TrailRow[] = [];
  for await (const some of walkRows(objects, tip, { ownOnly: false })) rows.push(...some);
  expect(rows.map(plainRow)).toEqual(entries.map(entry => plainRow(rowOf(entry))));
  expect(await Promise.all(rows.map(row => row.entry()))).toEqual(entries);
  await objects.close();
  return { entries, kept };
}

/** What a row says of itself. */
function plainRow(row: TrailRow): unknown {
  const { commit, time, parent, isPlain, op, paths, head, session, agent, turn, branch, line } = row;
  const { editId, call, editHash } = row;
  return {
    commit,
    time,
    parent,
    isPlain,
    op,
    paths,
    head,
    session,
    agent,
    turn,
    branch,
    line,
    editId,
    call,
    editHash,
  };
}

function opened(box: Sandbox): { objects: ObjectDatabase; options: TrailIndexOptions } {
  const [fs, codec] = [nodeFs(), nativeCodec];
  const objects = openObjects({ fs, objectsDir: box.path('.git/objects'), codec });
  return { objects, options: { fs, codec, objects, folder: box.path('.git/vedit') } };
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
    writeFileSync(file, Buffer.concat([Buffer.from('VED0'), whole.subarray(4)]));
    expect(await walk(box)).toEqual({ entries: expected, kept: 0 });
    expect((await walk(box)).kept).toBeGreaterThan(40);
  });

  it('of an entry under the id of another commit do not count', async () => {
    const { box, file, expected } = await kept();
    rmSync(file);
    const forged = new TrailIndex({ ...opened(box).options, batch: 1 });
    await forged.learn(expected[20]!);
    const bytes = readFileSync(file);
    bytes.fill(Buffer.from(expected[30]!.commit, 'hex'), 24, 44);
    bytes.writeUInt32BE((nativeCodec.packing.crc32(bytes.subarray(16)) ^ 1) >>> 0, 12);
    writeFileSync(file, bytes);
    const { objects, options } = opened(box);
    const [row] = (await new TrailIndex(options).rowsFrom(expected[30]!.commit))!;
    expect(await row!.entry()).toEqual(expected[30]);
    await objects.close();
  });

  it('are put in order, where the newer commits were learned last, and each once', async () => {
    const { box, expected, file } = await kept();
    rmSync(file);
    const source = new TrailIndex({ ...opened(box).options, batch: 6 });
    for (const at of [14, 15, 16, 15, 13, 12, 11]) await source.learn(expected[at]!);
    const rows = (await source.rowsFrom(expected[11]!.commit))!;
    expect(rows.map(({ commit }) => commit)).toEqual(expected.slice(11, 17).map(({ commit }) => commit));
    expect(rows.map(({ parent }) => parent)).toEqual(expected.slice(12, 18).map(({ commit }) => commit));
  });

  it('have the changes of their own commits, where batches of two processes begin with the same one', async () => {
    const { box, expected, file } = await kept();
    rmSync(file);
    const index = () => new TrailIndex({ ...opened(box).options, batch: 3, single: 0 });
    const [one, other] = [index(), index()];
    for (const [source, ats] of [[one, [10, 11, 12]] as const, [other, [10, 20, 21]] as const]) {
      await other.rowsFrom(expected[0]!.commit);
      for (const at of ats) await source.learn(expected[at]!);
    }
    const asked = async (source: TrailIndex, at: number) => {
      const [row] = (await source.rowsFrom(expected[at]!.commit))!;
      return row!.changes();
    };
    const told = await Promise.all([asked(one, 11), asked(other, 20), asked(other, 21)]);
    expect([await asked(index(), 11), await asked(index(), 20), await asked(index(), 21)]).toEqual(told);
    expect(new Set(told.map(one => one!.files[0]!.after!.oid)).size).toBe(3);
  });

  it('are forgotten where there was a purge since they were read', async () => {
    const { box, expected, file } = await kept();
    rmSync(file);
    let purges = '';
    const source = new TrailIndex({ ...opened(box).options, batch: 3, purges: async () => purges });
    const learn = async (ats: readonly number[]): Promise<void> => {
      for (const at of ats) await source.learn(expected[at]!);
    };
    await learn([30, 31, 32, 10, 11]);
    purges = 'one';
    await learn([12]);
    expect([existsSync(file), await source.rowsFrom(expected[30]!.commit)]).toEqual([false, null]);
    await learn([20, 21, 22]);
    const ids = [10, 20].map(at => readFileSync(file).includes(Buffer.from(expected[at]!.commit, 'hex')));
    expect(ids).toEqual([false, true]);
  });

  it('are no error where they cannot be written', async () => {
    const { box, expected } = await kept();
    rmSync(box.path('.git/vedit'), { recursive: true });
    expect((await walk(box)).entries).toEqual(expected);
    expect(existsSync(box.path('.git/vedit'))).toBe(false);
  });
});
