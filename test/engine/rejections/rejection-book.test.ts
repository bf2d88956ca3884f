/** What the book of rejections knows while it is read, and after a reading that failed. */

import { expect, it } from 'vitest';
import { RejectionBook } from '../../../src/engine/rejections/rejection-book.ts';
import { openTrail } from '../../../src/engine/trails/open-trail.ts';
import { nodePlatform } from '../../../src/git/native/platform.ts';
import { openContext } from '../../../src/workspace/opening/open-context.ts';
import { personRepo } from '../../helpers/person-repo.ts';

interface Scene {
  /** Of another process, which has read nothing of it. */
  book: RejectionBook;
  /** Where `book` reads; a test may put other answers in its place. */
  home: ConstructorParameters<typeof RejectionBook>[0];
  /** The rejection, which is the trail's newest commit. */
  commit: string;
  trail: string;
}

/** A person has rejected what an agent wrote. */
async function rejected(): Promise<Scene> {
  const repo = personRepo({ 'a.txt': 'one\n' });
  const workspace = await repo.open({ user: { name: 'Ada', email: 'ada@example.com' } });
  const session = workspace.session({ id: 's1' });
  await session.edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: 'two' });
  await workspace.reject({ path: 'a.txt', reason: 'no' });
  const { fs, folder, objects } = await openContext(nodePlatform(), { root: repo.dir });
  const { ref, tip } = await openTrail(await openContext(nodePlatform(), { root: repo.dir }));
  const home = { fs: Object.create(fs), folder, objects };
  const book = new RejectionBook(home);
  return { book, home, commit: tip!, trail: ref };
}

const commits = async (book: RejectionBook): Promise<string[]> =>
  (await book.read()).rejections.map(one => one.commit);

it('is known to a call that asks while another one reads it', async () => {
  const { book, commit } = await rejected();
  expect(await Promise.all([commits(book), commits(book)])).toEqual([[commit], [commit]]);
});

it('is read again after a reading that failed', async () => {
  const { book, home, commit } = await rejected();
  const { readdir } = home.fs;
  home.fs.readdir = () => Promise.reject(Object.assign(new Error('EIO'), { code: 'EIO' }));
  await expect(book.read()).rejects.toThrow('EIO');
  home.fs.readdir = readdir;
  expect(await commits(book)).toEqual([commit]);
});

it('has a rejection that was read before its commit was made', async () => {
  const { book, home, commit, trail } = await rejected();
  const { objects } = home;
  home.objects = Object.assign(Object.create(objects), {
    readOrNull: async (oid: string) => (oid === commit ? null : objects.readOrNull(oid)),
  });
  await book.add(commit, trail);
  expect(await commits(book)).toEqual([]);
  home.objects = objects;
  expect(await commits(book)).toEqual([commit]);
});

it('has none that is removed while it is read, and what another process has added', async () => {
  const { book, home, commit, trail } = await rejected();
  const { readdir } = home.fs;
  home.fs.readdir = async path => {
    const names = await readdir.call(home.fs, path);
    await book.remove(commit);
    return names;
  };
  expect(await commits(book)).toEqual([]);
  home.fs.readdir = readdir;
  await new RejectionBook(home).add(commit, trail);
  expect(await commits(book)).toEqual([commit]);
});
