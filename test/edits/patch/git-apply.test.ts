/**
 * Thousands of patches of git and of this engine, most of them damaged: where git apply and this engine both accept a
 * patch, they make the same file of it. `npm run test:patches` tries 20,000.
 */

import { expect, it } from 'vitest';
import { EditError } from '../../../src/errors.ts';
import { unifiedDiff } from '../../../src/text/diff/diff.ts';
import { applied } from '../../helpers/patch-files.ts';
import { diffs, gitApply, type Texts } from './git-and-diff.ts';
import { below, changedText, type Draw, mutated, pick, random, realTexts, smallText } from './random.ts';

const COUNT = Number(process.env.PATCHES ?? 800);
const SEED = Number(process.env.SEED ?? 3);
const AT_ONCE = 400;

interface Case {
  files: Texts;
  patch: string;
}

function cases(draw: Draw, texts: readonly string[], count: number): Case[] {
  const pairs: Array<readonly [string, string]> = [];
  while (pairs.length < count) {
    const before = draw() < 0.5 ? smallText(draw) : pick(draw, texts);
    const after = draw() < 0.1 ? pick(draw, texts) : changedText(draw, before);
    if (before !== after && before !== '' && after !== '') pairs.push([before, after]);
  }
  const half = pairs.slice(0, count / 2);
  const command = `git diff --no-index --src-prefix= --dst-prefix= -U`;
  const patches = diffs(half, () => `${command}${1 + below(draw, 5)} a/f.txt b/f.txt`);
  return pairs.map(([before, after], i) => {
    const paths = { oldPath: 'f.txt', newPath: 'f.txt', oldText: before, newText: after };
    const patch = patches[i] ?? unifiedDiff({ ...paths, context: 1 + below(draw, 5) }).text;
    const text = draw() < 0.2 ? changedText(draw, before) : before;
    return { files: { 'f.txt': text }, patch: draw() < 0.1 ? patch : mutated(draw, patch) };
  });
}

/** `null` where the engine refuses; whatever is no refusal is a failure of the test. */
function engine({ files, patch }: Case): Texts | null {
  try {
    return applied('unified_diff', { patch }, files).files;
  } catch (error) {
    if (error instanceof EditError) return null;
    throw error;
  }
}

/**
 * Four differences are meant, one of them below. Lines that a patch adds before a first line with a byte order mark come behind the mark
 * here, before it in git. In a patch whose lines all end with CRLF, a last line without newline has no CR here, and line
 * ends are the file's; git takes the CR for a part of the line. And a file without LF is one unended line to git, of
 * which it drops blanks at the end that the patch does not have; here that last line stays as it is, and where its end
 * is not the patch's, added lines end as those of the file do.
 */
function comparable(files: Texts, { files: before, patch }: Case): Texts {
  const text = files['f.txt'];
  if (text === undefined) return files;
  const bare = text.replaceAll('\uFEFF', '');
  const loose = /\\ .*\r\n/.test(patch) || !before['f.txt']!.includes('\n');
  return { ...files, 'f.txt': loose ? bare.replace(/\r\n?/g, '\n').trimEnd() : bare };
}

/**
 * Of a context line that has no newline by the patch, so that it is the last one of the file, git (2.39) takes any line
 * at the number of the header, and joins it with the next one: `a`, `a`, `b` without the first `a` is `ab`.
 */
function isJoinedByGit(ours: Texts, git: Texts, { patch }: Case): boolean {
  const lineEnds = (files: Texts): number => files['f.txt']?.match(/\n/g)?.length ?? 0;
  return /^ .*\n\\ /m.test(patch) && lineEnds(git) < lineEnds(ours);
}

it(`git apply and the engine agree on ${COUNT} patches`, { timeout: 3_600_000 }, () => {
  const draw = random(SEED);
  const texts = realTexts(300);
  let both = 0;
  let refused = 0;
  for (let done = 0; done < COUNT; done += AT_ONCE) {
    const some = cases(draw, texts, Math.min(AT_ONCE, COUNT - done));
    const byGit = gitApply(some);
    for (const [i, one] of some.entries()) {
      const ours = engine(one);
      const git = byGit[i]!;
      if (ours === null) refused++;
      if (ours === null || git === null || isJoinedByGit(ours, git, one)) continue;
      both++;
      expect({ ...one, files: comparable(ours, one) }).toEqual({ ...one, files: comparable(git, one) });
    }
  }
  // Neither all of them nor none are damaged.
  expect(both).toBeGreaterThan(COUNT / 10);
  expect(refused).toBeGreaterThan(COUNT / 10);
});
