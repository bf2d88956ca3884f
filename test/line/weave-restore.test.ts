/** A way back to a text brings the rows back that were there, not new ones that say the same. */

import { describe, expect, it } from 'vitest';
import type { LineEvent } from '../../src/line/event.ts';
import { putBy, textOf } from '../../src/line/row.ts';
import { Weave } from '../../src/line/weave.ts';

const event = (at: number, kind: LineEvent['kind']): LineEvent => ({
  id: `${at}`,
  at,
  kind,
  byAgent: kind === 'edit',
});

/** A file whose braces say the same, which an agent emptied down to one of them. */
function emptied(): Weave {
  const weave = new Weave();
  weave.step({ ...event(-1, 'head'), id: '' }, ['one', '}', 'two', '}']);
  weave.step(event(0, 'edit'), ['one', '}', 'two', '}', 'three', '}']);
  weave.step(event(1, 'edit'), ['}']);
  return weave;
}

const written = ({ live }: Weave): Array<[string, number]> => live.map(row => [textOf(row)!, putBy(row).at]);

describe('a text of before', () => {
  const then = [
    ['one', -1],
    ['}', -1],
    ['two', -1],
    ['}', -1],
    ['three', 0],
    ['}', 0],
  ];

  it('comes back as the very rows', () => {
    const weave = emptied();
    weave.restore(event(2, 'back'), 0, ['one', '}', 'two', '}', 'three', '}']);
    expect(written(weave)).toEqual(then);
  });

  it('comes back so beside what a person typed', () => {
    const weave = emptied();
    weave.step(event(2, 'outside'), ['}', 'typed']);
    const typed = weave.live.at(-1)!;
    weave.restore(event(3, 'back'), 0, ['one', '}', 'two', '}', 'three', '}', 'typed']);
    expect(written(weave)).toEqual([...then, ['typed', 2]]);
    expect(weave.live.at(-1)).toBe(typed);
  });

  it('that has other lines is left to a comparison', () => {
    const weave = emptied();
    weave.restore(event(2, 'back'), 0, ['one', 'other']);
    expect(written(weave).map(([text]) => text)).toEqual(['}']);
  });
});
