/** A million lines, a line of 50 MB, a file of 64 MiB, 10,000 edits in a change, and what makes searches quadratic. */

import { it } from 'vitest';
import { sizeCases, trySizes } from './sizes.ts';
import { told } from './told.ts';

/** Seconds for one call, on a machine that does other things as well. */
const MOST = 120;

it.each(sizeCases(1).map(one => [one.name, one] as const))('%s', async (_name, one) => {
  told(await trySizes([one], MOST));
});
