import { expect, it } from 'vitest';
import { asEditError } from '../../../src/engine/calls/failure.ts';
import { EditError } from '../../../src/errors.ts';
import { readFailed } from '../../../src/fs/failures.ts';

const coded = (code: string): Error => Object.assign(new Error('x'), { code });

it('tells a refusal, a failure of the system and a fault of the engine apart', () => {
  const refusal = new EditError('NO_CHANGE', 'x');
  expect(asEditError(refusal)).toBe(refusal);
  expect(asEditError(coded('ENOSPC'))).toMatchObject({ code: 'STORE_FAILED', retryable: true });
  const fault = new TypeError('x is not a function\n    at secret/place.js:1');
  expect(asEditError(fault)).toMatchObject({ code: 'INTERNAL_ERROR', retryable: false, cause: fault });
  expect(asEditError(fault).message).toMatch(/x is not a function\. log tells/);
});

it.each([coded('ERR_OUT_OF_RANGE'), new RangeError('deep'), 'a text', null, Object.create(null)])(
  'whatever was thrown is told: %#',
  error => expect(asEditError(error).code).toBe('INTERNAL_ERROR'),
);

it('a fault of the engine while it reads is none of the disk', () => {
  expect(readFailed(new TypeError('x'), 'an object').code).toBe('INTERNAL_ERROR');
  expect(readFailed(coded('EIO'), 'an object').code).toBe('STORE_FAILED');
  expect(readFailed(new Error('a store of ones own'), 'an object').code).toBe('STORE_FAILED');
});

it('a failure of the system is told by asEditError in words, with the path', () => {
  const error = Object.assign(coded('EACCES'), { path: '/home/ada/shop/.git/refs/vedit' });
  expect(asEditError(error)).toMatchObject({
    code: 'STORE_FAILED',
    message: expect.stringContaining('permission denied (EACCES) at .git/refs/vedit. Nothing was changed'),
    data: { cause: 'EACCES' },
  });
});
