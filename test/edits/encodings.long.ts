import { describe, it } from 'vitest';
import { RAW } from '../helpers/encoded.ts';
import { lots } from '../helpers/random-work.ts';
import { checkRandomTexts } from './encoded-edits.ts';

describe('every edit form, on 10,000 random texts of an encoding', () => {
  it.each(RAW)('$name: gives the bytes that the system’s converter gives', async one => {
    for (let seed = 0; seed < 50; seed++) await checkRandomTexts(one, 200, lots(seed));
  });
});
