/** What a process costs: wall clock, processor time of it and its children, and the most memory that it had. */

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PLAIN_GIT } from '../shell.mjs';

/** GNU time, which tells the memory of git too; without it no memory is told. */
const GNU_TIME = '/usr/bin/time';
const scratch = mkdtempSync(join(tmpdir(), 'vedit-cost-'));

/** @param {import('./row.mjs').Side} side @returns {Promise<import('./row.mjs').Cost>} */
export async function costOf(side, folder) {
  await side.before?.();
  return side.measure ? side.measure() : ofProcess(side, folder);
}

/** Throws when the process fails. What it prints goes nowhere. */
function ofProcess({ command: words, exits = [0] }, folder) {
  const memory = join(scratch, 'peak');
  const whole = existsSync(GNU_TIME) ? [GNU_TIME, '-f', '%M', '-o', memory, ...words] : words;
  const script = 'TIMEFORMAT="%R %U %S"; exec 3>&2; time "$@" >/dev/null 2>&3; exit $?';
  const { status, stderr } = spawnSync('bash', ['-c', script, 'bash', ...whole], {
    cwd: folder,
    env: { ...PLAIN_GIT, NO_COLOR: '1' },
    stdio: ['ignore', 'ignore', 'pipe'],
    maxBuffer: 2 ** 26,
  });
  const lines = stderr.toString().trim().split('\n');
  if (!exits.includes(status))
    throw new Error(`exit ${status} from ${words.join(' ')}: ${lines.slice(0, -1).join(' ')}`);
  const [wall, user, system] = lines
    .at(-1)
    .split(' ')
    .map(text => Number(text) * 1000);
  // A line above tells of a failure.
  const peak = whole === words ? null : Number(readFileSync(memory, 'utf8').trim().split('\n').at(-1)) / 1024;
  return { wall, cpu: user + system, peak };
}
