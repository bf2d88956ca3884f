/** A linked work tree that this process does not see waits, and holds nobody up; one of which git's entry is gone does not. */

import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { killedAt } from '../../../crash/person.ts';
import { type Place, personRepo, place } from '../../../helpers/person-repo.ts';
import { at } from '../../../helpers/real-git.ts';
import { inEndedProcess, openAs } from '../ended-process.ts';

const FILES = { 'a.txt': 'one\ntwo\n', 'b.txt': 'one\n' };

function start(): { main: Place; side: Place; hidden: string } {
  const main = personRepo(FILES);
  main.git('worktree', 'add', '-q', '-b', 'side', '../side');
  return { main, side: place(at(main.path('../side'))), hidden: main.path('../hidden') };
}

const notes = (repo: Place): string[] =>
  existsSync(repo.path('.git/vedit/aside')) ? readdirSync(repo.path('.git/vedit/aside')) : [];

const read = (repo: Place): string => readFileSync(repo.path('a.txt'), 'utf8');

async function next(repo: Place, open: (repo: Place) => ReturnType<typeof openAs>): Promise<string[]> {
  const workspace = await open(repo);
  const { data } = await workspace.session().edit('create', { path: `${Date.now()}.txt`, file_text: 'n\n' });
  await workspace.close();
  return data.warnings ?? [];
}

it('an edit that was killed there is finished when it is seen again, and not before', async () => {
  const { main, side, hidden } = start();
  killedAt(side, 'after-ref');
  renameSync(side.dir, hidden);
  await next(main, repo => repo.open());
  const [note] = notes(main).map(name => main.path('.git/vedit/aside', name));
  const { ino } = statSync(note!);
  await next(main, repo => repo.open());
  // To wait costs no writing.
  expect([notes(main).length, statSync(note!).ino]).toEqual([1, ino]);
  const { data } = await (await main.session()).status();
  expect(data.set_aside).toMatchObject([
    { path: 'a.txt', work_tree: 'side', trail: 'refs/vedit/worktree/side' },
  ]);
  renameSync(hidden, side.dir);
  expect(await next(side, repo => repo.open())).toEqual([
    expect.stringContaining('a.txt was set aside, and holds its newest edit now'),
  ]);
  expect([read(side), notes(main)]).toEqual(['one\nTWO\n', []]);
  expect(main.git('log', '--format=%s', 'vedit/worktree/side')).not.toContain('outside');
});

it('an acknowledged edit there outlives a power cut and a first call from where it is not seen', async () => {
  const { main, side, hidden } = start();
  const old = main.path('../old');
  await inEndedProcess(side, async workspace => {
    // What a lost rename leaves: the file as it was, under its own inode.
    renameSync(side.path('a.txt'), old);
    writeFileSync(side.path('a.txt'), readFileSync(old));
    rmSync(side.path('a.txt'));
    renameSync(old, side.path('a.txt'));
    const { linkSync } = await import('node:fs');
    linkSync(side.path('a.txt'), old);
    await workspace.session().edit('str_replace', { path: 'a.txt', old_str: 'two', new_str: 'TWO' });
  });
  renameSync(old, side.path('a.txt'));
  renameSync(side.dir, hidden);
  await next(main, repo => openAs(repo, { boot: 'second' }));
  expect(readdirSync(main.path('.git/vedit')).filter(name => name.startsWith('journal.1'))).toEqual([]);
  renameSync(hidden, side.dir);
  await next(side, repo => openAs(repo, { boot: 'second' }));
  expect([read(side), notes(main)]).toEqual(['one\nTWO\n', []]);
});

it.each<[string, (main: Place, hidden: string) => void]>([
  ['git worktree prune', main => void main.git('worktree', 'prune')],
  [
    'another work tree of its id',
    main => {
      main.git('worktree', 'prune');
      main.git('worktree', 'add', '-q', '../side', 'side');
    },
  ],
])('ends with %s', async (_, end) => {
  const { main, side, hidden } = start();
  killedAt(side, 'after-ref');
  renameSync(side.dir, hidden);
  await next(main, repo => repo.open());
  expect(notes(main)).toHaveLength(1);
  end(main, hidden);
  await next(main, repo => repo.open());
  expect(notes(main)).toEqual([]);
  if (existsSync(side.dir)) expect(read(side)).toBe('one\ntwo\n');
});

it('what is in place there is not touched again when it is seen', async () => {
  const { main, side, hidden } = start();
  killedAt(side, 'after-file');
  writeFileSync(side.path('a.txt'), 'one\ntwo\n');
  renameSync(side.dir, hidden);
  await next(main, repo => repo.open());
  renameSync(hidden, side.dir);
  await next(side, repo => repo.open());
  expect([read(side), notes(main)]).toEqual(['one\ntwo\n', []]);
});
