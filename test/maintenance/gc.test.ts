import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { memfs } from 'memfs';
import { describe, expect, it } from 'vitest';
import { initRepository, openWorkspace } from '../../src/index.ts';
import { git } from '../helpers/landing.ts';
import { codeOf, filesEqual, type Place, personRepo } from '../helpers/person-repo.ts';
import { seededBytes } from '../helpers/seeded-bytes.ts';
import { trailCommits } from '../helpers/tampering.ts';

const DAY = 86_400_000;
const days = (count: number) => (): Date => new Date(Date.parse('2026-11-20T12:00:00Z') - count * DAY);

/** So many edits of two files. */
async function edits(repo: Place, count: number): Promise<void> {
  const session = await repo.session();
  for (let n = 0; n < count; n++) {
    const path = n % 2 ? 'a.txt' : 'src/deep/b.txt';
    await session.edit('create', {
      path,
      file_text: `${'a line of text\n'.repeat(50)}edit ${n}\n`,
      overwrite: true,
    });
  }
}

const counts = (repo: Place): Record<string, number> =>
  Object.fromEntries(
    repo
      .git('count-objects', '-v')
      .split('\n')
      .map(line => [line.split(':')[0]!, Number(line.split(' ')[1])]),
  );

describe('packing', () => {
  it('by git makes many loose objects one pack, and loses none', async () => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    await edits(repo, 60);
    const dangling = repo.pipe('nobody points here\n', 'hash-object', '-w', '--stdin').toString().trim();
    const commits = trailCommits(repo);
    const workspace = await repo.open();
    const planned = await workspace.gc({ dryRun: true, git });
    expect(planned.data).toMatchObject({ dry_run: true, packed_by: 'git' });
    expect(counts(repo)).toMatchObject({ count: planned.data.before.loose_objects, packs: 0 });
    const { data } = await workspace.gc({ git });
    expect(data).toMatchObject({ packed_by: 'git', before: { packs: 0 } });
    expect(data.after).toMatchObject({ loose_objects: 1, packs: 1 });
    expect(data.after.pack_bytes).toBeLessThan(data.before.loose_bytes);
    expect(counts(repo)).toMatchObject({ count: data.after.loose_objects, packs: 1 });
    expect(repo.git('fsck', '--strict', '--no-dangling')).toBe('');
    expect(repo.git('cat-file', '-p', dangling)).toBe('nobody points here');
    expect(trailCommits(repo)).toEqual(commits);
    expect((await workspace.verify()).data).toMatchObject({ sound: true, commits: 60 });
    await workspace.session().edit('create', { path: 'n.txt', file_text: 'n\n' });
    expect(filesEqual(repo, 'vedit/main')).toBe(true);
    expect(readdirSync(repo.path('.git/objects/pack')).filter(name => name.startsWith('tmp'))).toEqual([]);
  });

  it('leaves few objects alone', async () => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    await edits(repo, 5);
    const { data, message } = await (await repo.open()).gc({ git });
    expect(data).toMatchObject({ packed_by: null });
    expect(message).toContain('nothing packed: fewer than 100 loose objects, less than 8 MB, and one pack');
  });

  it('takes few large objects, too', async () => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    const noise = seededBytes(3_000_000);
    for (let n = 0; n < 5; n++) {
      repo.write('large.bin', Buffer.concat([noise, Buffer.from(`version ${n}`)]));
      repo.git('add', 'large.bin');
      repo.git('commit', '-q', '-m', `version ${n}`);
    }
    const { data } = await (await repo.open()).gc({ git });
    expect(data.before.loose_bytes).toBeGreaterThan(15_000_000);
    expect(data).toMatchObject({ packed_by: 'git', after: { loose_objects: 0, packs: 1 } });
    expect(data.after.pack_bytes).toBeLessThan(4_000_000);
    expect(repo.git('fsck', '--strict')).toBe('');
  });

  it('joins packs, where there are more than one', async () => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    for (let n = 0; n < 3; n++) {
      const workspace = await repo.open();
      await workspace.session().edit('create', { path: `${n}.txt`, file_text: 'n\n' });
      await workspace.close();
    }
    expect(counts(repo).packs).toBe(3);
    const { data } = await (await repo.open()).gc({ git });
    expect(data).toMatchObject({ packed_by: 'git', before: { packs: 3 }, after: { packs: 1 } });
    expect(repo.git('fsck', '--strict')).toBe('');
  });

  it('without git packs and objects stay, and it says so', async () => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    await edits(repo, 40);
    const { data, message } = await (await repo.open()).gc();
    expect(data.packed_by).toBeNull();
    expect(message).toContain(
      "nothing packed: that is git's work, and none was given that sees this repository",
    );
    expect(repo.git('fsck', '--strict', '--no-dangling')).toBe('');
  });

  it('goes on beside edits', async () => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    await edits(repo, 60);
    const workspace = await repo.open();
    const [, , packed] = await Promise.all([
      edits(repo, 30),
      workspace.gc({ git }),
      (await repo.open()).gc(),
    ]);
    expect(packed.data.after.packs).toBeGreaterThan(0);
    expect(repo.git('fsck', '--strict', '--no-dangling')).toBe('');
    expect((await workspace.verify()).data).toMatchObject({ sound: true, commits: 90 });
  });

  it('in memory there is nothing to do for git', async () => {
    const { fs } = memfs();
    fs.mkdirSync('/repo');
    const options = { root: '/repo', fs: fs as never };
    await initRepository(options);
    const workspace = await openWorkspace(options);
    const session = workspace.session();
    for (let n = 0; n < 40; n++)
      await session.edit('create', { path: 'a.txt', file_text: `${n}\n`, overwrite: true });
    const { data } = await workspace.gc({ git });
    expect(data.packed_by).toBeNull();
    expect((await workspace.verify()).data).toMatchObject({ sound: true, commits: 40 });
  });

  it('that git cannot do says why, and removes nothing', async () => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    await edits(repo, 40);
    writeFileSync(repo.path('.git/refs/heads/broken'), `${'1'.repeat(40)}\n`);
    const commits = trailCommits(repo);
    const workspace = await repo.open();
    await expect(workspace.gc({ git })).rejects.toMatchObject({
      code: 'STORE_FAILED',
      data: { cause: 'git gc' },
    });
    expect(trailCommits(repo)).toEqual(commits);
  });
});

