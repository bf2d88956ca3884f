/** Random numbers from 0 to 1, the same for each seed. */

import { lots } from '../../helpers/random-work.ts';

export function fractions(seed: number): () => number {
  const lot = lots(seed);
  return () => lot(1_000_000) / 1_000_000;
}
