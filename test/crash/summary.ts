/** Before a long form: a file that collects the tallies. After it: their sums, one line a kind, on standard output. */

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Line {
  kind: string;
  points: number;
  states: number;
  open: number;
  lost: number;
}

export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'vedit-tallies-'));
  const file = join(folder, 'tallies.jsonl');
  process.env.VEDIT_TALLIES = file;
  return () => {
    if (existsSync(file)) print(readFileSync(file, 'utf8').trim().split('\n'));
    rmSync(folder, { recursive: true });
  };
}

function print(lines: string[]): void {
  const sums = new Map<string, Line>();
  for (const line of lines) {
    const one = JSON.parse(line) as Line;
    const sum = sums.get(one.kind) ?? { kind: one.kind, points: 0, states: 0, open: 0, lost: 0 };
    for (const key of ['points', 'states', 'open', 'lost'] as const) sum[key] += one[key];
    sums.set(one.kind, sum);
  }
  const rows = [...sums.values()].map(row => [row.kind, row.points, row.states, row.open, row.lost]);
  const table = [['', 'tried', 'states checked', 'left open by POSIX', 'lost'], ...rows];
  const width = (column: number): number => Math.max(...table.map(row => String(row[column]).length));
  for (const row of table)
    process.stdout.write(
      `${row.map((cell, i) => (i === 0 ? String(cell).padEnd(width(i)) : String(cell).padStart(width(i)))).join('  ')}\n`,
    );
}
