/** What cannot be put in place when the ref has moved waits for its path alone. */

import { copyFileSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Asides } from '../../../../src/engine/transaction/aside/asides.ts';
import type { Fs } from '../../../../src/fs/fs.ts';
import { nodeFs } from '../../../../src/fs/node/node-fs.ts';
import type { Workspace } from '../../../../src/index.ts';
import { failing, overriding } from '../../../helpers/overriding.ts';
import { codeOf, ownRepo, type Place, personRepo } from '../../../helpers/person-repo.ts';
import { openAs } from '../ended-process.ts';

const FILES = { 'a.txt': 'one\ntwo\n', 'b.txt': 'one\n' };
const EDIT = { path: 'a.txt', old_str: 'two', new_str: 'TWO' };

/** A disk on which nothing can be put over a.txt while `isStuck`. */
class Disk {
  isStuck = true;
  readonly fs: Fs;

  constructor(code = 'EBUSY', call: 'rename' | 'link' = 'rename') {
    const real = nodeFs();
    const failing = async (from: string, to: string): Promise<void> => {
      if (this.isStuck && to.endsWith('/a.txt')) throw Object.assign(new Error(code), { code });
      await real[call](from, to);
    };
    this.fs = overriding(real, { [call]: failing });
  }
}

const notes = (repo: Place): string[] => {
  try {
    return readdirSync(repo.path('.git/vedit/aside'));
  } catch {
    return [];
  }
};

async function stuck(
  repo: Place,
  disk = new Disk(),
): Promise<{ workspace: Workspace; disk: Disk; warnings: string[] }> {
  const workspace = await openAs(repo, { fs: disk.fs });
  const { data } = await workspace.session({ id: 's' }).edit('str_replace', EDIT);
  return { workspace, disk, warnings: data.warnings ?? [] };
}

