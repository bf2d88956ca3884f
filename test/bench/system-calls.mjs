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
  const args = [
    '-f',
    '-c',
    '-o',
    summary,
    process.execPath,
    script,
    repository,
    String(files),
    String(edits),
  ];
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
