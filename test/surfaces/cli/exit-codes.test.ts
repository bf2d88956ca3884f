import { describe, expect, it } from 'vitest';
import { ERROR_CODES, type ErrorCode } from '../../../src/errors.ts';
import { EXIT, exitCodeOf } from '../../../src/surfaces/cli/exit-codes.ts';

describe('exit codes', () => {
  it.each<[ErrorCode, number]>([
    ['NO_MATCH', 1],
    ['STALE', 3],
    ['CONFLICT', 3],
    ['LOCKED', 4],
    ['NOT_A_REPOSITORY', 128],
    ['OUTSIDE_WORKSPACE', 128],
    ['STORE_FAILED', 128],
    ['CORRUPT', 128],
    ['UNSUPPORTED_REPOSITORY', 128],
  ])('%s is %i', (code, exit) => {
    expect(exitCodeOf(code)).toBe(exit);
  });

  it('of errors are none that mean something else', () => {
    const others: number[] = [EXIT.done, EXIT.usage, EXIT.faulty, EXIT.interrupted];
    const codes = Object.keys(ERROR_CODES) as ErrorCode[];
    expect(codes.filter(code => others.includes(exitCodeOf(code)))).toEqual([]);
  });
});
