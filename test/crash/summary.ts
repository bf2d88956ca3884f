/** Before a long form: a file that collects the tallies. After it: their sums, one line a kind, on standard output. */

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The figures of a tally (tally.ts), and how they are called. */
const COLUMNS = {
  points: 'tried',
  states: 'states checked',
  acknowledged: 'edits acknowledged',
  locked: 'git found a lock',
  open: 'left open by POSIX',
  lost: 'lost',
} as const;

type Line = { kind: string } & Partial<Record<keyof typeof COLUMNS, number>>;

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
  const keys = Object.keys(COLUMNS) as Array<keyof typeof COLUMNS>;
  const sums = new Map<string, number[]>();
  for (const line of lines) {
    const one = JSON.parse(line) as Line;
    const sum = sums.get(one.kind) ?? keys.map(() => 0);
    sums.set(
      one.kind,
      keys.map((key, i) => sum[i]! + (one[key] ?? 0)),
    );
  }
  const table = [
    ['', ...Object.values(COLUMNS)],
    ...[...sums].map(([kind, sum]) => [kind, ...sum.map(String)]),
  ];
  for (const row of table) process.stdout.write(`${aligned(row, table)}\n`);
}

function aligned(row: readonly string[], table: ReadonlyArray<readonly string[]>): string {
  const width = (column: number): number => Math.max(...table.map(cells => cells[column]!.length));
  const [kind, ...figures] = row;
  return [kind!.padEnd(width(0)), ...figures.map((cell, i) => cell.padStart(width(i + 1)))].join('  ');
}
