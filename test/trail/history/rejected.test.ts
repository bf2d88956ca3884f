/** Rejected text is known by its place, whatever happened around it; and real histories are not refused for nothing. */

import { describe, expect, it } from 'vitest';
import {
  lookAt,
  placedLines,
  type RejectedPlace,
  rejectedPlaces,
  timesRejected,
} from '../../../src/trail/history/rejected.ts';
import { Weave } from '../../../src/trail/history/weave.ts';
import { historiesOf, type Replayed, replayRejections } from './rejected-replay.ts';

const LINES = Array.from({ length: 30 }, (_, at) => `line ${at + 1} of all`);
const at = (line: number, ...put: string[]): string[] => LINES.toSpliced(line, 0, ...put);

/** The agent put these lines in after the line with this number, and they were rejected. */
function rejected(line: number, ...put: string[]): { weave: Weave; place: RejectedPlace } {
  const weave = new Weave(LINES);
  weave.step({ id: 'edit', kind: 'edit' }, at(line, ...put));
  weave.step({ id: 'no', kind: 'reject' }, LINES);
  const [place] = rejectedPlaces(weave, 'no');
  return { weave, place: place! };
}

const PUT = ['if (isCached) {', '}'];

describe('a text', () => {
  const times = (text: readonly string[], put = PUT, line = 10): [string, number] => {
    const { weave, place } = rejected(line, ...put);
    const placed = placedLines(weave, text);
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
    const weave = new Weave([]);
    weave.step({ id: 'edit', kind: 'edit' }, ['\0name a', '\0mode 100644', ...LINES]);
    weave.step({ id: 'no', kind: 'reject' }, []);
    const [place] = rejectedPlaces(weave, 'no');
    expect(timesRejected(place!, placedLines(weave, ['\0name a', '\0mode 100644', ...LINES]))).toBe(1);
    expect(timesRejected(place!, placedLines(weave, LINES.slice(1)))).toBe(0);
  });
});

it('is not known again where nothing says something of its own', () => {
  expect(rejected(10, '}', '', 'return').place!.isDistinct).toBe(false);
  expect(rejected(10, 'return totals').place!.isDistinct).toBe(true);
});

/** REPOSITORY, FILES: another history than that of this project, and so many of its files. */
const { REPOSITORY = '.', FILES = '15' } = process.env;
const versions = [...historiesOf(REPOSITORY, Number(FILES))];

it.skipIf(versions.length < 5)(
  'of steps that touch a place fewer than 1 in 100 are refused in real histories',
  () => {
    const found: Replayed = { files: 0, places: 0, touching: 0, refused: 0, elsewhere: 0 };
    for (const one of versions) replayRejections(one, found);
    expect(found.touching).toBeGreaterThan(100);
    expect({ ...found, share: found.refused / found.touching < 0.01 }).toMatchObject({ share: true });
    expect(found.elsewhere / found.touching).toBeLessThan(0.001);
  },
  120_000,
);
