/** A change is planned again where somebody outside of the engine was faster. */

import { expect, it, vi } from 'vitest';
import { publishWithRetry, TRIES } from '../../../src/engine/transaction/transaction.ts';
import { sleep } from '../../../src/fs/sleep.ts';
import { codeOf } from '../../helpers/person-repo.ts';

vi.mock('../../../src/fs/sleep.ts', () => ({ sleep: vi.fn(async () => {}) }));

it('some times at once, then with pauses that grow up to a limit, and is refused at last', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  const attempt = vi.fn(async () => null);
  expect(await codeOf(publishWithRetry('a.txt', attempt))).toBe('LOCKED');
  const pauses = vi.mocked(sleep).mock.calls.map(([pause]) => pause);
  expect([attempt.mock.calls.length, pauses.slice(0, 7)]).toEqual([TRIES, [2, 4, 8, 16, 32, 64, 64]]);
  expect(pauses).toHaveLength(TRIES - 5);
});
