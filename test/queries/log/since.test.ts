import { describe, expect, it } from 'vitest';
import { parseSince } from '../../../src/queries/log/since.ts';

/** A Friday, in the time zone of this machine. */
const NOW = new Date(2026, 10, 20, 15, 30);

/** Months count from 1 here. */
const at = (year: number, month: number, day: number, hours = 0, minutes = 0): Date =>
  new Date(year, month - 1, day, hours, minutes);

describe('parseSince', () => {
  it.each<[string, Date]>([
    ['90m', at(2026, 11, 20, 14, 0)],
    ['3h', at(2026, 11, 20, 12, 30)],
    ['2 hours ago', at(2026, 11, 20, 13, 30)],
    ['an hour ago', at(2026, 11, 20, 14, 30)],
    ['1.week.ago', at(2026, 11, 13, 15, 30)],
    ['30 seconds', new Date(NOW.getTime() - 30_000)],
    ['3 months ago', at(2026, 8, 20, 15, 30)],
    ['last year', at(2025, 11, 20, 15, 30)],
    ['now', NOW],
    ['today', at(2026, 11, 20)],
    ['Yesterday', at(2026, 11, 19)],
    ['yesterday 18:05', at(2026, 11, 19, 18, 5)],
    ['yesterday at 9:00', at(2026, 11, 19, 9)],
    ['15:00', at(2026, 11, 20, 15)],
    ['16:00', at(2026, 11, 19, 16)],
    ['thursday', at(2026, 11, 19)],
    ['last friday', at(2026, 11, 13)],
    ['mon', at(2026, 11, 16)],
    ['2026-11-19', at(2026, 11, 19)],
    ['2026-11-19 10:00', at(2026, 11, 19, 10)],
    ['2026-11-19T10:00+02:00', new Date('2026-11-19T08:00:00Z')],
    ['2026-11-19 10:00:30 Z', new Date('2026-11-19T10:00:30Z')],
    ['2026-11-19T10:00:00.000Z', new Date('2026-11-19T10:00:00Z')],
    ['@1700000000', new Date(1_700_000_000_000)],
  ])('reads %s', (text, time) => {
    expect(parseSince(text, NOW)).toEqual(time);
  });

  it.each([
    '',
    ' ',
    'lately',
    '3',
    '3 fortnights',
    '2026-13-01',
    '-3h',
    '12',
    '25:00',
    'yesterday 12:60',
    'last',
    'at 12:00',
    '2026',
  ])('refuses %j, with times that would do', text => {
    expect(() => parseSince(text, NOW)).toThrow('Give one such as 2026-11-20');
  });
});
