/** How long a patch of 2,000 hunks takes over a file of 200,000 lines, beside git apply. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openWorkspace } from '../../dist/lib/index.js';
import { edits } from '../../dist/lib/tools.js';
import { median, sideBySide } from './measure.mjs';
import { faster, plainRow } from './report.mjs';
import { git } from './repository.mjs';
import { PLAIN_GIT } from './shell.mjs';

const LINES = 200_000;
const HUNKS = 2_000;
const RUNS = 5;
const PATH = 'big.txt';

/** Every line is like 200 others, so that only the lines together say where they are. */
function fileLines() {
  return Array.from({ length: LINES }, (_, i) => `  value ${(i * 7919) % 1000} = ${mixed(i) % 17};`);
}

function mixed(i) {
  const once = Math.imul(i + 1, 0x9e3779b1);
  return Math.imul(once ^ (once >>> 15), 0x85ebca6b) >>> 8;
}

/** A hunk every hundred lines: a line changed, one added, with three lines of context. */
function hunkAt(lines, i) {
  const at = 40 + i * Math.floor(LINES / HUNKS);
  const before = lines.slice(at - 3, at).map(line => ` ${line}`);
  const after = lines.slice(at + 1, at + 4).map(line => ` ${line}`);
  return { at, body: [...before, `-${lines[at]}`, `+${lines[at]} // ${i}`, `+// added ${i}`, ...after] };
}

function patches(lines) {
  const hunks = Array.from({ length: HUNKS }, (_, i) => hunkAt(lines, i));
  const join = parts => `${parts.flat().join('\n')}\n`;
  const unified = shift => [
    `--- a/${PATH}`,
    `+++ b/${PATH}`,
    ...hunks.map(({ at, body }, i) => [`@@ -${at - 2 + shift},7 +${at - 2 + i},8 @@`, ...body]),
  ];
  const context = hunks.map(({ body }) => ['@@', ...body]);
  return {
    unified: join(unified(0)),
    shifted: join(unified(1)),
    context: join(['*** Begin Patch', `*** Update File: ${PATH}`, ...context, '*** End Patch']),
  };
}

/** Planning alone, without reading and writing. */
function planning(name, patch, content) {
  const edit = edits.find(one => one.name === name);
  const file = { path: PATH, version: '', bytes: new Uint8Array(), text: content, bom: false };
  return () => edit.plan({ patch }, new Map([[PATH, file]]));
}

/** The edit in an open workspace; before each run the file is what it was. */
function editing(folder, session, name, input, content) {
  return {
    prepare: () => writeFileSync(join(folder, PATH), content),
    run: () => session.edit(name, input),
  };
}

/** Rows: placing alone beside git apply, and the whole edit beside one that changes one place. */
export async function measurePatch(parent) {
  const folder = join(parent, 'patch');
  const lines = fileLines();
  const content = `${lines.join('\n')}\n`;
  const patch = patches(lines);
  makeFile(folder, content);
  const workspace = await openWorkspace({ root: folder });
  const session = workspace.session({ agent: 'bench' });
  const replace = { path: PATH, old_str: `${lines[0]}\n${lines[1]}\n${lines[2]}`, new_str: '// first' };
  const edit = (name, input) => ({ name, ...editing(folder, session, name, input, content) });
  const times = await sideBySide(
    [
      { name: UNIFIED, run: planning('unified_diff', patch.unified, content) },
      { name: SHIFTED, run: planning('unified_diff', patch.shifted, content) },
      { name: CONTEXT, run: planning('apply_patch', patch.context, content) },
      {
        name: 'git apply',
        prepare: () => writeFileSync(join(folder, PATH), content),
        run: () => execFileSync('git', ['apply'], { cwd: folder, env: PLAIN_GIT, input: patch.unified }),
      },
      edit('str_replace', replace),
      edit('unified_diff', { patch: patch.unified }),
      edit('apply_patch', { patch: patch.context }),
    ],
    { runs: RUNS, warmUp: 1 },
  );
  await workspace.close();
  const placed = [UNIFIED, SHIFTED, CONTEXT].map(name =>
    faster(name, times.get(name), 'git apply', times.get('git apply')),
  );
  return [...placed, ...['unified_diff', 'apply_patch'].map(name => recorded(name, times))];
}

const UNIFIED = 'place 2,000 hunks in 200,000 lines';
const SHIFTED = 'the same, every line number off by one';
const CONTEXT = 'the same as apply_patch, without numbers';

function makeFile(folder, content) {
  mkdirSync(folder);
  git(folder, ['init', '-q', '-b', 'main']);
  writeFileSync(join(folder, PATH), content);
  git(folder, ['add', PATH]);
  git(folder, ['-c', 'user.name=A', '-c', 'user.email=a@example.com', 'commit', '-qm', 'file']);
}

/** What the hunks cost on top of reading, writing and recording the file. */
function recorded(name, times) {
  const [value, other] = [median(times.get(name)), median(times.get('str_replace'))];
  return plainRow({
    what: `${name} of 2,000 hunks, recorded`,
    value,
    against: 'str_replace of one place, recorded (ratio: ms more)',
    other,
    unit: 'ms',
    ratio: value - other,
    target: { at: 'most', value: 1000 },
  });
}
