/** How many system calls an edit makes, where strace(1) is there to count them. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const EDITS = 300;
/** What the run time does for itself: waiting, memory, waking threads. */
const OWN = /^(futex|epoll_\w+|mprotect|madvise|munmap|mmap|brk|sched_yield|getpid|eventfd2?|clock_\w+)$/;

/** The mean over 300 edits, with what comes later of them; `null` where there is no strace. */
export function systemCalls(repository, files) {
  const few = countOf(repository, files, 100);
  const many = few === null ? null : countOf(repository, files, 100 + EDITS);
  return many === null ? null : (many - few) / EDITS;
}

function countOf(repository, files, edits) {
  const folder = mkdtempSync(join(tmpdir(), 'vedit-calls-'));
  const script = fileURLToPath(new URL('./some-edits.mjs', import.meta.url));
  const summary = join(folder, 'calls');
  const edit = [process.execPath, script, repository, String(files), String(edits)];
  const args = ['-f', '-c', '-o', summary, ...edit];
  try {
    return spawnSync('strace', args, { stdio: 'ignore' }).status === 0
      ? sumOf(readFileSync(summary, 'utf8'))
      : null;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Columns of strace -c: share, seconds, microseconds a call, calls, errors where there are some, name. */
function sumOf(summary) {
  const rows = summary.split('\n').map(line => line.trim().split(/\s+/));
  const counted = rows.filter(
    row => /^[\d.]+$/.test(row[0]) && row.at(-1) !== 'total' && !OWN.test(row.at(-1)),
  );
  return counted.reduce((sum, row) => sum + Number(row[3]), 0);
}

/** The names of files that nobody has: asked for, they are seen in a trace. */
export const MARKS = { begin: '/vedit-bench-begin', end: '/vedit-bench-end' };

/** How many system calls `command` makes between each two marks, its child processes too; `null` where there is no strace. */
export function callsBetweenMarks(command) {
  const folder = mkdtempSync(join(tmpdir(), 'vedit-calls-'));
  const trace = join(folder, 'trace');
  try {
    const { status } = spawnSync('strace', ['-f', '-o', trace, ...command], { stdio: 'ignore' });
    return status === 0 ? countsIn(readFileSync(trace, 'utf8')) : null;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A line is a process and a call, or what became of an earlier one. By an eventfd the run time wakes its own threads. */
function countsIn(trace) {
  const waking = [...trace.matchAll(/eventfd2\(.* = (\d+)$/gm)].map(([, fd]) => `(read|write)\\(${fd},`);
  const isWaking = new RegExp(['eventfd2', ...waking].join('|'));
  const counts = [];
  let isBetween = false;
  for (const line of trace.split('\n')) {
    const name = /^\d+ +(\w+)\(/.exec(line)?.[1];
    if (!name) continue;
    if (line.includes(MARKS.begin)) counts.push(0);
    if (line.includes(MARKS.begin) || line.includes(MARKS.end)) isBetween = line.includes(MARKS.begin);
    else if (isBetween && !OWN.test(name) && !isWaking.test(line)) counts[counts.length - 1]++;
  }
  return counts;
}
