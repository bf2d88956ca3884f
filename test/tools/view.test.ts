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
    expect(await refused('view', { path: 'a.txt', view_range: [6, 9] })).toBe('LINE_OUT_OF_RANGE');
    expect(await refused('view', { path: 'a.txt', view_range: [3, 2] })).toBe('LINE_OUT_OF_RANGE');
    expect(await refused('view', { path: 'a.txt', view_range: [2] })).toBe('INVALID_INPUT');
  });

  it.each([9, 1e20])('shows what there is of a range that ends behind the file: %d', async end => {
    const { done } = await calls();
    const data = await done('view', { path: 'a.txt', view_range: [4, end] });
    expect(data).toMatchObject({ from: 4, to: 5, lines: 5, cut: false, text: '4\n5\n' });
  });

  it('refused, has shown nothing', async () => {
    const { done, refused, session } = await calls();
    const LINE = { path: 'a.txt', start_line: 2, end_line: 2, new_content: 'two' };
    const OUT = { path: 'a.txt', view_range: [9, 9] };
    expect(await refused('view', OUT)).toBe('LINE_OUT_OF_RANGE');
    expect(await refused('replace_lines', LINE)).toBe('NOT_VIEWED');
    await done('view', { path: 'a.txt' });
    const other = await session('other');
    await other.view({ path: 'a.txt' });
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
    expect(await refused('delete', { path: 'd/' })).toBe('IS_DIRECTORY');
  });

  it('says where it cuts', async () => {
    const { done, write } = await calls();
    write('long.txt', `${'x'.repeat(3000)}\n${'y\n'.repeat(50)}`);
    expect(await done('view', { path: 'long.txt', max_characters: 2100 })).toMatchObject({
      cut: true,
      lines: 51,
    });
  });

  it.each([1, 50, 51, 700, 1530, 2040])(
    'shows no more of a file than %i characters, and how to see the rest',
    async maxCharacters => {
      const { write, session } = await calls();
      const limit = Math.max(maxCharacters, 50);
      write('long.txt', `${'x'.repeat(1500)}\n${'z'.repeat(2500)}\n${'y\n'.repeat(500)}`);
      const agent = await session();
      for (const first of [1, 2, 3]) {
        const input = { path: 'long.txt', viewRange: [first, -1], maxCharacters };
        const { message, data } = await agent.view(input);
        const text = message.slice(0, message.indexOf('\n[') + 1);
        expect(text.length).toBeLessThanOrEqual(limit);
        expect(text.length).toBeGreaterThan(Math.min(limit - 25, 400));
        expect(message).toContain(
          `[cut at ${limit} characters: lines ${Number(data.to) + 1}-502 are not shown; `,
        );
        const cut = /… \[(\d+) more characters\]/.exec(text);
        if (!cut) continue;
        const length = first === 1 ? 1500 : 2500;
        expect(message).toContain(
          `[line ${first} is ${length} characters long, cut at ${length - Number(cut[1])}`,
        );
        expect(message.includes(': a larger max_characters shows more of it]')).toBe(limit < 2040);
      }
    },
  );

  it('cuts a listing there too', async () => {
    const { write, session } = await calls();
    for (let n = 10; n < 60; n++) write(`d/${n}.txt`, '');
    const agent = await session();
    const cut = await agent.view({ path: 'd', maxCharacters: 100 });
    expect(cut.data).toMatchObject({ cut: true, entries: { length: 11 } });
    expect(cut.message).toMatch(
      /^(d\/\d\d\.txt\n){11}\[cut at 100 characters: 11 of 50 entries are shown; view a folder below, or give a larger max_characters\]\n/,
    );
    const whole = await agent.view({ path: 'd', maxCharacters: 450 });
    expect(whole.data).toMatchObject({ cut: false, entries: { length: 50 } });
    for (let n = 10; n < 360; n++) write(`e/${n}${'e'.repeat(200)}`, '');
    const { data, message } = await agent.view({ path: 'e' });
    expect([data.cut, message.length > 59_500, message.length < 60_300]).toEqual([true, true, true]);
    expect(message).toContain(`${(data.entries as string[]).length} of 350 entries are shown`);
  });
});
