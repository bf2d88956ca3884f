import { describe, it } from 'vitest';
import { ENCODED, RAW } from '../helpers/encoded.ts';
import { lots } from '../helpers/random-work.ts';
import { checkRandomTexts } from './encoded-edits.ts';

describe('every edit form, on random texts of an encoding', () => {
  it.each(RAW)('$name: gives the bytes that the system’s converter gives', async one => {
    await checkRandomTexts(one, 12, lots(ENCODED.indexOf(one)));
  });
});
