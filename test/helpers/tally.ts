/** Counting what was tried, and keeping what was found. */

import { appendFileSync } from 'node:fs';
import { expect } from 'vitest';

export interface Tally {
  /** Points at which something was made to go wrong, each in one operation and place. */
  points: number;
  /** Different states that were checked. */
  states: number;
  /** Losses that the calls of POSIX leave open. */
  open: number;
  /** Commands of git that failed because something was locked. */
  locked?: number;
  /** Edits that were acknowledged. */
  acknowledged?: number;
  /** What was broken, each with where. */
  broken: string[];
}

export function newTally(): Tally {
  return { points: 0, states: 0, open: 0, broken: [] };
}

export function note(tally: Tally, where: string, broken: readonly string[]): void {
  tally.broken.push(...broken.map(line => `${where}: ${line}`));
}

/** The test fails when something is broken; the long forms print the sums by kind at their end (summary.ts). */
export function settle(kind: string, tally: Tally): void {
  const { broken, ...counts } = tally;
  const file = process.env.VEDIT_TALLIES;
  for (const line of file ? broken.slice(0, 20) : []) process.stdout.write(`${kind}: ${line}\n`);
  if (file) appendFileSync(file, `${JSON.stringify({ kind, lost: broken.length, ...counts })}\n`);
  expect(broken.slice(0, 20).map(line => line.slice(0, LONGEST))).toEqual([]);
}

/** In characters: git fsck may say a lot. */
const LONGEST = 600;
