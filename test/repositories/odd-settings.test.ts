import { mkdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { personRepo } from '../helpers/person-repo.ts';

describe('a folder where a file of rules would be', () => {
  it.each([
    ['core.attributesFile', 'd'],
    ['core.attributesFile', 'd/e'],
    ['core.excludesFile', 'd'],
    ['core.hooksPath', 'a.txt'],
  ])('%s says nothing', async (key, path) => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    mkdirSync(repo.path('d/e'), { recursive: true });
    repo.git('config', key, repo.path(path));
    const session = await repo.session();
    await session.edit('str_replace', { path: 'a.txt', old_str: 'a', new_str: 'b' });
    expect(repo.read('a.txt')).toBe('b\n');
  });

  it.each(['.git/info/attributes', '.git/info/exclude'])('%s says nothing', async path => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    repo.git('config', 'core.bare', 'false');
    try {
      mkdirSync(repo.path(path), { recursive: true });
    } catch {
      // Git made a file there.
    }
    await (await repo.session()).edit('create', { path: 'b.txt', file_text: 'b\n' });
    expect(repo.read('b.txt')).toBe('b\n');
  });
});
