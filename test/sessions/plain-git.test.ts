/** What git itself does with a trail: log, shortlog, blame, bisect, revert, cherry-pick, format-patch, gc. */

import { chmodSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { personRepo } from '../helpers/person-repo.ts';
import { at } from '../helpers/real-git.ts';

async function trail() {
  const repo = personRepo({ 'n.txt': '0\n', 'other.txt': 'o\n' });
  const session = await repo.session();
  const commits: string[] = [];
  for (let n = 1; n <= 12; n++) {
    commits.push(
      (await session.edit('str_replace', { path: 'n.txt', old_str: `${n - 1}`, new_str: `${n}` })).data
        .commit!,
    );
  }
  repo.git('worktree', 'add', '-q', '--detach', repo.path('../tree'), 'vedit/main');
  return { repo, tree: at(repo.path('../tree')), commits, session };
}

describe('plain git on a trail', () => {
  it('log, shortlog and blame tell who, what and why', async () => {
    const repo = personRepo({ 'a.txt': 'one\ntwo\nthree\n' });
    const fixer = await repo.session();
    const helper = (await repo.open()).session({ id: 's2', agent: 'helper' });
    const first = { path: 'a.txt', old_str: 'one', new_str: 'ONE', reason: 'Louder.' };
    await fixer.edit('str_replace', first);
    await fixer.edit('str_replace', { ...first, old_str: 'two', new_str: 'TWO' });
    await helper.edit('insert', { path: 'a.txt', insert_line: 3, insert_text: 'four', base: '@' });
    const format = '%an|%s|%b|%(trailers:key=Vedit-Op,valueonly,separator=%x2C)';
    expect(repo.git('log', `--format=${format}`, '-1', 'vedit/main~1')).toMatch(
      /^claude\|Louder\. \(a\.txt\)\|Vedit-Op: .*\|str_replace$/s,
    );
    expect(repo.git('shortlog', '-sn', '--group=trailer:vedit-agent', 'vedit/main')).toMatch(
      /^\s*2\tclaude\n\s*1\thelper$/,
    );
    const authors = repo.git('blame', '--line-porcelain', 'vedit/main', '--', 'a.txt').match(/^author .*/gm);
    expect(authors).toEqual(['author claude', 'author claude', 'author Ada', 'author helper']);
  });

  it('bisect run finds the edit', async () => {
    const { tree, commits } = await trail();
    tree.write('../check.sh', '#!/bin/sh\ntest "$(cat n.txt)" -lt 8\n');
    chmodSync(tree.path('../check.sh'), 0o755);
    tree.git('bisect', 'start', 'vedit/main', 'main');
    const said = tree.git('bisect', 'run', '../check.sh');
    expect(said).toContain(`${commits[7]} is the first bad commit`);
  });

  it('revert and cherry-pick work on it', async () => {
    const { tree, commits } = await trail();
    tree.git('revert', '--no-edit', commits[11]!);
    expect(tree.git('show', 'HEAD:n.txt')).toBe('11');
    tree.git('checkout', '-q', '--detach', 'main');
    tree.git('cherry-pick', commits[0]!);
    expect(tree.git('show', 'HEAD:n.txt')).toBe('1');
  });

  it.each([
    ['merge', () => ['merge', '-q', 'vedit/main']],
    ['cherry-pick', (commits: string[]) => ['cherry-pick', commits[0]!]],
    ['revert', (commits: string[]) => ['revert', '--no-edit', commits[3]!]],
    ['bisect', () => ['bisect', 'start', 'vedit/main', 'main']],
  ])('%s in the work tree that holds the edits harms nothing, as the docs say', async (_name, args) => {
    const { repo, commits, session } = await trail();
    const [head, tip] = ['HEAD', 'vedit/main'].map(name => repo.git('rev-parse', name));
    try {
      repo.git(...args(commits));
    } catch {
      // It stops, or does nothing.
    }
    expect(repo.read('n.txt')).toBe('12\n');
    expect(repo.git('rev-parse', 'HEAD')).toBe(head);
    expect(repo.git('rev-parse', 'vedit/main')).toBe(tip);
    await session.edit('str_replace', { path: 'n.txt', old_str: '12', new_str: '13' });
  });

  it('format-patch gives a series that am takes', async () => {
    const { repo, tree } = await trail();
    repo.git('format-patch', '-q', '-o', repo.path('../patches'), 'main..vedit/main');
    tree.git('checkout', '-q', '--detach', 'main');
    tree.git(
      'am',
      '-q',
      ...Array.from({ length: 12 }, (_, i) =>
        repo.path(`../patches/${String(i + 1).padStart(4, '0')}-str_replace-n.txt-1-1.patch`),
      ),
    );
    expect(tree.git('rev-parse', 'HEAD^{tree}')).toBe(repo.git('rev-parse', 'vedit/main^{tree}'));
  });

  it('gc keeps it, and the next edit reads the packs', async () => {
    const { repo, session, commits } = await trail();
    repo.git('gc', '-q', '--prune=now');
    repo.git('pack-refs', '--all');
    await session.edit('str_replace', { path: 'n.txt', old_str: '12', new_str: '13' });
    await session.undo({ count: 3 });
    expect(repo.read('n.txt')).toBe('10\n');
    expect(repo.git('merge-base', '--is-ancestor', commits[0]!, 'vedit/main')).toBe('');
    expect(repo.git('fsck', '--strict')).toBe('');
  });
});
