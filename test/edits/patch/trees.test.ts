/** For pairs of trees, the patch of git gives the other tree, with its modes: renames, copies, new and deleted files. */

import { expect, it } from 'vitest';
import type { FileMode } from '../../../src/edits/edit.ts';
import { applied } from '../../helpers/patch-files.ts';
import { type Tree, treeDiffs } from './git-and-diff.ts';
import { below, changedText, type Draw, pick, random, realTexts } from './random.ts';

const PAIRS = 25;
const NAMES = [
  'a.txt',
  'b.txt',
  'dir/c.txt',
  'dir/d e.txt',
  'é.txt',
  '"q".txt',
  'dir/sub/-f',
  'tab\tname',
  'b/a.txt',
];

function tree(draw: Draw, texts: readonly string[]): Tree {
  const names = NAMES.filter(() => draw() < 0.6);
  return Object.fromEntries(names.map(name => [name, { text: pick(draw, texts), executable: draw() < 0.3 }]));
}

/** Files moved, exchanged, copied, changed, with other modes, gone and new. */
function changedTree(draw: Draw, before: Tree, texts: readonly string[]): Tree {
  const after = { ...before };
  for (let changes = 1 + below(draw, 5); changes > 0; changes--) {
    const [from, to] = [pick(draw, NAMES), pick(draw, NAMES)];
    const file = after[from];
    const kind = draw();
    if (!file) after[from] = { text: pick(draw, texts), executable: false };
    else if (kind < 0.3) after[from] = { ...file, text: changedText(draw, file.text) };
    else if (kind < 0.4) after[from] = { ...file, executable: !file.executable };
    else if (kind < 0.5) delete after[from];
    else if (kind < 0.7)
      after[to] = { ...file, text: draw() < 0.5 ? file.text : changedText(draw, file.text) };
    else [after[from], after[to]] = [after[to] ?? { text: '', executable: false }, file];
  }
  return after;
}

const modeOf = ({ executable }: Tree[string]): FileMode => (executable ? '100755' : '100644');

function modesOf(files: Tree): Record<string, FileMode> {
  return Object.fromEntries(Object.entries(files).map(([path, file]) => [path, modeOf(file)]));
}

function textsOf(files: Tree): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([path, { text }]) => [path, text]));
}

it.each(['', '-M', '-M10% -C --find-copies-harder', '--no-prefix -M'])('git diff-tree -p %s', options => {
  const draw = random(5);
  const texts = realTexts(100).filter(text => text !== '' && !text.startsWith('\uFEFF'));
  const pairs: Array<readonly [Tree, Tree]> = [];
  while (pairs.length < PAIRS) {
    const before = tree(draw, texts);
    pairs.push([before, changedTree(draw, before, texts)]);
  }
  const patches = treeDiffs(pairs, options);
  for (const [i, [before, after]] of pairs.entries()) {
    if (patches[i] === '') continue;
    const outcome = applied('unified_diff', { patch: patches[i] }, textsOf(before), modesOf(before));
    expect(outcome.files).toEqual(textsOf(after));
    expect(outcome.modes).toEqual(modesOf(after));
  }
  expect(patches.filter(patch => patch !== '').length).toBeGreaterThan(PAIRS / 2);
});
