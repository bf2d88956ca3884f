import { describe, expect, it } from 'vitest';
import { calls, EDIT, keepsTheContract } from './calls.ts';

describe('view', () => {
  it('keeps the contract of tools', () => keepsTheContract('view', true));

  it('shows a range with numbers and answers the version to cite', async () => {
    const { done, refused, git } = await calls();
    const data = await done('view', { path: 'a.txt', view_range: [2, -1] });
    expect(data).toMatchObject({
      from: 2,
      to: 5,
      lines: 5,
      text: '2\n3\n4\n5\n',
      version: git('rev-parse', 'HEAD:a.txt'),
    });
    expect(await refused('view', { path: 'a.txt', view_range: [2, 9] })).toBe('LINE_OUT_OF_RANGE');
    expect(await refused('view', { path: 'a.txt', view_range: [2] })).toBe('INVALID_INPUT');
  });

  it('refused, has shown nothing', async () => {
    const { done, refused, session } = await calls();
    const LINE = { path: 'a.txt', start_line: 2, end_line: 2, new_content: 'two' };
    const OUT = { path: 'a.txt', view_range: [9, 9] };
    expect(await refused('view', OUT)).toBe('LINE_OUT_OF_RANGE');
    expect(await refused('replace_lines', LINE)).toBe('NOT_VIEWED');
    await done('view', { path: 'a.txt' });
    const other = await session('other');
    await other.view('a.txt');
    await other.edit('insert', { path: 'a.txt', insert_line: 0, insert_text: '0' });
    expect(await refused('view', OUT)).toBe('LINE_OUT_OF_RANGE');
    expect(await refused('replace_lines', LINE)).toBe('STALE');
  });

  it('lists a folder, and shows a file as it was', async () => {
    const { done } = await calls();
    expect((await done('view', { path: '.' })).entries).toEqual(['a.txt', 'b.txt']);
    await done('str_replace', EDIT);
    expect(await done('view', { path: 'a.txt', at: '~1' })).toMatchObject({ text: '1\n2\n3\n4\n5\n' });
  });

  it('takes the root and folders in every spelling that they are told in', async () => {
    const { done, refused, write, dir } = await calls();
    write('d/e/f.txt', 'f\n');
    for (const path of ['.', './', '', '/', dir, `${dir}/`])
      expect([path, (await done('view', { path })).entries]).toEqual([
        path,
        ['a.txt', 'b.txt', 'd/', 'd/e/'],
      ]);
    for (const path of ['d/', './d/', `${dir}/d`, `${dir}/d/`])
      expect([path, (await done('view', { path })).entries]).toEqual([path, ['d/e/', 'd/e/f.txt']]);
    expect(await done('view', { path: dir, at: '@' })).toMatchObject({ entries: ['a.txt', 'b.txt'] });
    expect(await refused('view', { path: 'a.txt/' })).toBe('INVALID_INPUT');
    expect(await refused('view', { path: `${dir}/..` })).toBe('OUTSIDE_WORKSPACE');
    expect(await refused('view', { path: `${dir}2` })).toBe('OUTSIDE_WORKSPACE');
    expect(await refused('delete', { path: 'd/' })).toBe('INVALID_INPUT');
  });

  it('says where it cuts', async () => {
    const { done, write } = await calls();
    write('long.txt', `${'x'.repeat(3000)}\n${'y\n'.repeat(50)}`);
    expect(await done('view', { path: 'long.txt', max_characters: 2100 })).toMatchObject({
      cut: true,
      lines: 51,
    });
  });
});
