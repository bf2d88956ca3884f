/** One edit beside `git add` and `git commit`, isomorphic-git and the bare work, in one loop of one run. */

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bareWork, engine, isomorphicGit, nativeGit } from './contenders.mjs';
import { sideBySide } from './measure.mjs';
import { faster, plainRow, slower } from './report.mjs';
import { copyRepository, git, makeRepository } from './repository.mjs';
import { systemCalls } from './system-calls.mjs';

const GIT = 'git add + commit';
const BESIDE = { 100: 5, 10000: 12, 100000: 60 };
const CHECKED_OUT = { 100: 4, 100000: 5 };
const SAME = 1.3;
const TOGETHER = 200;

/** @param {import('./options.mjs').Options} options */
export async function measureEdits(folder, options) {
  const contenders = [];
  const [least] = options.files;
  for (const files of options.files) contenders.push(...(await atSize(folder, files)));
  const beside = join(folder, `beside-${least}`);
  const written = countWrites(beside, least);
  contenders.push(bareWork('bare', join(folder, 'bare'), written));
  contenders.push(await engine(`memory ${least}`, null, least));
  const more = await inOneProcess(beside, folder, least);
  const times = await sideBySide([...contenders, ...more], options);
  const cpu = new Map([...contenders, ...more].map(one => [one.name, one.cpu]));
  return [
    ...options.files.flatMap(files => sizeRows(times, files)),
    ...sameRows(times, options.files),
    ...workRows(times, cpu, least, written, systemCalls(beside, least)),
    faster(
      `edit, memory file system, ${least} files`,
      times.get(`memory ${least}`),
      GIT,
      times.get(`git ${least}`),
    ),
    faster(`one of ten edits in a row, ${least} files`, times.get('row'), GIT, times.get(`git ${least}`)),
    faster(
      `one of ${TOGETHER} edits that nobody waits for, ${least} files`,
      times.get('together'),
      GIT,
      times.get(`git ${least}`),
    ),
  ];
}

async function atSize(folder, files) {
  const beside = makeRepository(join(folder, `beside-${files}`), files);
  const checkedOut = copyRepository(beside, join(folder, `head-${files}`));
  git(checkedOut, ['config', 'vedit.trail', 'HEAD']);
  const full = copyRepository(beside, join(folder, `full-${files}`));
  const native = copyRepository(beside, join(folder, `git-${files}`));
  const isomorphic = copyRepository(beside, join(folder, `isomorphic-${files}`));
  return [
    await engine(`beside ${files}`, beside, files),
    await engine(`full ${files}`, full, files, { durability: 'full' }),
    await engine(`head ${files}`, checkedOut, files),
    nativeGit(`git ${files}`, native, files),
    await isomorphicGit(`isomorphic ${files}`, isomorphic, files, files > 1000 ? 5 : undefined),
  ];
}

async function inOneProcess(from, folder, files) {
  const row = copyRepository(from, join(folder, 'row'));
  const together = copyRepository(from, join(folder, 'together'));
  return [
    await engine('row', row, files, { row: 10 }),
    { ...(await engine('together', together, files, { together: TOGETHER })), runs: 10 },
  ];
}

/** One more edit, in a process that counts what it writes. */
function countWrites(repository, files) {
  const script = fileURLToPath(new URL('./count.mjs', import.meta.url));
  return JSON.parse(
    execFileSync(process.execPath, [script, repository, String(files)], { encoding: 'utf8' }),
  );
}

function sizeRows(times, files) {
  const [beside, full, head, native, isomorphic] = ['beside', 'full', 'head', 'git', 'isomorphic'].map(name =>
    times.get(`${name} ${files}`),
  );
  const named = `${files} files`;
  return [
    faster(`edit, ${named}`, beside, GIT, native, BESIDE[files]),
    faster(`edit on the branch, ${named}`, head, GIT, native, CHECKED_OUT[files]),
    faster(`edit, durability: full, ${named}`, full, GIT, native),
    faster(`edit, ${named}`, beside, 'isomorphic-git add + commit', isomorphic),
  ];
}

function sameRows(times, sizes) {
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
  if (least === most) return [];
  const at = (name, files) => times.get(`${name} ${files}`);
  return [
    slower(`edit, ${most} files`, at('beside', most), `${least} files`, at('beside', least), SAME),
    slower(`edit on the branch, ${most} files`, at('head', most), `${least} files`, at('head', least)),
  ];
}

/** What an edit costs beside what it cannot do without. */
function workRows(times, cpu, files, { record, synced, unsynced, syncs }, calls) {
  const count = synced.length + unsynced.length;
  const words = `bare work: a record of ${record} bytes, ${count} files, one wait`;
  const most = (what, value, target, unit) =>
    plainRow({
      what,
      against: 'at most',
      value,
      other: target,
      unit,
      ratio: value / target,
      target: { at: 'most', value: 1 },
    });
  return [
    slower(`edit, ${files} files`, times.get(`beside ${files}`), words, times.get('bare'), 2),
    most('syncs before the answer', syncs, 2, 'syncs'),
    ...(calls === null ? [] : [most('system calls of an edit', calls, 90, 'calls')]),
    most('processor time of an edit, disk', middle(cpu.get('row')), 3.5, 'ms'),
    most('processor time of an edit, memory file system', middle(cpu.get(`memory ${files}`)), 2.5, 'ms'),
  ];
}

function middle(values) {
  return [...values].sort((a, b) => a - b)[values.length >> 1];
}
