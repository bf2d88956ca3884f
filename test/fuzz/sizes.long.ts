/** A million lines, a line of 50 MB, a file of 64 MiB, 10,000 edits in a change, and what makes searches quadratic. */

import { it } from 'vitest';
import { answeringProcesses } from './answering.ts';
import { report } from './report.ts';
import { sizeCases, trySizes } from './sizes.ts';

/** Seconds for one call on a machine that does other things as well, and bytes of memory for a process. */
const LIMITS = { seconds: 60, memory: 1.75 * 2 ** 30 };

it.each(sizeCases(1).map(one => [one.name, one] as const))('%s', async (_name, one) => {
  report(await trySizes([one], answeringProcesses, LIMITS));
});
