/** For pairs of texts, the patch from one to the other gives the other, byte for byte, whoever printed it. */

import { describe, expect, it } from 'vitest';
import { unifiedDiff } from '../../../src/text/diff/diff.ts';
import { applied } from '../../helpers/patch-files.ts';
import { diffs } from './git-and-diff.ts';
import { below, changedText, type Draw, pick, random, realTexts, smallText } from './random.ts';
import { v4aHunks } from './v4a/v4a.ts';

const PAIRS = 250;
type Pair = readonly [before: string, after: string];

/**
 * A byte order mark that is not at the beginning of the second text is left out: the engine keeps the mark of a file
 * first. So is a file of nothing but the mark, whose text is empty.
 */
function pairs(draw: Draw, after: (text: string) => string): Pair[] {
  const texts = realTexts(300);
  const found: Pair[] = [];
  while (found.length < PAIRS) {
    const before = draw() < 0.4 ? smallText(draw) : pick(draw, texts);
    const [old, fresh] = [before, draw() < 0.15 ? pick(draw, texts) : after(before)];
    if (
      old !== fresh &&
      !fresh.slice(1).includes('\uFEFF') &&
      ![old, fresh].some(text => /^\uFEFF?$/.test(text))
    )
      found.push([old, fresh]);
  }
  return found;
}

/** The second texts that a form makes of the first ones; `patch` gives its input. */
function results(name: string, all: readonly Pair[], input: (i: number) => object): string[] {
  return all.map(([before], i) => {
    const outcome = applied(name, input(i), { 'f.txt': before });
    expect(outcome.notes).toEqual([]);
    return outcome.files['f.txt']!;
  });
}

describe('a unified diff', () => {
  const draw = random(1);
  const all = pairs(draw, text => changedText(draw, text));
  const context = all.map(() => 1 + below(draw, 5));
  const expected = all.map(([, after]) => after);

  it('of git diff', () => {
    const patches = diffs(
      all,
      i => `git diff --no-index -U${context[i]} --src-prefix= --dst-prefix= a/f.txt b/f.txt`,
    );
    expect(results('unified_diff', all, i => ({ patch: patches[i] }))).toEqual(expected);
  });

  it('of diff -u', () => {
    const patches = diffs(all, i => `diff -aU${context[i]} a/f.txt b/f.txt`);
    expect(results('unified_diff', all, i => ({ patch: patches[i] }))).toEqual(expected);
  });

  it('of this engine', () => {
    const patches = all.map(([oldText, newText], i) => {
      return unifiedDiff({ oldPath: 'f.txt', newPath: 'f.txt', oldText, newText, context: context[i]! }).text;
    });
    expect(results('unified_diff', all, i => ({ patch: patches[i] }))).toEqual(expected);
  });
});

/** Files that are all LF or all CRLF: a format without line ends can say nothing of others, nor of a file without any. */
function uniform(text: string, end: string): string {
  return text.replace(/\r\n?|\n/g, end).replace(/^\uFEFF/, '');
}

describe('hunks without numbers', () => {
  const draw = random(2);
  const all = pairs(draw, text => changedText(draw, text))
    .map(([before, after]): Pair => {
      const end = draw() < 0.5 || !/[\r\n]/.test(before) ? '\n' : '\r\n';
      return [uniform(before, end), uniform(after, end)];
    })
    .filter(([before, after]) => before !== after && before !== '');
  const hunks = all.map(([before, after]) => v4aHunks(before, after, 1 + below(draw, 4)));
  const expected = all.map(([, after]) => after);
  const envelope = (i: number): string =>
    `*** Begin Patch\n*** Update File: f.txt\n${hunks[i]}*** End Patch\n`;

  it.each([
    ['in the envelope', 'apply_patch', (i: number) => ({ patch: envelope(i) })],
    ['in the one-file form', 'apply_patch', (i: number) => ({ path: 'f.txt', diff: hunks[i] })],
    ['as a context patch', 'context_patch', (i: number) => ({ path: 'f.txt', patch_text: envelope(i) })],
  ])('%s', (_, name, input) => {
    expect(results(name, all, input)).toEqual(expected);
  });
});