describe.each([
  ['beside the branch', personRepo, 'vedit/main'],
  ['on the branch', ownRepo, 'HEAD'],
] as const)('a file that cannot be replaced, %s', (_, make, trail) => {
  it('is told in the answer, in status and in doctor; other files go on, and it is refused', async () => {
    const repo = make(FILES);
    const { workspace, warnings } = await stuck(repo);
    expect(warnings).toEqual([
      expect.stringMatching(/^a\.txt is set aside: .*\(in use, or something is mounted there \(EBUSY\)\)/),
    ]);
    expect([repo.git('show', `${trail}:a.txt`), repo.read('a.txt')]).toEqual(['one\nTWO', 'one\ntwo\n']);
    const session = workspace.session({ id: 's' });
    await session.edit('str_replace', { path: 'b.txt', old_str: 'one', new_str: 'ONE' });
    expect(repo.read('b.txt')).toBe('ONE\n');
    for (const input of [
      { ...EDIT, new_str: 'x' },
      { ...EDIT, old_str: 'TWO', new_str: 'x' },
      { ...EDIT, old_str: 'nowhere' },
    ])
      await expect(session.edit('str_replace', input)).rejects.toMatchObject({
        code: 'STORE_FAILED',
        data: { path: 'a.txt', cause: 'EBUSY' },
        message: expect.stringContaining('Nothing was changed'),
      });
    const { data, message } = await session.status();
    expect(data).toMatchObject({
      set_aside: [{ path: 'a.txt', work_tree: null }],
      outside: [],
      interrupted: false,
    });
    expect(message).toContain('a.txt is set aside');
    expect((await workspace.doctor()).data.set_aside).toMatchObject([{ path: 'a.txt' }]);
    await workspace.close();
    expect(notes(repo)).toHaveLength(1);
    expect(readdirSync(repo.path('.git/vedit')).filter(name => /journal|unfinished/.test(name))).toEqual([]);
  });

  it('is put in place by the next call when the cause is gone, also by another process', async () => {
    const repo = make(FILES);
    const { workspace } = await stuck(repo);
    await workspace.close();
    const other = await openAs(repo);
    const { data } = await other.session().edit('create', { path: 'c.txt', file_text: 'c\n' });
    expect(data.warnings).toEqual([
      expect.stringContaining('a.txt was set aside, and holds its newest edit now'),
    ]);
    expect(repo.read('a.txt')).toBe('one\nTWO\n');
    expect([notes(repo), (await other.session().status()).data.set_aside]).toEqual([[], []]);
    await other.session().edit('str_replace', { ...EDIT, old_str: 'TWO', new_str: 'two' });
    expect((await other.verify()).data).toMatchObject({ sound: true });
    await other.close();
  });

  it.each<[string, (workspace: Workspace, repo: Place) => Promise<unknown>]>([
    ['an undo', workspace => workspace.session({ id: 's' }).undo()],
    [
      'a restore of the file as it is',
      (workspace, repo) =>
        workspace.session({ id: 's' }).restore({ path: 'a.txt', from: repo.git('rev-parse', 'HEAD') }),
    ],
  ])('ends with %s', async (_what, end) => {
    const repo = personRepo(FILES);
    const { workspace } = await stuck(repo);
    await end(workspace, repo);
    expect([repo.git('show', 'vedit/main:a.txt'), repo.read('a.txt')]).toEqual(['one\ntwo', 'one\ntwo\n']);
    const next = await workspace.session().edit('create', { path: 'c.txt', file_text: 'c\n' });
    expect([notes(repo), next.data.warnings]).toEqual([[], undefined]);
    expect((await workspace.session().log()).data.entries.map(({ op }) => op)).not.toContain('outside');
    await workspace.close();
  });

  it('ends where somebody gave the file another text, which is theirs', async () => {
    const repo = make(FILES);
    const { workspace } = await stuck(repo);
    writeFileSync(repo.path('a.txt'), 'mine\n');
    const { data } = await workspace.session().edit('create', { path: 'c.txt', file_text: 'c\n' });
    expect(data.warnings).toEqual([expect.stringContaining('another text')]);
    expect([notes(repo), repo.read('a.txt')]).toEqual([[], 'mine\n']);
    await workspace.close();
  });

  it('sleeps while another branch is checked out, where the branch is the trail', async () => {
    const repo = make(FILES);
    const { workspace, disk } = await stuck(repo);
    disk.isStuck = false;
    repo.git('switch', '-qc', 'other');
    await workspace.session().edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: '1' });
    const isBranch = make === ownRepo;
    expect([repo.read('a.txt'), notes(repo).length]).toEqual(isBranch ? ['1\ntwo\n', 1] : ['1\nTWO\n', 0]);
    await workspace.close();
  });
});

it('a change of several files is in place but for the one', async () => {
  const repo = personRepo(FILES);
  const workspace = await openAs(repo, { fs: new Disk().fs });
  const patch =
    '*** Begin Patch\n*** Update File: b.txt\n@@\n-one\n+B\n*** Update File: a.txt\n@@\n-two\n+TWO\n*** Add File: c.txt\n+c\n*** End Patch\n';
  const { data } = await workspace.session().edit('apply_patch', { patch });
  expect(data.warnings).toEqual([expect.stringContaining('a.txt is set aside')]);
  expect([repo.read('a.txt'), repo.read('b.txt'), repo.read('c.txt')]).toEqual(['one\ntwo\n', 'B\n', 'c\n']);
  await workspace.close();
});

it('too many open files set nothing aside: the call is finished by the next', async () => {
  const repo = personRepo(FILES);
  const { workspace, disk, warnings } = await stuck(repo, new Disk('EMFILE'));
  expect([notes(repo), warnings]).toEqual([[], [expect.stringContaining('the next call finishes it')]]);
  disk.isStuck = false;
  await workspace.session().edit('create', { path: 'c.txt', file_text: 'c\n' });
  expect(repo.read('a.txt')).toBe('one\nTWO\n');
  await workspace.close();
});

