import { describe, expect, it } from 'vitest';
import { dateWriter } from '../../../../src/surfaces/cli/terminal/words.ts';
import { personRepo } from '../../../helpers/vedit.ts';

describe('dates', () => {
  it.each(['iso', 'iso-strict', 'rfc', 'short', 'default', 'raw', 'unix'])(
    'in the form %s are git’s',
    form => {
      const box = personRepo();
      const time = new Date(1_763_651_045_000);
      const minutes = -time.getTimezoneOffset();
      const zone = `${minutes < 0 ? '-' : '+'}${String(Math.floor(Math.abs(minutes) / 60)).padStart(2, '0')}${String(Math.abs(minutes) % 60).padStart(2, '0')}`;
      box.git('commit', '-qm', 'x', '--allow-empty', '--date', `${time.getTime() / 1000} ${zone}`);
      const git = box.git('log', '-1', '--format=%ad', `--date=${form}`);
      expect(dateWriter(form, false)(time).replace(/Z$/, '+00:00')).toBe(git.replace(/Z$/, '+00:00'));
    },
  );

  it.each([
    [0, 'just now'],
    [1, '1 second ago'],
    [89, '89 seconds ago'],
    [90, '2 minutes ago'],
    [89 * 60, '89 minutes ago'],
    [90 * 60, '2 hours ago'],
    [36 * 3600, '2 days ago'],
    [14 * 86_400, '2 weeks ago'],
    [70 * 86_400, '2 months ago'],
    [400 * 86_400, '1 year ago'],
  ])('of %s seconds ago are %s', (past, words) => {
    expect(dateWriter('relative', true)(new Date(Date.now() - past * 1000))).toBe(words);
  });

  it.each([
    [undefined, true, /ago|now/],
    [undefined, false, /^\d{4}-\d\d-\d\d [:\d]{8} [-+]\d{4}$/],
    ['auto:short', true, /^\d{4}-\d\d-\d\d$/],
    ['auto:short', false, /:/],
    ['iso8601-local', true, /^\d{4}-\d\d-\d\d [:\d]{8} /],
    ['iso8601-strict', true, /T/],
    ['format:%Y', true, /ago|now/],
  ])('of log.date %s, on a terminal %s, match %s', (form, isTerminal, shape) => {
    expect(dateWriter(form, isTerminal)(new Date())).toMatch(shape);
  });
});
