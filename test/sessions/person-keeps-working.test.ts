/** A person's repository with staged, unstaged and untracked work, while an agent edits, undoes and redoes in it. */

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { filesEqual, personRepo } from '../helpers/person-repo.ts';

describe('a person keeps working while an agent edits', () => {
  it('index, HEAD and branches stay byte for byte; all text of the person is in place', async () => {
    const repo = personRepo({
      'src/auth.ts': 'export function check(t) {\n  return valid(t);\n}\n',
      'src/log.ts': 'export const log = console.log;\n',
      'README.md': '# Demo\n',
    });
    repo.git('branch', 'other');
    repo.git('tag', 'v1');
    repo.write('src/log.ts', 'export const log = console.error;\n');
    repo.git('add', 'src/log.ts');
    repo.write('src/log.ts', 'export const log = console.error; // not staged\n');
    repo.write('README.md', '# Demo\n\nby hand, not staged\n');
    repo.write('notes.txt', 'untracked\n');
    const index = readFileSync(repo.path('.git/index'));
    const refs = repo.git('for-each-ref', 'refs/heads', 'refs/tags');
    const head = readFileSync(repo.path('.git/HEAD'), 'utf8');

    const session = await repo.session('agent-1');
    await session.edit('str_replace', {
      path: 'src/auth.ts',
      old_str: 'valid(t)',
      new_str: 'valid(t) && fresh(t)',
      reason: 'Expired tokens passed.',
    });
    await session.edit('insert', {
      path: 'README.md',
      insert_line: 1,
      insert_text: 'An agent was here.',
      version: String((await session.view({ path: 'README.md' })).data.version),
    });
    await session.edit('create', {
      path: 'src/fresh.ts',
      file_text: 'export const fresh = t => t.exp > Date.now();\n',
    });
    await session.undo({ count: 2 });
    await session.redo();
    await session.edit('str_replace', {
      path: 'src/log.ts',
      old_str: 'not staged',
      new_str: 'still not staged',
    });
    await session.undo();

    expect(readFileSync(repo.path('.git/index')).equals(index)).toBe(true);
    expect(repo.git('for-each-ref', 'refs/heads', 'refs/tags')).toBe(refs);
    expect(readFileSync(repo.path('.git/HEAD'), 'utf8')).toBe(head);
    expect(repo.read('README.md')).toBe('# Demo\nAn agent was here.\n\nby hand, not staged\n');
    expect(repo.read('src/log.ts')).toBe('export const log = console.error; // not staged\n');
    expect(repo.read('notes.txt')).toBe('untracked\n');
    expect(repo.git('show', ':src/log.ts')).toBe('export const log = console.error;');
    expect(repo.git('fsck', '--strict')).toBe('');
  });

  it('plain git reads the trail', async () => {
    const repo = personRepo({ 'a.txt': 'one\ntwo\nthree\n' });
    const session = await repo.session('agent-1');
    const first = await session.edit('str_replace', {
      path: 'a.txt',
      old_str: 'one',
      new_str: 'ONE',
      reason: 'Loud.',
    });
    const second = await session.edit('replace_lines', {
      path: 'a.txt',
      start_line: 3,
      end_line: 3,
      new_content: 'THREE',
      base: '@',
    });
    const short = (commit: string | null): string => commit!.slice(0, 7);

    expect(repo.git('log', '--format=%h %s', '--abbrev=7', 'vedit/main', '^main').split('\n')).toEqual([
      `${short(second.data.commit)} replace_lines a.txt (+1 -1)`,
      `${short(first.data.commit)} Loud. (a.txt)`,
    ]);
    expect(repo.git('show', '--format=%B', first.data.commit!)).toContain(
      'Loud. (a.txt)\n\nVedit-Op: str_replace\nVedit-Path: a.txt\n',
    );
    const blame = repo.git('blame', '-s', '--abbrev=6', 'vedit/main', '--', 'a.txt').split('\n');
    expect(blame.map(line => line.replace('^', '').slice(0, 6))).toEqual(
      [first.data.commit!, repo.git('rev-parse', 'main'), second.data.commit!].map(commit =>
        commit.slice(0, 6),
      ),
    );
    const ops = repo
      .git('log', '--format=%(trailers:key=Vedit-Op,valueonly)', 'vedit/main', '^main')
      .split('\n');
    expect(ops.filter(Boolean)).toEqual(['replace_lines', 'str_replace']);
    expect(repo.git('shortlog', '-s', '--group=trailer:vedit-agent', 'vedit/main').trim()).toBe('2\tclaude');
    expect(filesEqual(repo, 'vedit/main')).toBe(true);
  });
});
