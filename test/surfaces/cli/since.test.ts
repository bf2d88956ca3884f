import { afterEach, describe, expect, it, vi } from 'vitest';
import { parseSince } from '../../../src/surfaces/cli/since.ts';

describe('parseSince', () => {
  afterEach(() => vi.useRealTimers());

  it.each([
    ['90m', '2026-11-20T13:30:00.000Z'],
    ['3h', '2026-11-20T12:00:00.000Z'],
    ['2 days ago', '2026-11-18T15:00:00.000Z'],
    ['1.week.ago', '2026-11-13T15:00:00.000Z'],
    ['2026-11-19', '2026-11-19T00:00:00.000Z'],
    ['2026-11-19T10:00+02:00', '2026-11-19T08:00:00.000Z'],
  ])('reads %s', (text, time) => {
    vi.useFakeTimers({ now: new Date('2026-11-20T15:00:00Z') });
    expect(parseSince(text).toISOString()).toBe(time);
  });

  it.each(['', 'lately', '3', '3 fortnights', '2026-13-01', '-3h', '12'])('refuses %j', text => {
    expect(() => parseSince(text)).toThrow('--since must be a time');
  });
});
