/** A working day: agents edit, the user lands, commits between, agents go on, and all of it stays readable. */

import { describe, expect, it } from 'vitest';
import type { Session } from '../../src/index.ts';
import { dirty, git, hook } from '../helpers/landing.ts';
import { filesEqual, type Place, personRepo } from '../helpers/person-repo.ts';

const AUTH = 'export function check(t) {\n  return valid(t);\n}\n';
const LOG = 'export const log = console.log;\n';

/** The subject of the commit behind each line, by plain git. */
function blame(repo: Place, revision: string, path: string): string[] {
  const lines = repo.git('blame', '--line-porcelain', revision, '--', path).split('\n');
  return lines.filter(line => line.startsWith('summary ')).map(line => line.slice('summary '.length));
}

/** One more edit, landed without git's help: the trail goes on all the same. */
async function landWithoutGit(repo: Place, fixer: Session): Promise<void> {
  await fixer.edit('delete', { path: 'src/fresh.ts' });
  expect((await fixer.status()).data).toMatchObject({ left: 1 });
  const { data } = await (await repo.open({ user: { name: 'Ada', email: 'ada@example.com' } })).land();
  expect(data).toMatchObject({ hooks: false, paths: [{ path: 'src/fresh.ts', kind: 'delete' }] });
  await fixer.edit('create', { path: 'last.txt', file_text: 'x\n' });
  repo.git('checkout', '-q', '--', 'src/log.ts');
  expect(filesEqual(repo, 'vedit/main')).toBe(true);
}

