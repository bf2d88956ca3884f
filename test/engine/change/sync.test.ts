/** What the first edit after HEAD moved reads of the trail. */

import fs from 'node:fs';
import { expect, it, vi } from 'vitest';
import { syncTrail } from '../../../src/engine/change/sync.ts';
import type { Context } from '../../../src/engine/context.ts';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import { nativeCodec } from '../../../src/git/native/codec.ts';
import { openObjects } from '../../../src/git/objects/object-database.ts';
import type { TrailHead } from '../../../src/history/head.ts';
import { type Place, personRepo } from '../../helpers/person-repo.ts';

async function edited(edits: number): Promise<Place> {
  const repo = personRepo({ 'a.txt': 'a0\n', 'b.txt': 'b\n' });
  const session = await repo.session();
  for (let i = 0; i < edits; i++)
    await session.edit('str_replace', { path: 'a.txt', old_str: `a${i}\n`, new_str: `a${i + 1}\n` });
  return repo;
}

/** Loose objects that are read by the first edit of another workspace, after so many edits and a commit of the person. */
async function readAfter(edits: number): Promise<number> {
  const repo = await edited(edits);
  repo.git('commit', '-qam', 'the person goes on');
  const next = await repo.session('next');
  const spy = vi.spyOn(fs, 'openSync');
  await next.edit('str_replace', { path: 'b.txt', old_str: 'b', new_str: 'c' });
  const opened = spy.mock.calls.filter(([, flags]) => (Number(flags) & fs.constants.O_NOFOLLOW) === 0);
  spy.mockRestore();
  return opened.filter(([path]) => /\/objects\/[0-9a-f]{2}\/[0-9a-f]{38}$/.test(String(path))).length;
}

it('a commit of the person costs the same, however many edits came before', async () => {
  expect(await readAfter(40)).toBeLessThan((await readAfter(4)) + 5);
});

it('on a HEAD that was moved to the trail, only what came since the last look is looked at', async () => {
  const repo = await edited(30);
  const [head, before, now] = ['~20', '~2', ''].map(name => repo.git('rev-parse', `vedit/main${name}`)) as [
    string,
    string,
    string,
  ];
  const real = openObjects({ fs: nodeFs(), objectsDir: repo.path('.git/objects'), codec: nativeCodec });
  const readOrNull = vi.fn(real.readOrNull.bind(real));
  const objects = { codec: real.codec, read: real.read.bind(real), readOrNull };
  const seen = repo.git('rev-parse', 'main');
  const lookFrom = async (tip: string): Promise<number> => {
    readOrNull.mockClear();
    const trail = { checkedOut: false, tip, head, seen } as TrailHead;
    expect((await syncTrail({ objects } as unknown as Context, trail)).commit).toBeNull();
    return readOrNull.mock.calls.length;
  };
  expect(await lookFrom(before)).toBeGreaterThan(15);
  expect(await lookFrom(now)).toBeLessThan(5);
});
