/**
 * How long a patch of 2,000 hunks takes over a file of 200,000 lines, beside git apply: `node test/bench/patch.mjs`
 * after `npm run build`. Each row is the median of several runs in one loop; nothing is asserted.
 */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { edits, openWorkspace } from '../../dist/index.js';
import { machineFacts, machineWords } from './machine.mjs';
import { median, sideBySide } from './measure.mjs';
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

const folder = mkdtempSync(join(tmpdir(), 'vedit-bench-'));
try {
  const lines = fileLines();
  const content = `${lines.join('\n')}\n`;
  const { unified, shifted, context } = patches(lines);
  git(folder, ['init', '-q', '-b', 'main']);
  writeFileSync(join(folder, PATH), content);
  git(folder, ['add', PATH]);
  git(folder, ['-c', 'user.name=A', '-c', 'user.email=a@example.com', 'commit', '-qm', 'file']);
  const session = (await openWorkspace({ root: folder })).session({ agent: 'bench' });
  const replace = { path: PATH, old_str: `${lines[0]}\n${lines[1]}\n${lines[2]}`, new_str: '// first' };
  const reset = () => writeFileSync(join(folder, PATH), content);
  const times = await sideBySide(
    [
      {
        name: 'read and write the file',
        run: () => writeFileSync(join(folder, 'copy'), readFileSync(join(folder, PATH))),
      },
      { name: 'place 2,000 hunks: unified_diff', run: planning('unified_diff', unified, content) },
      { name: 'the same, every line number off by one', run: planning('unified_diff', shifted, content) },
      { name: 'the same as apply_patch, without numbers', run: planning('apply_patch', context, content) },
      {
        name: 'git apply',
        prepare: reset,
        run: () => execFileSync('git', ['apply'], { cwd: folder, env: PLAIN_GIT, input: unified }),
      },
      {
        name: 'str_replace of one place, recorded',
        ...editing(folder, session, 'str_replace', replace, content),
      },
      {
        name: 'unified_diff of 2,000 hunks, recorded',
        ...editing(folder, session, 'unified_diff', { patch: unified }, content),
      },
      {
        name: 'apply_patch of 2,000 hunks, recorded',
        ...editing(folder, session, 'apply_patch', { patch: context }, content),
      },
    ],
    { runs: RUNS, warmUp: 1 },
  );
  console.log(machineWords(machineFacts(folder)));
  for (const [name, list] of times)
    console.log(`${name.padEnd(45)} ${median(list).toFixed(0).padStart(7)} ms`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
