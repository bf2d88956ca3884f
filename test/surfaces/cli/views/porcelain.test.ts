import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../helpers/real-git.ts';
import { personRepo, vedit } from '../../../helpers/vedit.ts';

const EDIT = ['--agent', 'fixer', '--session', 's1'];

async function edited(): Promise<Sandbox> {
  const box = personRepo();
  await vedit(box, ['replace', 'a.txt', 'two', 'TWO', ...EDIT]);
  await vedit(box, ['create', 'ca f\u00e9.txt', '--text', 'new\n', ...EDIT]);
  return box;
}

/** Its lines as fields, commits and times by name. */
async function fields(box: Sandbox, ...args: string[]): Promise<string[][]> {
  const { out, code, err } = await vedit(box, [...args, '--porcelain', '--color', 'always']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const named = out.replace(/\b[0-9a-f]{40}\b/g, 'COMMIT').replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME');
  return named
    .split('\n')
    .slice(0, -1)
    .map(line => line.split('\t'));
}

const CAFE = '"ca f\\303\\251.txt"';

describe('--porcelain', () => {
  it('of log is a line an edit', async () => {
    expect(await fields(await edited(), 'log')).toEqual([
      ['COMMIT', 'TIME', 'fixer', 's1', 'create', 'open', CAFE, 'create ca f\u00e9.txt (+1 -0)'],
      ['COMMIT', 'TIME', 'fixer', 's1', 'str_replace', 'open', 'a.txt', 'str_replace a.txt (+1 -1)'],
    ]);
  });

  it('of log is nothing where nothing was edited', async () => {
    expect(await fields(personRepo(), 'log')).toEqual([]);
  });

  it('of status is the state, then the files', async () => {
    const box = await edited();
    box.write('a.txt', 'mine\n');
    box.write('src/b.txt', 'mine\n');
    expect(await fields(box, 'status')).toEqual([
      ['# history', 'refs/vedit/main'],
      ['# newest', 'COMMIT'],
      ['# branch', 'COMMIT'],
      ['# open', '1'],
      ['# taken back by hand', '0'],
      ['outside', 'modified', 'a.txt'],
      ['unexplained', 'modified', 'src/b.txt'],
    ]);
  });

  it('of review is what accepts the hunk', async () => {
    const box = await edited();
    const hunks = await fields(box, 'review', '--list');
    expect(hunks).toEqual([
      ['COMMIT', 'a.txt', '2-2', '+1', '-1', 'fixer'],
      ['COMMIT', CAFE, '1-1', '+1', '-0', 'fixer'],
    ]);
    await vedit(box, ['review', '--accept', '--path', 'a.txt', '--lines', '2-2']);
    expect(await fields(box, 'review', '--list')).toHaveLength(1);
  });

  it('has no control character of a person’s commit', async () => {
    const box = await edited();
    box.git('commit', '-qam', 'odd \u001b[31m\ttext');
    const { out } = await vedit(box, ['log', '--porcelain']);
    expect(out.replace(/[\t\n]/g, '')).not.toMatch(/\p{Cc}/u);
  });

  it('is not drawn', async () => {
    expect((await vedit(personRepo(), ['log', '--porcelain', '--graph'])).code).toBe(2);
  });
});