describe('a git gc of the user', () => {
  it('loses no trail, and the engine goes on in an open workspace', async () => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    const workspace = await repo.open();
    const session = workspace.session();
    await edits(repo, 30);
    await session.edit('create', { path: 'n.txt', file_text: 'n\n' });
    const commits = trailCommits(repo);
    repo.git('reflog', 'expire', '--expire=now', '--all');
    repo.git('gc', '-q', '--prune=now', '--aggressive');
    expect(trailCommits(repo)).toEqual(commits);
    expect((await workspace.verify()).data).toMatchObject({ sound: true, commits: 31 });
    await session.undo();
    await session.edit('create', { path: 'n.txt', file_text: 'again\n' });
    expect((await workspace.verify()).data).toMatchObject({ sound: true, commits: 33 });
    expect(repo.git('fsck', '--strict')).toBe('');
  });
});

/** What the engine's folder holds beside its journal, which goes when nothing happens. */
function leftIn(repo: Place): string[] {
  return readdirSync(repo.path('.git/vedit')).filter(name => !name.startsWith('journal.'));
}

describe('pruning trails', () => {
  /** A landed trail of a removed work tree, one that did not land, and the current one, all 100 days old. */
  async function aged(): Promise<Place> {
    const repo = personRepo({ 'a.txt': 'a\n' });
    const now = days(100);
    for (const name of ['done', 'open']) {
      repo.git('worktree', 'add', '-q', '-b', name, `../${name}`);
      const workspace = await repo.open({ root: repo.path('..', name), now });
      await workspace.session().edit('create', { path: `${name}.txt`, file_text: 'x\n' });
      if (name === 'done') await workspace.land({ git });
      await workspace.close();
      repo.git('worktree', 'remove', '--force', `../${name}`);
    }
    repo.git('merge', '-q', 'done');
    await (await repo.session('s3', { now })).edit('create', { path: 'main.txt', file_text: 'x\n' });
    return repo;
  }
  const refs = (repo: Place): string[] =>
    repo.git('for-each-ref', '--format=%(refname)', 'refs/vedit').split('\n').filter(Boolean);

  it.each([
    ['loose', () => {}],
    ['packed', (repo: Place) => repo.git('pack-refs', '--all')],
    [
      'packed and loose',
      (repo: Place) => {
        const head = repo.git('rev-parse', 'refs/vedit/worktree/done');
        repo.git('update-ref', 'refs/vedit/worktree/done', `${head}~1`);
        repo.git('pack-refs', '--all');
        repo.git('update-ref', '--create-reflog', 'refs/vedit/worktree/done', head);
      },
    ],
  ])('deletes what is old and landed, and says what it was: %s', async (_, prepare) => {
    const repo = await aged();
    prepare(repo);
    const head = repo.git('rev-parse', 'refs/vedit/worktree/done');
    const others = repo.git(
      'for-each-ref',
      'refs/heads',
      'refs/tags',
      'refs/vedit/main',
      'refs/vedit/worktree/open',
    );
    const workspace = await repo.open();
    const wish = { pruneBefore: days(90)() };
    const { data: planned } = await workspace.gc({ ...wish, dryRun: true });
    expect(refs(repo).length).toBe(3);
    const { data } = await workspace.gc(wish);
    expect(data.pruned).toEqual([{ ref: 'refs/vedit/worktree/done', head, last: days(100)().toISOString() }]);
    expect(planned.pruned).toEqual(data.pruned);
    expect(data.kept.map(({ ref, why }) => `${ref}: ${why}`)).toEqual([
      'refs/vedit/main: its work tree is there',
      'refs/vedit/worktree/open: 1 of its edits have not landed',
    ]);
    expect(refs(repo)).toEqual(['refs/vedit/main', 'refs/vedit/worktree/open']);
    expect(
      repo.git('for-each-ref', 'refs/heads', 'refs/tags', 'refs/vedit/main', 'refs/vedit/worktree/open'),
    ).toBe(others);
    expect(existsSync(repo.path('.git/refs/vedit/worktree/done'))).toBe(false);
    expect(leftIn(repo)).toEqual(['events', 'live', 'packs', 'tmp', 'wanted']);
    repo.git('update-ref', 'refs/vedit/worktree/done', head);
    expect((await (await repo.open({ trail: 'worktree/done' })).session().log()).data.entries).toHaveLength(
      1,
    );
  });

  it('deletes what has not landed only when told to, and never what is in use', async () => {
    const repo = await aged();
    repo.git('worktree', 'add', '-q', '-b', 'linked', '../linked');
    const linked = await repo.open({ root: repo.path('../linked'), now: days(95) });
    await linked.session().edit('create', { path: 'l.txt', file_text: 'x\n' });
    const { data } = await (await repo.open()).gc({ pruneBefore: days(90)(), unlanded: true });
    expect(data.pruned.map(one => one.ref)).toEqual(['refs/vedit/worktree/done', 'refs/vedit/worktree/open']);
    expect(refs(repo)).toEqual(['refs/vedit/main', 'refs/vedit/worktree/linked']);
  });

  it('goes on with the journal that is open: another process would not find one that was begun beside it', async () => {
    const repo = await aged();
    const workspace = await repo.open();
    const journals = () => readdirSync(repo.path('.git/vedit')).filter(name => name.startsWith('journal.'));
    await workspace.session().edit('create', { path: 'n.txt', file_text: 'x\n' });
    const { data } = await workspace.gc({ pruneBefore: days(90)(), unlanded: true });
    expect(data.pruned).toHaveLength(2);
    expect(journals()).toHaveLength(1);
  });

  it('leaves what is younger, and what moved since it was looked at', async () => {
    const repo = await aged();
    const workspace = await repo.open();
    expect((await workspace.gc({ pruneBefore: days(101)(), unlanded: true })).data).toMatchObject({
      pruned: [],
      kept: [],
    });
    repo.write('.git/packed-refs.lock', '');
    const call = (await repo.open({ patience: { git: 50 } })).gc({ pruneBefore: days(90)() });
    expect(await codeOf(call)).toBe('LOCKED');
    expect(refs(repo).length).toBe(3);
    expect(leftIn(repo)).toEqual(['events', 'live', 'packs', 'tmp', 'wanted']);
  });
});
