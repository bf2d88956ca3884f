/** Landings of what was accepted in the review, and of chosen places: the rest stays in the files. */

import { describe, expect, it } from 'vitest';
import { edit, files, git, LINES, land, refusal, shown } from '../helpers/landing.ts';
import type { Place } from '../helpers/person-repo.ts';

const accept = async (repo: Place, path: string, line?: number): Promise<unknown> =>
  (await repo.open()).accept({ path, ...(line ? { lines: { start_line: line, end_line: line } } : {}) });

describe('what was accepted', () => {
  it('lands, and the rest stays in the files and is not said to have landed', async () => {
    const repo = files();
    const edits = await edit(repo, ['a.txt', 'one', 'ONE'], ['a.txt', 'six', 'SIX'], ['b.txt', 'two', 'TWO']);
    await accept(repo, 'a.txt', 1);
    const { data } = await land(repo, { accepted: true });
    expect(repo.git('show', 'HEAD:a.txt')).toBe(shown(LINES.replace('one', 'ONE')));
    expect(data).toMatchObject({ not_taken: ['a.txt', 'b.txt'], left: 2, outside: [] });
    expect(data.commits[0]!.edits).toEqual([edits[0]]);
    expect(data.commits[0]!.message).toContain(`Vedit-Lands: ${edits[0]}\n`);
    expect(repo.git('diff', '--name-only')).toBe('a.txt\nb.txt');
    expect((await refusal(repo, { accepted: true })).message).toContain(
      'Nothing of it is accepted as the files have it',
    );
  });

  it('does not land where an agent went on in it: no file has that text any more', async () => {
    const repo = files();
    await edit(repo, ['a.txt', 'one', 'uno']);
    await accept(repo, 'a.txt');
    await edit(repo, ['a.txt', 'uno', 'eins']);
    expect(await refusal(repo, { accepted: true })).toMatchObject({ code: 'NO_CHANGE' });
    await accept(repo, 'a.txt');
    await land(repo, { accepted: true });
    expect(repo.git('show', 'HEAD:a.txt')).toBe(shown(LINES.replace('one', 'eins')));
  });

  it('is a whole file, or none of it, where files come, go or move', async () => {
    const repo = files();
    const session = await repo.session('s1');
    await session.edit('create', { path: 'n.txt', file_text: 'n\n' });
    await session.edit('delete', { path: 'b.txt' });
    await session.edit('move', { path: 'a.txt', new_path: 'c.txt' });
    expect(await refusal(repo, { accepted: true })).toMatchObject({ code: 'NO_CHANGE' });
    await accept(repo, 'n.txt');
    await land(repo, { accepted: true });
    expect(repo.git('ls-tree', '--name-only', 'HEAD')).toBe('a.txt\nb.txt\nn.txt');
    await (await repo.open()).accept({ all: true });
    await land(repo, { accepted: true });
    expect(repo.git('ls-tree', '--name-only', 'HEAD')).toBe('c.txt\nn.txt');
    expect(repo.git('status', '--short')).toBe('');
  });

  it('as one commit for each edit', async () => {
    const repo = files();
    await edit(repo, ['a.txt', 'one', 'ONE'], ['a.txt', 'six', 'SIX'], ['b.txt', 'two', 'TWO']);
    await accept(repo, 'a.txt');
    expect((await land(repo, { accepted: true, each: true })).data.commits).toHaveLength(2);
    expect(repo.git('diff', '--name-only')).toBe('b.txt');
  });
});

describe('chosen places', () => {
  it('land, as a dry run names them, and no others', async () => {
    const repo = files();
    await edit(repo, ['a.txt', 'one', 'ONE'], ['a.txt', 'six', 'SIX'], ['b.txt', 'two\nthree\n', '']);
    const { hunks } = (await land(repo, { dryRun: true })).data;
    expect(hunks).toMatchObject([
      { path: 'a.txt', about: '', before: { line: 1, lines: ['one'] }, after: { line: 1, lines: ['ONE'] } },
      { path: 'a.txt', before: { line: 6 }, after: { line: 6, lines: ['SIX'] } },
      { path: 'b.txt', before: { line: 2, lines: ['two', 'three'] }, after: { line: 2, lines: [] } },
    ]);
    expect(hunks![1]!.context).toEqual({ above: ['three', 'four', 'five'], below: ['seven'] });
    expect(hunks!.map(({ agents }) => agents)).toEqual([['claude'], ['claude'], ['claude']]);
    const { data } = await land(repo, { hunks: [hunks![1]!.id, hunks![2]!.id] });
    expect(data.not_taken).toEqual(['a.txt']);
    expect(repo.git('show', 'HEAD:a.txt')).toBe(shown(LINES.replace('six', 'SIX')));
    expect(repo.git('diff', '--stat', 'HEAD')).toContain('1 insertion(+), 1 deletion(-)');
  });

  it('are refused where they are others by now', async () => {
    const repo = files();
    await edit(repo, ['a.txt', 'one', 'ONE']);
    const { hunks } = (await land(repo, { dryRun: true })).data;
    await edit(repo, ['a.txt', 'ONE', 'uno']);
    expect(await refusal(repo, { hunks: [hunks![0]!.id] })).toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('changed since'),
    });
    expect(await refusal(repo, { hunks: [] })).toMatchObject({ code: 'NO_CHANGE' });
  });

  it('say what becomes of a file', async () => {
    const repo = files();
    const session = await repo.session('s1');
    await session.edit('create', { path: 'n.txt', file_text: 'n\n' });
    await session.edit('delete', { path: 'b.txt' });
    await session.edit('move', { path: 'a.txt', new_path: 'c.txt' });
    const { hunks } = (await (await repo.open()).land({ git, dryRun: true })).data;
    expect(hunks!.map(({ path, about }) => `${path}: ${about}`).sort()).toEqual([
      'b.txt: deleted file',
      'c.txt: renamed from a.txt',
      'n.txt: new file',
    ]);
  });
});
