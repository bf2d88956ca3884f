/** A change is planned again where somebody outside of the engine was faster. */

import { afterEach, expect, it, vi } from 'vitest';
import { publishWithRetry, TRIES } from '../../../src/engine/transaction/transaction.ts';
import { codeOf } from '../../helpers/person-repo.ts';

afterEach(() => {
  vi.useRealTimers();
});

it('some times at once, then with pauses that grow up to a limit, and is refused at last', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const timers = vi.spyOn(globalThis, 'setTimeout');
  const attempt = vi.fn(async () => null);
  const code = codeOf(publishWithRetry('a.txt', attempt));
  await vi.runAllTimersAsync();
  expect(await code).toBe('LOCKED');
  const pauses = timers.mock.calls.map(([, pause]) => pause);
  expect([attempt.mock.calls.length, pauses.slice(0, 7)]).toEqual([TRIES, [2, 4, 8, 16, 32, 64, 64]]);
  expect(pauses).toHaveLength(TRIES - 5);
});
