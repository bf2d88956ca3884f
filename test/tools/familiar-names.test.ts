/** Calls in the words of other agents' tools. */

import { describe, expect, it } from 'vitest';
import { calls } from './calls.ts';

const TOOLS: ReadonlyArray<readonly [given: string, meant: string]> = [
  ['str_replce', 'str_replace'],
  ['edit_file', 'str_replace'],
  ['writeFile', 'create'],
  ['read_file', 'view'],
  ['MultiEdit', 'change'],
  ['mv', 'move'],
  ['edit_preview', 'preview'],
];

describe('a tool that there is not', () => {
  it.each(TOOLS)('%s is answered with %s', async (given, meant) => {
    const { call } = await calls();
    expect(await call(given, {})).toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining(` Did you mean ${meant}? The tools are`),
      data: { suggestion: meant },
    });
  });

  it('that is like none is answered with the list', async () => {
    const { call } = await calls();
    expect((await call('teleport', {})).message).toMatch(/^There is no tool "teleport"\. The tools are/);
  });
});

describe('names that are known', () => {
  it('old, new and base_commit', async () => {
    const { call } = await calls();
    const input = { path: 'a.txt', old: '3', new: 'three', base_commit: 'HEAD' };
    expect(await call('str_replace', input)).toMatchObject({ ok: true });
  });

  it('op and tool in a change', async () => {
    const { call } = await calls();
    const [first, second] = [
      { op: 'str_replace', path: 'a.txt', old_str: '3', new_str: 'three' },
      { tool: 'create', path: 'b/new.txt', file_text: '' },
    ];
    expect(await call('change', { edits: [first, second] })).toMatchObject({ ok: true });
    expect(await call('change', { edits: [{ ...first, tool: 'create' }] })).toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('given twice: "str_replace" and "create"'),
    });
  });

  it('start_line and end_line, of a view and of line edits', async () => {
    const { call } = await calls();
    expect((await call('view', { path: 'a.txt', start_line: 1, end_line: 1 })).data).toMatchObject({
      from: 1,
      to: 1,
    });
    const edits = [{ start_line: 1, end_line: 1, new_content: 'first' }];
    expect(await call('edit_lines', { path: 'a.txt', edits, base: 'HEAD' })).toMatchObject({ ok: true });
  });
});
