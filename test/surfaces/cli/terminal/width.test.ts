import { describe, expect, it } from 'vitest';
import { columnsOf, endOf, padded, startOf } from '../../../../src/surfaces/cli/terminal/width.ts';
import { personRepo, vedit } from '../../../helpers/vedit.ts';

describe('the columns of a text', () => {
  it.each([
    ['abc', 3],
    ['é', 1],
    ['e\u0301', 1],
    ['日本', 4],
    ['한글', 4],
    ['ｆｕ', 4],
    ['🎉', 2],
    ['\u200b', 0],
    ['→', 1],
  ])('%s: %i', (text, columns) => expect(columnsOf(text)).toBe(columns));

  it('are filled up, and cut where a whole character ends', () => {
    expect(padded('日本', 6)).toBe('日本  ');
    expect(startOf('日本語', 5)).toBe('日本');
    expect(endOf('日本語', 5)).toBe('本語');
  });
});

describe('columns of a table', () => {
  it('are as git draws them', async () => {
    const box = personRepo();
    box.git('config', 'core.quotePath', 'false');
    await vedit(box, ['create', '日本語.txt', '--text', 'x\n']);
    await vedit(box, ['create', 'plain-name.txt', '--text', 'x\ny\n']);
    const own = (await vedit(box, ['diff', '--stat'])).out.trimEnd();
    expect(own).toBe(` ${box.git('diff', '--stat', 'main', 'vedit/main')}`.replace(/^ {2}/, ' '));
  });
});