describe('landing, and going on', () => {
  it('by the agents and the user in turns', async () => {
    const repo = personRepo({ 'src/auth.ts': AUTH, 'src/log.ts': LOG, 'README.md': '# Demo\n\nA demo.\n' });
    hook(repo, 'commit-msg', 'grep -q . "$1"');
    const workspace = await repo.open();
    const fixer = workspace.session({ id: 'fixer-1', agent: 'fixer', model: 'm1' });
    const writer = workspace.session({ id: 'writer-1', agent: 'writer' });

    // Two agents edit; the user has work of his own in one of the files.
    const first = await fixer.edit('str_replace', {
      path: 'src/auth.ts',
      old_str: 'valid(t)',
      new_str: 'valid(t) && fresh(t)',
      reason: 'Expired tokens passed.',
    });
    await writer.edit('create', { path: 'docs/auth.md', file_text: '# Tokens\n\nThey expire.\n' });
    repo.write('README.md', '# Demo\n\nA demo.\nby hand, not committed\n');
    await writer.edit('str_replace', { path: 'README.md', old_str: '# Demo', new_str: '# Demo of tokens' });

    // He lands the fix alone, then the rest.
    const fix = await workspace.land({ git, session: 'fixer-1' });
    expect(fix.data).toMatchObject({ commits: [{ edits: [first.data.commit] }], left: 2, hooks: true });
    expect(dirty(repo)).toEqual([' M README.md']);
    const rest = await workspace.land({ git, message: 'Docs for tokens' });
    expect(rest.data).toMatchObject({ left: 0, outside: ['README.md'], sessions: ['writer-1'] });
    expect(repo.git('show', 'HEAD:README.md')).toBe('# Demo of tokens\n\nA demo.');
    expect(repo.read('README.md')).toBe('# Demo of tokens\n\nA demo.\nby hand, not committed\n');

    // He commits his own work, and changes a line that the agent wrote.
    repo.write('src/auth.ts', repo.read('src/auth.ts').replace('fresh(t)', 'isFresh(t)'));
    repo.git('commit', '-qam', 'My own words');
    repo.write('src/log.ts', 'export const log = console.error;\n');

    // The agents go on, on top of what he did, and take something back.
    await fixer.edit('str_replace', { path: 'src/auth.ts', old_str: 'check(t)', new_str: 'check(token)' });
    await fixer.edit('create', {
      path: 'src/fresh.ts',
      file_text: 'export const isFresh = t => t.exp > Date.now();\n',
    });
    await fixer.undo();
    await fixer.redo();
    await writer.edit('insert', {
      path: 'docs/auth.md',
      insert_line: 3,
      insert_text: 'See src/fresh.ts.',
      base: '@',
    });
    const again = await workspace.land({ git, each: true });
    expect(again.data.commits.map(({ message }) => message.split('\n')[0])).toEqual([
      'str_replace src/auth.ts (+1 -1)',
      'create src/fresh.ts (+1 -0)',
      'insert docs/auth.md (+1 -0)',
    ]);
    expect(dirty(repo)).toEqual([' M src/log.ts']);

    // History on his branch is his, with every edit traceable; on the trail it is complete.
    expect(repo.git('log', '--format=%an: %s', '--reverse', 'main~6..main').split('\n')).toEqual([
      'Ada: Expired tokens passed.',
      'Ada: Docs for tokens',
      'Ada: My own words',
      'Ada: str_replace src/auth.ts (+1 -1)',
      'Ada: create src/fresh.ts (+1 -0)',
      'Ada: insert docs/auth.md (+1 -0)',
    ]);
    expect(blame(repo, 'main', 'src/auth.ts')).toEqual([
      'str_replace src/auth.ts (+1 -1)',
      'My own words',
      'start',
    ]);
    expect(blame(repo, 'vedit/main', 'src/auth.ts')).toEqual([
      'str_replace src/auth.ts (+1 -1)',
      'My own words',
      'start',
    ]);
    const landed = repo
      .git('blame', '-s', '-L1,1', '--abbrev=39', 'main', '--', 'docs/auth.md')
      .split(' ')[0]!;
    const lands = repo.git('log', '-1', '--format=%(trailers:key=Vedit-Lands,valueonly)', landed).trim();
    expect(blame(repo, lands.split('..').at(-1)!, 'docs/auth.md')[0]).toBe('create docs/auth.md (+3 -0)');

    const { entries } = (await fixer.log()).data as { entries: Array<{ op: string }> };
    expect(entries.map(entry => entry.op).reverse()).toEqual([
      'str_replace',
      'create',
      'outside',
      'str_replace',
      'head',
      'str_replace',
      'create',
      'undo',
      'redo',
      'insert',
    ]);
    expect((await fixer.status()).data).toMatchObject({ left: 0 });
    expect((await workspace.verify()).data.faults).toEqual([]);
    expect(repo.git('fsck', '--strict')).toBe('');
    await expect(workspace.land({ git })).rejects.toMatchObject({ code: 'NO_CHANGE' });
    await landWithoutGit(repo, fixer);
  });

  it('by a user who rewrites what he landed', async () => {
    const repo = personRepo({ 'a.txt': 'one\ntwo\nthree\n' });
    const workspace = await repo.open();
    const session = workspace.session({ id: 's1', agent: 'fixer' });
    await session.edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: 'ONE' });
    await workspace.land({ git });
    repo.git(
      'commit',
      '-q',
      '--amend',
      '-m',
      'In other words',
      '--no-edit',
      '--trailer',
      'Reviewed-by: Bob <bob@example.com>',
    );
    await session.edit('str_replace', { path: 'a.txt', old_str: 'two', new_str: 'TWO' });
    await workspace.land({ git });
    repo.git('reset', '-q', '--soft', 'HEAD~2');
    repo.git('commit', '-q', '-m', 'Squashed');
    expect((await session.status()).data).toMatchObject({ left: 0 });
    await session.edit('str_replace', { path: 'a.txt', old_str: 'three', new_str: 'THREE' });
    const { data } = await workspace.land({ git });
    expect(data.commits[0]!.message).toMatch(/^str_replace a\.txt/);
    expect(repo.git('log', '--format=%s').split('\n')).toEqual([
      'str_replace a.txt (+1 -1)',
      'Squashed',
      'start',
    ]);
    expect(dirty(repo)).toEqual([]);
    expect((await workspace.verify()).data.sound).toBe(true);
  });
});
