/** The index of a trail is never the truth, only speed: with it, whatever has become of it, every answer is the same. */

import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import type { LogOptions } from '../../src/index.ts';
import { ownRepo, type Place, personRepo } from '../helpers/person-repo.ts';
import { lots, randomWork } from '../helpers/random-work.ts';

const kept = vi.hoisted(() => ({ inUse: true, rows: 0 }));

/** Batches so small that trails of a test have many. */
vi.mock('../../src/history/trail-index.ts', async actual => {
  const real = await actual<typeof import('../../src/history/trail-index.ts')>();
  class Small extends real.TrailIndex {
    constructor(options: ConstructorParameters<typeof real.TrailIndex>[0]) {
      super({ ...options, batch: 4, few: 2, single: 0 });
    }
    override async learn(entry: Parameters<InstanceType<typeof real.TrailIndex>['learn']>[0]): Promise<void> {
      if (kept.inUse) await super.learn(entry);
    }
    override async rowsFrom(oid: string): ReturnType<InstanceType<typeof real.TrailIndex>['rowsFrom']> {
      const rows = kept.inUse ? await super.rowsFrom(oid) : null;
      kept.rows += rows?.length ?? 0;
      return rows;
    }
  }
  return { ...real, TrailIndex: Small };
});

const LINES = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n';

const LOGS: readonly LogOptions[] = [
  {},
  { path: 'a.txt' },
  { path: 'a.txt', limit: 2 },
  { path: 'gone.txt' },
  { session: 's1' },
  { session: 's2', path: 'b.txt', limit: 1 },
  { agent: 'claude', op: 'insert' },
  { op: 'undo' },
  { op: 'nothing' },
  { author: 'claude', path: 'n.txt' },
  { search: 'line', limit: 3 },
  { path: 'b.txt', stats: true, patch: true },
];

type Asked = () => Promise<unknown>;

const told = (call: Promise<unknown>): Promise<unknown> =>
  call.catch(({ code, message, data }) => ({ code, message, data }));

/** All that is asked of a trail, from a workspace that was opened for it. */
async function answers(repo: Place, inUse: boolean): Promise<unknown[]> {
  kept.inUse = inUse;
  const commits = repo.git('rev-list', '--all').split('\n');
  // A commit that brings the trail up to HEAD would be of now.
  const workspace = await repo.open({ now: () => new Date(0) });
  const session = workspace.session({ id: 'reader' });
  const questions: Asked[] = [
    ...LOGS.map(options => () => session.log(options)),
    ...commits.map(commit => () => session.show(commit)),
    ...commits.map(commit => () => session.revert(commit, { dryRun: true })),
    () => session.undo({ scope: 'trail', count: 30, dryRun: true }),
    () => workspace.sessions(),
    () => workspace.findSession('s'),
    () => session.status(),
    ...['a.txt', 'b.txt', 'n.txt', 'a.txtx'].map(path => () => session.blame({ path })),
    () => workspace.land({ dryRun: true }),
    () => workspace.land({ dryRun: true, paths: ['a.txt'], message: 'of one file' }),
    () => workspace.verify(),
  ];
  const found: unknown[] = [];
  for (const ask of questions) found.push(await told(ask()));
  await repo.close();
  return JSON.parse(JSON.stringify(found));
}

/** What may become of the file: by its name, from what it holds now. */
function fates(
  whole: Buffer,
  older: Buffer,
  other: Buffer,
  draw: (below: number) => number,
): Array<[string, Buffer | null]> {
  const damaged = Buffer.from(whole);
  damaged[draw(damaged.length)]! ^= 1 + draw(255);
  return [
    ['thrown away', null],
    ['as it is', whole],
    ['damaged', damaged],
    ['cut off', whole.subarray(0, draw(whole.length))],
    ['stale', older],
    ['of another history', Buffer.concat([other, whole.subarray(0, 40)])],
    ['of another trail as well', Buffer.concat([other, whole])],
    ['of an older version', Buffer.concat([Buffer.from('VED1'), whole.subarray(4)])],
    ['of a newer version', Buffer.concat([Buffer.from('VEDB'), whole.subarray(4)])],
  ];
}

const FILE = '.git/vedit/entries';

async function fileOf(repo: Place): Promise<Buffer> {
  await answers(repo, true);
  return existsSync(repo.path(FILE)) ? readFileSync(repo.path(FILE)) : Buffer.alloc(0);
}

async function checkAll(repo: Place, other: Buffer, seed: number): Promise<void> {
  const draw = lots(seed);
  await randomWork(repo, draw, 20);
  if (draw(2)) repo.git('checkout', '-q', '-b', `side-${seed}`);
  const older = await fileOf(repo);
  await randomWork(repo, draw, 20);
  if (draw(2)) await (await repo.open({ user: { name: 'Ada', email: 'a@b.c' } })).land({}).catch(() => {});
  await randomWork(repo, draw, 10);
  await repo.close();
  const expected = await answers(repo, false);
  const whole = await fileOf(repo);
  expect(whole.length).toBeGreaterThan(100);
  const path = repo.path(FILE);
  for (const [name, bytes] of fates(whole, older, other, draw)) {
    if (bytes) writeFileSync(path, bytes);
    else rmSync(path, { force: true });
    kept.rows = 0;
    expect({ name, answers: await answers(repo, true) }).toEqual({ name, answers: expected });
    expect(kept.rows, name).toBeGreaterThan(0);
  }
}

describe('answers with what is kept of a trail', () => {
  it.each([1, 2, 3])('are those without it: beside a branch, %i', { timeout: 240_000 }, async seed => {
    const other = personRepo({ 'a.txt': LINES });
    await randomWork(other, lots(seed + 50), 30);
    await checkAll(personRepo({ 'a.txt': LINES, 'b.txt': LINES }), await fileOf(other), seed);
  });

  it('are those without it: on a branch', { timeout: 240_000 }, async () => {
    await checkAll(ownRepo({ 'a.txt': LINES, 'b.txt': LINES }), Buffer.alloc(0), 4);
  });

  it('count an edit of which a part was rejected, where the rejection came with a fetch', async () => {
    const repo = personRepo({ 'a.txt': LINES });
    const text = `first words\n${LINES}last words\n`;
    await (await repo.session()).edit('create', { path: 'a.txt', file_text: text, overwrite: true });
    const ada = await repo.open({ user: { name: 'Ada', email: 'a@b.c' } });
    const { commit: at, path, lines } = (await ada.review()).data.hunks[0]!;
    await ada.reject({ at, path, lines, reason: 'no' });
    await repo.close();
    // Of a rejection that was made in another clone there is no file.
    rmSync(repo.path('.git/vedit/rejections'), { recursive: true });
    expect((await (await repo.session('reader')).status()).data.left).toBe(1);
  });

  it('tell of the file as it is read now, in another encoding than before', async () => {
    const repo = personRepo({ 'a.txt': LINES });
    const edit = { path: 'a.txt', insert_line: 0, insert_text: 'first words', base: '@' };
    await (await repo.session()).edit('insert', edit);
    await repo.close();
    // A number of bytes that no text in UTF-16 has: it is recorded as it is.
    repo.write('a.txt', `first words\n${LINES}!!`);
    expect(statSync(repo.path('a.txt')).size % 2).toBe(1);
    for (const [attributes, word] of [
      ['* working-tree-encoding=UTF-16LE\n', 'rewritten'],
      ['', 'open'],
    ] as const) {
      repo.write('.gitattributes', attributes);
      const { entries } = (await (await repo.session('reader')).log()).data;
      expect(entries.map(({ status }) => status.now)).toEqual([word]);
      await repo.close();
    }
  });
});
