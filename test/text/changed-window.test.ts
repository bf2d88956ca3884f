import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changedWindow } from '../../src/text/changed-window.ts';
import { unifiedDiff } from '../../src/text/diff/diff.ts';
import { Lines, linesOf } from '../../src/text/lines.ts';
import { snippetOf } from '../../src/text/snippet.ts';
import { messyText } from '../helpers/arbitrary.ts';

const AROUND = 4;
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Two texts that have a beginning and an end in common, of lines of every kind. */
const pair = fc
  .tuple(messyText, messyText, messyText, messyText)
  .map(([head, old, fresh, tail]) => [head + old + tail, head + fresh + tail] as const)
  .filter(([old, fresh]) => old !== fresh);

describe('the window of a change', () => {
  it('gives the diff, the lines and the snippet that the whole texts give', () => {
    let windows = 0;
    fc.assert(
      fc.property(pair, ([oldText, newText]) => {
        const window = changedWindow(utf8(oldText), utf8(newText), AROUND);
        if (!window) return;
        windows++;
        const names = { oldPath: 'f', newPath: 'f' };
        const whole = unifiedDiff({ ...names, oldText, newText });
        const { oldText: old, newText: fresh } = window;
        expect(unifiedDiff({ ...names, oldText: old, newText: fresh, window })).toEqual(whole);
        const ranges = whole.changes.map(change => ({ start: change.newStart + 1, end: change.newEnd }));
        const near = new Lines(fresh, '\n', window.above);
        expect(snippetOf(near, ranges)).toEqual(snippetOf(linesOf(newText), ranges));
      }),
      { numRuns: 5000 },
    );
    expect(windows).toBeGreaterThan(1000);
  });

  it('is small, and says which line above begins like a name', () => {
    const lines = Array.from({ length: 5000 }, (_, n) => (n === 700 ? 'function name() {\n' : `  ${n}\n`));
    const text = lines.join('');
    const window = changedWindow(utf8(text), utf8(text.replace('  3000\n', '  three\n')), AROUND)!;
    expect(window).toMatchObject({ above: 2996, heading: 'function name() {\n' });
    expect(linesOf(window.newText).count).toBeLessThan(15);
  });

  it('is not made where lines may end with a carriage return', () => {
    expect(changedWindow(utf8('a\rb\rc'), utf8('a\rB\rc'), AROUND)).toBeNull();
    expect(changedWindow(utf8('a\rb\n'), utf8('a\rb'), AROUND)).toBeNull();
  });

  it('knows its lines by their numbers in the whole text', () => {
    const lines = new Lines('x\r\ny\n', '\n', 10);
    expect([lines.count, lines.content(11), lines.ending(11), lines.start(12), lines.end(12)]).toEqual([
      12,
      'x',
      '\r\n',
      3,
      5,
    ]);
    expect([lines.contentEnd(12), lines.lineAt(3), lines.lineBreak]).toEqual([4, 12, '\n']);
  });
});
