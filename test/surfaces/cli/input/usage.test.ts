import { describe, expect, it } from 'vitest';
import { parseTime, UsageError } from '../../../../src/table/use.ts';

describe('--since', () => {
  it('takes a time, and refuses what is none as a wrong command line', () => {
    expect(parseTime('--since', '2026-11-19T10:00+02:00').toISOString()).toBe('2026-11-19T08:00:00.000Z');
    expect(() => parseTime('--since', 'lately')).toThrow(UsageError);
  });
});
