import { describe, expect, it } from 'vitest';
import { aMoment } from '../helpers/agent-events.ts';
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

  it('is named where no edit is about its file, by a landing that takes such text too', async () => {
    const repo = personRepo({ 'a.txt': LINES, 'b.txt': LINES, 'src/c.txt': LINES });
    await (await repo.session()).edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: 'ONE' });
    repo.write('a.txt', `${repo.read('a.txt')}by hand\n`);
    repo.write('b.txt', `${LINES}by hand\n`);
    repo.write('src/c.txt', `${LINES}by hand\n`);
    const workspace = await repo.open();
    const outside = async (options: object) =>
      (await workspace.land({ git, outside: true, dryRun: true, ...options })).data.outside;
    expect(await outside({})).toEqual(['b.txt', 'src/c.txt']);
    expect(await outside({ paths: ['a.txt', 'src'] })).toEqual(['src/c.txt']);
    expect(await outside({ commits: ['~0'] })).toEqual([]);
    expect(await outside({ outside: false })).toEqual(['a.txt']);
    const { data } = await workspace.land({ git, outside: true });
    expect(data.notes).toEqual(['Changed, not through vedit, and still uncommitted: b.txt, src/c.txt.']);
    expect(dirty(repo)).toEqual([' M b.txt', ' M src/c.txt']);
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

describe('text of a person that is brought back', () => {
  const own = LINES.replace('two', 'two\nmine is this');

  it.each([
    ['delete', { path: 'a.txt' }],
    ['str_replace', { path: 'a.txt', old_str: 'mine is this', new_str: 'theirs' }],
    ['str_replace', { path: 'a.txt', old_str: 'two\nmine is this', new_str: 'theirs' }],
  ] as const)('by the undo of a %s, %o, stays theirs, landed before or not', async (tool, input) => {
    for (const isLanded of [false, true]) {
      const repo = personRepo({ 'a.txt': LINES, 'b.txt': 'b\n' });
      repo.write('a.txt', own);
      const session = await repo.session();
      const workspace = await repo.open();
      await session.edit(tool, input);
      if (isLanded) await workspace.land({ git });
      await session.undo();
      if (isLanded) await workspace.land({ git });
      expect(await codeOf(workspace.land({ git }))).toBe('NO_CHANGE');
      expect((await session.status()).data.left).toBe(0);
      expect(three(repo, 'a.txt')).toMatchObject({ head: LINES.trimEnd(), file: own });
      await workspace.land({ git, outside: true });
      expect(repo.git('show', 'HEAD:a.txt')).toBe(own.trimEnd());
    }
  });

  it('lands as the undo of what landed, where they had committed it', async () => {
    const repo = personRepo({ 'a.txt': LINES });
    const session = await repo.session();
    const workspace = await repo.open();
    repo.write('a.txt', own);
    await session.edit('str_replace', { path: 'a.txt', old_str: 'seven', new_str: 'SEVEN' });
    repo.git('commit', '-qam', 'mine');
    await session.edit('delete', { path: 'a.txt' });
    await workspace.land({ git });
    await session.undo();
    await workspace.land({ git });
    expect(repo.git('show', 'HEAD:a.txt')).toBe(own.replace('seven', 'SEVEN').trimEnd());
  });

  it('by a command, such as git stash pop, stays theirs', async () => {
    const repo = personRepo({ 'a.txt': LINES });
    repo.write('a.txt', own);
    const session = await repo.session();
    for (const act of [['stash'], ['stash', 'pop']]) {
      await aMoment();
      await session.during(
        async () => {
          await aMoment();
          repo.git(...act);
          await aMoment();
        },
        { git },
      );
    }
    expect(repo.read('a.txt')).toBe(own);
    expect(await codeOf((await repo.open()).land({ git }))).toBe('NO_CHANGE');
    const { data } = await session.blame({ path: 'a.txt' });
    expect(data.lines[2]).toMatchObject({ text: 'mine is this', op: 'outside' });
  });
});
