import { expect, test } from 'vitest';
import { errno } from '../../../src/fs/fs.ts';
import { patiently } from '../../../src/fs/node/node-fs.ts';

/** Fails `times` times with the code; tells how often it was called. */
function failing(code: string, times: number): { action: () => void; calls: () => number } {
  let calls = 0;
  const action = (): void => {
    calls += 1;
    if (calls <= times) throw Object.assign(new Error(code), { code });
  };
  return { action, calls: () => calls };
}

test.each(['EPERM', 'EACCES', 'EBUSY'])('%s is waited out', async code => {
  const { action, calls } = failing(code, 2);
  await patiently(action, [0, 0, 0]);
  expect(calls()).toBe(3);
});

test('what does not end is the error', async () => {
  const { action, calls } = failing('EBUSY', 9);
  expect(errno(await patiently(action, [0, 0]).catch(error => error))).toBe('EBUSY');
  expect(calls()).toBe(3);
});

test('any other error is one at once', async () => {
  const { action, calls } = failing('ENOENT', 9);
  expect(errno(await patiently(action, [0, 0]).catch(error => error))).toBe('ENOENT');
  expect(calls()).toBe(1);
});
