/** Commits of one second are put in order by their places, so that a blame comes to each only once. */

import { describe, expect, it } from 'vitest';
import { nodeFs } from '../../src/fs/node/node-fs.ts';
import { nativeCodec } from '../../src/git/native/codec.ts';
import type { ObjectType } from '../../src/git/objects/object.ts';
import { type ObjectDatabase, openObjects } from '../../src/git/objects/object-database.ts';
import { blame } from '../../src/line/blame.ts';
import { personRepo } from '../helpers/person-repo.ts';

const LINES = Array.from({ length: 80 }, (_, at) => `line ${at + 1}\n`).join('');

describe('blame of a long history', () => {
  /** How many objects blame reads, where so many edits of one second were taken back one by one. */
  async function reads(rounds: number): Promise<number> {
    const repo = personRepo({ 'a.txt': LINES, 'b.txt': 'b\n' });
    const now = (): Date => new Date('2026-11-20T12:00:00Z');
    const session = await repo.session('s1', { now, durability: 'journal' });
    const commits: string[] = [];
    for (let line = 1; line < 2 * rounds; line += 2) {
      const edit = { path: 'a.txt', old_str: `line ${line}\n`, new_str: `new ${line}\n` };
      commits.push((await session.edit('str_replace', edit)).data.commit!);
    }
    const insert = { path: 'a.txt', insert_line: 80, insert_text: 'end', base: '@' };
    const end = (await session.edit('insert', insert)).data.commit!;
    // Each way back brings one line back from further below, and leaves the others to the commit before it.
    for (const commit of commits.reverse()) await session.revert(commit);
    const objects = openObjects({ fs: nodeFs(), objectsDir: repo.path('.git/objects'), codec: nativeCodec });
    let count = 0;
    const counting = {
      codec: nativeCodec,
      file: async (_: string, oid: string) => (await counting.read(oid)).content,
      isShallow: async () => false,
      hasGenerations: async () => false,
      cached: () => null,
      read: (oid: string, type?: ObjectType) => objects.read(oid, type).finally(() => count++),
      readOrNull: (oid: string) => objects.readOrNull(oid).finally(() => count++),
      commitInfo: (oid: string) => objects.commitInfo(oid),
      has: (oid: string) => objects.has(oid),
    } as unknown as ObjectDatabase;
    const all = (to: number) => ({ from: 1, to });
    const found = await blame(counting, repo.git('rev-parse', 'vedit/main'), 'a.txt', all, {
      tip: null,
      ownOnly: true,
    });
    expect(new Set(found!.map(one => one.entry.commit))).toEqual(
      new Set([repo.git('rev-parse', 'main'), end]),
    );
    await objects.close();
    return count;
  }

  it('looks at each commit once, however many ways back there were', async () => {
    const [short, long] = [await reads(10), await reads(40)];
    expect(long).toBeLessThan(5 * short);
  });
});
