import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { LineIndex } from '../../../../src/edits/patch/placement/patched-file.ts';
import { refusedEdit } from '../../../helpers/patch-files.ts';

const v4a = (...lines: string[]): [string, object] => [
  'apply_patch',
  { patch: ['*** Begin Patch', '*** Update File: f.txt', ...lines, '*** End Patch'].join('\n') },
];
const context = (...lines: string[]): [string, object] => [
  'context_patch',
  { path: 'f.txt', patch_text: lines.join('\n') },
];
const unified = (...lines: string[]): [string, object] => [
  'unified_diff',
  { patch: ['--- a/f.txt', '+++ b/f.txt', ...lines, ''].join('\n') },
];
const FILE = { 'f.txt': 'a\nb\nc\nd\n' };

describe('a line that a patch has as context and as removed', () => {
  it.each([
    ['before the removed one', v4a('@@', ' a', ' b', '-b', '+B', ' c'), 5, 6],
    ['after it', v4a('@@', ' a', '-b', ' b', '+B', ' c'), 6, 5],
    ['without any other line', context('@@', ' b', '-b', '+B'), 2, 3],
    ['behind an anchor', context('@@ a', ' b', '-b', '+B'), 2, 3],
    ['in a unified diff', unified('@@ -1,3 +1,3 @@', ' a', ' b', '-b', '+B'), 5, 6],
    ['as lines of a run', v4a('@@', ' b', ' c', '-b', '-c', '+B', ' d'), 4, 6],
  ])('is named, %s', (_, [edit, input], kept, removed) => {
    const { code, message, data } = refusedEdit(edit, input, FILE);
    expect(code).toBe('PATCH_FAILED');
    expect(message).toMatch(/of the patch (is|are) context, and lines? .* removes? the same lines?/);
    expect(message).toContain('f.txt has that once');
    expect(data.given_twice).toEqual({ context: kept, removed });
  });

  it('is one reason only where the patch fits without it', () => {
    const [edit, input] = v4a('@@', ' x', ' b', '-b', '+B');
    expect(refusedEdit(edit, input, FILE).message).not.toContain('context, and');
  });

  it('is no fault where the file has the line twice', () => {
    const [edit, input] = v4a('@@', ' b', '-b', '+B', ' z');
    expect(refusedEdit(edit, input, { 'f.txt': 'b\nb\n' }).message).not.toContain('context, and');
  });

  it('is searched for a bounded number of times in a hunk of one text', () => {
    const find = vi.spyOn(LineIndex.prototype, 'find');
    onTestFinished(() => find.mockRestore());
    const searches = (count: number): number => {
      find.mockClear();
      const lines = Array.from({ length: count }, (_, n) => (n % 3 === 0 ? ' x' : '-x'));
      const [edit, input] = v4a('@@', ...lines, '+y');
      expect(refusedEdit(edit, input, { 'f.txt': 'x\n'.repeat(9) }).code).toBe('PATCH_FAILED');
      return find.mock.calls.length;
    };
    const [few, many] = [searches(100), searches(2000)];
    expect(few).toBeGreaterThan(20);
    expect(many).toBe(few);
  });

  it('is looked for in runs of up to 50 lines', () => {
    const texts = (count: number): string[] => Array.from({ length: count }, (_, n) => `line ${n}`);
    const given = (count: number): unknown => {
      const context = texts(count).map(text => ` ${text}`);
      const removed = texts(count).map(text => `-${text}`);
      const [edit, input] = v4a('@@', ...context, ...removed, '+new');
      return refusedEdit(edit, input, { 'f.txt': texts(count).join('\n') }).data.given_twice;
    };
    expect(given(50)).toEqual({ context: 4, removed: 54 });
    expect(given(51)).toBeUndefined();
  });
});

it('an empty line is called that, where the file has another one', () => {
  const [edit, input] = v4a('@@', ' a', '', '-c', '+C');
  const { message } = refusedEdit(edit, input, { 'f.txt': 'a\nb\nc\n' });
  expect(message).toContain('where line 5 of the patch has an empty line');
});