it('where no note can be written either, both causes are told, and one of them gone is enough', async () => {
  const repo = personRepo(FILES);
  repo.write('.git/vedit/aside', 'in the way');
  const { workspace, warnings } = await stuck(repo);
  const words =
    /a\.txt could not be put in place \(.*EBUSY.*\), and no note of that can be written \(.*vedit\/aside/;
  expect(warnings).toEqual([expect.stringMatching(words)]);
  const session = workspace.session({ id: 's' });
  const other = { path: 'b.txt', old_str: 'one', new_str: 'ONE' };
  const refused = await session.edit('str_replace', other).catch(error => error);
  expect([refused.code, refused.message]).toEqual(['STORE_FAILED', expect.stringMatching(words)]);
  rmSync(repo.path('.git/vedit/aside'));
  await session.edit('str_replace', other);
  expect([notes(repo).length, repo.read('b.txt')]).toEqual([1, 'ONE\n']);
  await workspace.close();
});

it('a forged note does no harm', async () => {
  const repo = personRepo(FILES);
  const { workspace } = await stuck(repo);
  await workspace.close();
  const [name] = notes(repo);
  const note = JSON.parse(repo.read(`.git/vedit/aside/${name}`));
  for (const wrong of [
    { paths: ['../x'] },
    { records: [] },
    { ref: 'refs/heads/main' },
    { why: 5 },
    { exact: [['x', 'y']] },
  ])
    repo.write(
      `.git/vedit/aside/${'0'.repeat(24)}.1.${Object.keys(wrong)[0]}.json`,
      JSON.stringify({ ...note, ...wrong }),
    );
  rmSync(repo.path('.git/vedit/aside', name!));
  repo.write('.git/vedit/aside/x.json', 'no note');
  const other = await openAs(repo);
  expect(await codeOf(other.session().edit('create', { path: 'c.txt', file_text: 'c\n' }))).toBeNull();
  expect((await other.session().status()).data.set_aside).toEqual([]);
  expect(repo.read('a.txt')).toBe('one\ntwo\n');
  await other.close();
});

it.each<[string, age: number, found: number]>([
  ['a moment ago is read again', 0, 2],
  ['a while ago and looks as it did is not', 3_600, 1],
])('a folder of notes that was written %s', async (_, age, found) => {
  const repo = personRepo(FILES);
  await (await stuck(repo)).workspace.close();
  const folder = repo.path('.git/vedit/aside');
  const time = Math.floor(Date.now() / 1000) - age;
  const asides = new Asides();
  const context = { fs: nodeFs(), folder: repo.path('.git/vedit') };
  utimesSync(folder, time, time);
  expect(await asides.all(context)).toHaveLength(1);
  const [name] = notes(repo);
  copyFileSync(`${folder}/${name}`, `${folder}/${'0'.repeat(24)}.1.0.json`);
  utimesSync(folder, time, time);
  expect(await asides.all(context)).toHaveLength(found);
});

it('a folder of notes that goes while it is read has none', async () => {
  const repo = personRepo(FILES);
  await (await stuck(repo)).workspace.close();
  const fs = overriding(nodeFs(), { readdir: failing('ENOENT') });
  expect(await new Asides().all({ fs, folder: repo.path('.git/vedit') })).toEqual([]);
});

it('a change of the mode alone waits too, beside a text that waits, and both are put in place later', async () => {
  const repo = personRepo({ ...FILES, 'd/a.txt': 'one\n' });
  const disk = new Disk();
  const session = (await openAs(repo, { fs: disk.fs })).session({ id: 's' });
  const patch = `diff --git a/a.txt b/a.txt
--- a/a.txt
+++ b/a.txt
@@ -1,2 +1,2 @@
 one
-two
+TWO
diff --git a/d/a.txt b/d/a.txt
old mode 100644
new mode 100755
`;
  const { data } = await session.edit('unified_diff', { patch });
  expect(data.warnings?.map(words => words.split(' ')[0])).toEqual(['a.txt', 'd/a.txt']);
  disk.isStuck = false;
  await session.edit('create', { path: 'c.txt', file_text: 'c\n' });
  expect([repo.read('a.txt'), statSync(repo.path('d/a.txt')).mode & 0o777]).toEqual(['one\nTWO\n', 0o755]);
  expect((await session.status()).data.outside).toEqual([]);
});
