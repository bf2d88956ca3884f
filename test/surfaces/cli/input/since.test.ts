import { describe, expect, it } from 'vitest';
import { parseSince } from '../../../../src/surfaces/cli/input/since.ts';
import { UsageError } from '../../../../src/surfaces/cli/input/usage.ts';

describe('--since', () => {
  it('takes a time, and refuses what is none as a wrong command line', () => {
    expect(parseSince('2026-11-19T10:00+02:00').toISOString()).toBe('2026-11-19T08:00:00.000Z');
    expect(() => parseSince('lately')).toThrow(UsageError);
  });
});
