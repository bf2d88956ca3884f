/** Damaged patches of every form: refused or applied as a whole, quickly, and never to a file that they do not name. */

import { describe, expect, it } from 'vitest';
import { parseInput } from '../../../src/edits/input.ts';
import { EditError } from '../../../src/errors.ts';
import { unifiedDiff } from '../../../src/text/diff/diff.ts';
import { applied } from '../../helpers/patch-files.ts';
import { edit } from '../planning.ts';
import type { Texts } from './git-and-diff.ts';
import { below, changedText, type Draw, mutated, pick, random, realTexts, smallText } from './random.ts';
import { v4aHunks } from './v4a/v4a.ts';

const PATCHES = 1500;

interface Form {
  name: string;
  /** The whole patch for two files. */
  print(pairs: ReadonlyArray<readonly [path: string, before: string, after: string]>): string;
  input(patch: string): object;
}

const FORMS: readonly Form[] = [
  {
    name: 'unified_diff',
    print: pairs =>
      pairs
        .map(
          ([path, oldText, newText]) => unifiedDiff({ oldPath: path, newPath: path, oldText, newText }).text,
        )
        .join(''),
    input: patch => ({ patch }),
  },
  {
    name: 'apply_patch',
    print: pairs => {
      const parts = pairs.map(([path, a, b]) => `*** Update File: ${path}\n${v4aHunks(a, b, 2)}`);
      return `*** Begin Patch\n${parts.join('')}*** End Patch\n`;
    },
    input: patch => ({ patch }),
  },
  {
    name: 'context_patch',
    print: ([[path, a, b] = ['', '', '']]) =>
      `*** Begin Patch\n*** Update File: ${path}\n${v4aHunks(a, b, 2)}*** End Patch\n`,
    input: patch_text => ({ path: 'a.txt', patch_text }),
  },
  {
    name: 'search_replace',
    print: ([[, a, b] = ['', '', '']]) => blocks(v4aHunks(a, b, 1)),
    input: text => ({ path: 'a.txt', blocks: text }),
  },
];

function blocks(hunks: string): string {
  return hunks
    .split(/^@@\n/m)
    .slice(1)
    .map(hunk => {
      const lines = hunk.split('\n').slice(0, -1);
      const side = (other: string): string[] =>
        lines.filter(line => line[0] !== other).map(line => line.slice(1));
      const parts = ['<<<<<<< SEARCH', ...side('+'), '=======', ...side('-'), '>>>>>>> REPLACE'];
      return `${parts.join('\n')}\n`;
    })
    .join('');
}

function newText(draw: Draw, text: string): string {
  const changed = changedText(draw, text).replace(/\r\n?/g, '\n');
  return changed === text ? `${text}x\n` : changed;
}

/** The lines of texts without their ends, counted. */
function lineCounts(texts: Texts): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of Object.values(texts).flatMap(text => text.split(/\r\n|\n|\r/)))
    counts.set(line, (counts.get(line) ?? 0) + 1);
  counts.delete('');
  return counts;
}

/** How often the result has each line more often than before, in lines that the patch does not hold. */
function foreignLines(before: Texts, after: Texts, patch: string): string[] {
  const was = lineCounts(before);
  return [...lineCounts(after)].flatMap(([line, count]) => {
    return count > (was.get(line) ?? 0) && !patch.includes(line) ? [line] : [];
  });
}

describe.each(FORMS)('$name', ({ name, print, input }) => {
  it('is refused or applied as a whole', { timeout: 240_000 }, () => {
    const draw = random(11);
    const texts = realTexts(200).map(text => text.replace(/\r\n?/g, '\n').replace(/^\uFEFF/, ''));
    let done = 0;
    for (let i = 0; i < PATCHES; i++) {
      const small = (): string =>
        smallText(draw)
          .replace(/\r\n?/g, '\n')
          .replace(/^\uFEFF/, '');
      const text = (): string => `${draw() < 0.6 ? small() : pick(draw, texts)}end ${below(draw, 9)}\n`;
      const before: Texts = { 'a.txt': text(), 'b.txt': text(), 'c.txt': text() };
      const pairs = ['a.txt', 'b.txt'].map(
        path => [path, before[path]!, newText(draw, before[path]!)] as const,
      );
      const patch = mutated(draw, print(pairs));
      const after = outcome(name, input(patch), before);
      if (after === null) continue;
      done++;
      const named = edit(name).paths(parseInput(edit(name), input(patch)) as never);
      for (const [path, content] of Object.entries(after)) {
        if (!named.includes(path)) expect([path, content]).toEqual([path, before[path]]);
      }
      expect(after['c.txt']).toBe(before['c.txt']);
      expect(foreignLines(before, after, patch)).toEqual([]);
    }
    expect(done).toBeGreaterThan(PATCHES / 20);
    expect(done).toBeLessThan(PATCHES);
  });
});

/** `null` where it is refused; a failure that is no refusal is a failure of the test. */
function outcome(name: string, given: object, before: Texts): Texts | null {
  try {
    return applied(name, given, before).files;
  } catch (error) {
    if (error instanceof EditError) return null;
    throw error;
  }
}
