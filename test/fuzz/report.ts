/** The end of a long fuzz: its figures go to the summary, its notes to standard output, and what was lost fails it. */

import { newTally, settle } from '../helpers/tally.ts';
import type { Tally } from './tally.ts';

export function report({ name, tried, lost, notes = '' }: Tally): void {
  process.stdout.write(`${name}: ${tried} tried, ${lost.length} lost; ${notes}\n`);
  settle(name, { ...newTally(), points: tried, broken: lost });
}
