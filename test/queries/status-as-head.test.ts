import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Place, personRepo } from '../helpers/person-repo.ts';

async function outsideOf(repo: Place): Promise<Array<[path: string, kind: string]>> {
  const { data } = await (await repo.session()).status();
  return data.outside.map(({ path, kind }) => [path, kind]);
}

async function edited(): Promise<Place> {
  const repo = personRepo({ 'a.txt': 'one\ntwo\n', 'b.txt': 'one\ntwo\n' });
  const session = await repo.session();
  await session.edit('str_replace', { path: 'a.txt', old_str: 'two', new_str: 'TWO' });
  await session.edit('create', { path: 'new.txt', file_text: 'new\n' });
  return repo;
}

describe('files that git brought to what HEAD has are not called changed:', () => {
  it('by a stash', async () => {
    const repo = await edited();
    repo.git('stash', '-q', '-u');
    expect(await outsideOf(repo)).toEqual([]);
    repo.write('b.txt', 'typed\n');
    repo.git('stash', 'pop', '-q');
    repo.write('a.txt', 'typed\n');
    expect(await outsideOf(repo)).toEqual([['a.txt', 'modified']]);
  });

  it('by a switch away from a commit that git made', async () => {
    const repo = await edited();
    repo.git('switch', '-q', '-c', 'feature');
    repo.git('add', '-A');
    repo.git('commit', '-q', '-m', 'all');
    repo.git('switch', '-q', 'main');
    const { data, message } = await (await repo.session()).status();
    expect(data.outside).toEqual([]);
    expect(message).not.toContain('nothing but vedit');
    expect(data.away).toEqual([{ where: 'branch feature', edits: 2 }]);
    repo.write('a.txt', 'one\ntyped\n');
    expect(await outsideOf(repo)).toEqual([['a.txt', 'modified']]);
  });

  it('by a restore of one, where another was deleted that HEAD has', async () => {
    const repo = await edited();
    await (await repo.session()).edit('str_replace', { path: 'b.txt', old_str: 'two', new_str: 'TWO' });
    repo.git('restore', 'a.txt');
    rmSync(repo.path('b.txt'));
    expect(await outsideOf(repo)).toEqual([['b.txt', 'deleted']]);
  });
});
