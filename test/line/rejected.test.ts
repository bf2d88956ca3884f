/** Rejected text is known by its place, whatever happened around it. */

import { describe, expect, it } from 'vitest';
import type { LineEvent } from '../../src/line/event.ts';
import {
  lookAt,
  presentLines,
  type RejectedPlace,
  rejectedPlaces,
  timesRejected,
} from '../../src/line/rejected.ts';
import type { TextLines } from '../../src/line/text-lines.ts';
import { Weave } from '../../src/line/weave.ts';

const event = (at: number, kind: LineEvent['kind']): LineEvent => ({
  id: `${at}`,
  at,
  kind,
  byAgent: kind === 'edit',
});

/** A file that an agent made this, after which a person rejected it. */
function woven(before: readonly string[], edited: readonly string[]): { weave: Weave; place: RejectedPlace } {
  const weave = new Weave();
  weave.step({ ...event(-1, 'head'), id: '' }, before);
  weave.step(event(0, 'edit'), edited);
  weave.step(event(1, 'back'), before);
  return { weave, place: rejectedPlaces(weave, event(1, 'back'))[0]! };
}

/** The lines of another text of the file. */
function linesOf(weave: Weave, text: readonly string[]): TextLines {
  weave.step(event(2, 'edit'), text);
  return presentLines(weave);
}

const LINES = Array.from({ length: 30 }, (_, at) => `line ${at + 1} of all`);
const at = (line: number, ...put: string[]): string[] => LINES.toSpliced(line, 0, ...put);

/** The agent put these lines in after the line with this number, and they were rejected. */
const rejected = (line: number, ...put: string[]) => woven(LINES, at(line, ...put));

const PUT = ['if (isCached) {', '}'];

describe('a text', () => {
  const times = (text: readonly string[], put = PUT, line = 10): [string, number] => {
    const { weave, place } = rejected(line, ...put);
    const placed = linesOf(weave, text);
    return [lookAt(place, placed).reach, timesRejected(place, placed)];
  };

  it('holds it in the same gap, with other lines, blanks, or twice', () => {
    expect(times(at(10, ...PUT))).toEqual(['near', 1]);
    expect(times(at(10, '// mark', 'if (isCached) {  ', '', '}', 'more'))).toEqual(['near', 1]);
    expect(times(at(10, ...PUT, ...PUT))).toEqual(['near', 2]);
  });

  it('does not hold it with less, more in between, or elsewhere', () => {
    expect(times(LINES)).toEqual(['near', 0]);
    expect(times(at(10, 'if (isCached) {'))).toEqual(['near', 0]);
    expect(times(at(10, 'if (isCached) {', 'other();', '}'))).toEqual(['near', 0]);
    expect(times(at(20, ...PUT))).toEqual(['near', 0]);
  });

  it('holds several lines in a gap that grew, and one line only between its neighbours', () => {
    const without = (put: string[]): string[] => at(10, ...put).filter(line => line !== 'line 11 of all');
    expect(times(without(PUT))).toEqual(['wide', 1]);
    expect(times(without(['const limit = 10;']), ['const limit = 10;'])).toEqual(['wide', 0]);
    expect(times(at(10, 'const limit = 10;'), ['const limit = 10;'])).toEqual(['near', 1]);
  });

  it('that was written anew, or has much in the gap, may hold it', () => {
    const others = Array.from({ length: 25 }, (_, n) => `other ${n}`);
    expect(times([...others, ...PUT])).toEqual(['anew', 0]);
    expect(times(at(10, ...others, ...PUT))).toEqual(['anew', 0]);
  });

  it('holds it where the block around it moved exactly, to one place', () => {
    const block = at(10, ...PUT).slice(7, 15);
    const rest = [...LINES.slice(0, 7), ...LINES.slice(13)];
    expect(times([...rest, ...block])).toEqual(['near', 1]);
    expect(times([...rest, ...block, ...block])[1]).toBe(0);
  });

  it('at the ends of a file, and in a file that was rejected as a whole', () => {
    expect(times(at(0, ...PUT), PUT, 0)).toEqual(['near', 1]);
    expect(times(at(30, ...PUT), PUT, 30)).toEqual(['near', 1]);
    const whole = ['\0name a', '\0mode 100644', ...LINES];
    const again = woven([], whole);
    expect(timesRejected(again.place, linesOf(again.weave, whole))).toBe(1);
    const part = woven([], whole);
    expect(timesRejected(part.place, linesOf(part.weave, LINES.slice(1)))).toBe(0);
  });
});

it('is not known again where nothing says something of its own', () => {
  expect(rejected(10, '}', '', 'return').place!.isDistinct).toBe(false);
  expect(rejected(10, 'return totals').place!.isDistinct).toBe(true);
});
