import { describe, expect, it } from 'vitest';
import { dirty, edited, git, LINES, three } from '../helpers/landing.ts';
import { codeOf, filesEqual, personRepo } from '../helpers/person-repo.ts';

describe('the user’s own work', () => {
  it('stays unstaged, staged and untracked as it was', async () => {
    const repo = personRepo({ 'a.txt': LINES, 'b.txt': LINES, 'c.txt': 'c\n' });
    repo.write('b.txt', `${LINES}staged\n`);
    repo.git('add', 'b.txt');
    repo.write('b.txt', `${LINES}staged\nand more\n`);
    repo.write('c.txt', 'c by hand\n');
    repo.write('u.txt', 'untracked\n');
    await edited(repo);
    repo.write('a.txt', `${repo.read('a.txt')}by hand since\n`);
    await (await repo.open()).land({ git });
    expect(repo.git('show', '--format=', '--name-only', 'HEAD').split('\n')).toEqual([
      'a.txt',
      'src/new.txt',
    ]);
    expect(dirty(repo)).toEqual([' M a.txt', 'MM b.txt', ' M c.txt']);
    expect(three(repo, 'b.txt')).toEqual({
      head: LINES.trimEnd(),
      index: `${LINES}staged`,
      file: `${LINES}staged\nand more\n`,
    });
    expect(repo.git('diff', '--stat', 'HEAD', '--', 'a.txt')).toContain('1 insertion(+)');
    expect(repo.git('ls-files', '-o')).toBe('u.txt');
  });

  it('is left out of the commit where an edit was made beside it', async () => {
    const repo = personRepo({ 'a.txt': LINES });
    repo.write('a.txt', `${LINES}by hand\n`);
    await (await repo.session()).edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: 'ONE' });
    const { data } = await (await repo.open()).land({ git });
    expect(three(repo, 'a.txt')).toEqual({
      head: LINES.replace('one', 'ONE').trimEnd(),
      index: LINES.replace('one', 'ONE').trimEnd(),
      file: `${LINES.replace('one', 'ONE')}by hand\n`,
    });
    expect(data.outside).toEqual(['a.txt']);
    expect(data.notes).toEqual(['Changed, not through vedit, and still uncommitted: a.txt.']);
    expect(dirty(repo)).toEqual([' M a.txt']);
  });

  it('lands as an edit left it that changed it', async () => {
    const repo = personRepo({ 'a.txt': LINES });
    repo.write('a.txt', `${LINES}by hand\n`);
    await (await repo.session()).edit('str_replace', {
      path: 'a.txt',
      old_str: 'by hand',
      new_str: 'by two hands',
    });
    const workspace = await repo.open();
    await workspace.land({ git });
    expect(repo.git('show', 'HEAD:a.txt')).toBe(`${LINES}by two hands`);
    expect(dirty(repo)).toEqual([]);
  });

  it('staged in the same file stays staged, on top of what landed', async () => {
    const repo = personRepo({ 'a.txt': LINES });
    repo.write('a.txt', LINES.replace('four', 'four staged'));
    repo.git('add', 'a.txt');
    repo.write('a.txt', LINES);
    await (await repo.session()).edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: 'ONE' });
    await (await repo.open()).land({ git });
    const landed = LINES.replace('one', 'ONE');
    expect(three(repo, 'a.txt')).toEqual({
      head: landed.trimEnd(),
      index: landed.replace('four', 'four staged').trimEnd(),
      file: landed,
    });
  });

  it('staged in the same lines refuses the landing', async () => {
    const repo = personRepo({ 'a.txt': LINES });
    repo.write('a.txt', LINES.replace('one', 'staged'));
    repo.git('add', 'a.txt');
    repo.write('a.txt', LINES);
    await (await repo.session()).edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: 'ONE' });
    await expect((await repo.open()).land({ git })).rejects.toMatchObject({
      code: 'CONFLICT',
      data: { staged: true },
    });
    expect(three(repo, 'a.txt').index).toBe(LINES.replace('one', 'staged').trimEnd());
  });

  it('text of the agents that he staged, or meant to add, is not his own', async () => {
    const repo = personRepo({ 'a.txt': LINES });
    const session = await repo.session();
    await session.edit('create', { path: 'n.txt', file_text: 'first\n' });
    await session.edit('create', { path: 'm.txt', file_text: 'm\n' });
    await session.edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: 'ONE' });
    repo.git('add', 'n.txt', 'a.txt');
    repo.git('add', '-N', 'm.txt');
    await session.edit('create', { path: 'n.txt', file_text: 'second\n', overwrite: true });
    await session.edit('str_replace', { path: 'a.txt', old_str: 'ONE', new_str: 'ONE ONE' });
    await (await repo.open()).land({ git });
    expect(dirty(repo)).toEqual([]);
    expect(filesEqual(repo, 'HEAD')).toBe(true);
  });

  it('hidden in the second of the index is not forgotten', async () => {
    const repo = await edited(personRepo({ 'a.txt': LINES, 'b.txt': LINES, 'same.txt': 'abcd\n' }));
    repo.git('status');
    repo.write('same.txt', 'dcba\n');
    await (await repo.open()).land({ git });
    expect(dirty(repo)).toEqual([' M same.txt']);
  });

  it('in a merge that waits for him is not disturbed', async () => {
    const repo = await edited();
    repo.write('.git/MERGE_HEAD', `${repo.git('rev-parse', 'HEAD')}\n`);
    expect(await codeOf((await repo.open()).land({ git }))).toBe('CONFLICT');
  });
});
