/** Links that a command of an agent made, changed or took: they are told, landed and left to commands as what they are. */

import { execSync } from 'node:child_process';
import { existsSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { expect, it } from 'vitest';
import { dirty, git, LINES, land } from '../helpers/landing.ts';
import { type Place, personRepo } from '../helpers/person-repo.ts';

function linked(): Place {
  const repo = personRepo({ 'a.txt': LINES, 'b.txt': LINES });
  symlinkSync('a.txt', repo.path('link'));
  repo.git('add', '-A');
  repo.git('commit', '-qm', 'a link');
  return repo;
}

const link = (repo: Place, target: string, name = 'link'): void => {
  rmSync(repo.path(name), { force: true });
  symlinkSync(target, repo.path(name));
};

const COMMANDS: ReadonlyArray<readonly [string, (repo: Place) => void]> = [
  ['leads to another file', repo => link(repo, 'b.txt')],
  ['leads nowhere', repo => link(repo, 'nowhere')],
  ['is new', repo => link(repo, 'a.txt', 'new')],
  ['is there in place of a file', repo => link(repo, 'a.txt', 'b.txt')],
  [
    'is a file now',
    repo => {
      rmSync(repo.path('link'));
      repo.write('link', 'text\n');
    },
  ],
  ['is gone', repo => rmSync(repo.path('link'))],
];

it.each(COMMANDS)(
  'a link that %s is open, keeps no other file from the review, and lands',
  async (_, run) => {
    const repo = linked();
    const workspace = await repo.open();
    const session = await repo.session();
    await session.edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: 'ONE' });
    await session.during(async () => run(repo), { git });
    expect((await session.log()).data.entries[0]!.status!.now).toBe('open');
    expect((await workspace.review()).data.hunks.map(({ path }) => path)).toEqual(['a.txt']);
    await expect(session.undo()).rejects.toMatchObject({
      code: 'SPECIAL_FILE',
      message: expect.stringMatching(
        /By hand: (git restore --source=[0-9a-f]{12}~1 -- |rm )(link|new|b\.txt)$/,
      ),
    });
    await land(repo);
    expect(dirty(repo)).toEqual([]);
    expect((await session.log()).data.entries[0]!.status!.now).toBe('landed');
  },
);

it('a link that a person set elsewhere since is theirs, and does not land', async () => {
  const repo = linked();
  const session = await repo.session();
  await session.during(async () => link(repo, 'b.txt'), { git });
  link(repo, 'nowhere');
  await session.edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: 'ONE' });
  await land(repo);
  expect(dirty(repo)).toEqual([' M link']);
  await land(repo, { outside: true });
  expect([dirty(repo), readlinkSync(repo.path('link'))]).toEqual([[], 'nowhere']);
});

it('a link and files are undone by hand and by vedit: the refusal says how, and so it is', async () => {
  const repo = linked();
  const session = await repo.session();
  const run = async (): Promise<void> => {
    link(repo, 'b.txt');
    link(repo, 'a.txt', 'new link');
    repo.write('a.txt', LINES.replace('two', 'TWO'));
    repo.write('n.txt', 'n\n');
  };
  await session.during(run, { git });
  repo.write('a.txt', LINES.replace('two', 'TWO').replace('seven', 'mine'));
  const words = await session.undo().then(
    () => '',
    error => error.message as string,
  );
  const [, way] = /By hand: (.*)\. Then do the same again/.exec(words)!;
  expect(way).toMatch(/^git restore --source=[0-9a-f]{12}~1 -- link && rm 'new link'$/);
  execSync(way!, { cwd: repo.dir });
  await session.undo();
  expect([readlinkSync(repo.path('link')), repo.read('a.txt')]).toEqual([
    'a.txt',
    LINES.replace('seven', 'mine'),
  ]);
  expect([existsSync(repo.path('new link')), existsSync(repo.path('n.txt'))]).toEqual([false, false]);
  expect((await (await repo.open()).verify()).data).toMatchObject({ sound: true });
  await session
    .redo()
    .catch(error => expect(error.message).toMatch(/By hand: git restore --source=[0-9a-f]{12} -- /));
});
