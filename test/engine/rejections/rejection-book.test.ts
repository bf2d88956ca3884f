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
  /** The rejection, which is the trail's newest commit, and the commit before. */
  commit: string;
  before: string;
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
  const before = repo.git('rev-parse', `${tip}^`).trim();
  return { book, home, commit: tip!, before, trail: ref };
}

const commits = async (book: RejectionBook): Promise<string[]> => (await book.all()).map(one => one.commit);

it('is read once until somebody else moves the trail', async () => {
  const { book, home, commit, before } = await rejected();
  let count = 0;
  const { readdir } = home.fs;
  home.fs.readdir = path => {
    count++;
    return readdir.call(home.fs, path);
  };
  book.saw(before);
  expect(await commits(book)).toEqual([commit]);
  book.moved(before, commit);
  await book.all();
  expect(count).toBe(1);
  book.saw(before);
  await book.all();
  expect(count).toBe(2);
  // Others moved it first.
  book.moved(commit, before);
  await book.all();
  expect(count).toBe(2);
  book.moved(commit, commit);
  await book.all();
  expect(count).toBe(3);
});

it('is known to a call that asks while another one reads it', async () => {
  const { book, commit } = await rejected();
  book.saw(commit);
  expect(await Promise.all([commits(book), commits(book)])).toEqual([[commit], [commit]]);
});

it('is read again after a reading that failed', async () => {
  const { book, home, commit } = await rejected();
  const { readdir } = home.fs;
  home.fs.readdir = () => Promise.reject(Object.assign(new Error('EIO'), { code: 'EIO' }));
  book.saw(commit);
  await expect(book.all()).rejects.toThrow('EIO');
  home.fs.readdir = readdir;
  expect(await commits(book)).toEqual([commit]);
});

it('has a rejection that was read before its commit was made', async () => {
  const { book, home, commit, before, trail } = await rejected();
  const { objects } = home;
  home.objects = Object.assign(Object.create(objects), {
    readOrNull: async (oid: string) => (oid === commit ? null : objects.readOrNull(oid)),
  });
  book.saw(before);
  await book.add(commit, trail);
  expect(await commits(book)).toEqual([]);
  home.objects = objects;
  book.moved(before, commit);
  expect(await commits(book)).toEqual([commit]);
});

it('has a rejection that is added, and none that is removed, while it is read', async () => {
  const { book, home, commit, trail } = await rejected();
  const { readdir } = home.fs;
  let meanwhile = (): Promise<void> => book.remove(commit);
  home.fs.readdir = async path => {
    const names = await readdir.call(home.fs, path);
    await meanwhile();
    meanwhile = async () => {};
    return names;
  };
  book.saw(commit);
  await book.all().catch(() => {});
  expect(await commits(book)).toEqual([]);
  meanwhile = () => book.add(commit, trail);
  book.saw(null);
  await book.all();
  expect(await commits(book)).toEqual([commit]);
});
