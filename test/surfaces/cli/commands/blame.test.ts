import { describe, expect, it } from 'vitest';
import type { BlameData } from '../../../../src/queries/blame.ts';
import type { Sandbox } from '../../../helpers/real-git.ts';
import { personRepo, vedit, veditJson } from '../../../helpers/vedit.ts';

/** Lines of a person's commit, two agents and an outside change. */
async function edited(): Promise<Sandbox> {
  const box = personRepo();
  const loud = [
    '-m',
    'louder, so that everybody hears it\n\nand more',
    '--agent',
    'fixer',
    '--session',
    's1',
  ];
  await vedit(box, ['replace', 'a.txt', 'two', 'TWO', ...loud]);
  box.write('a.txt', 'one\nTWO\nby hand\nthree\n');
  await vedit(box, ['replace', 'a.txt', 'three', 'drei\nvier', '--agent', 'translator', '--session', 's2']);
  return box;
}

const out = async (box: Sandbox, ...args: string[]): Promise<string> =>
  (await vedit(box, ['blame', ...args])).out;

describe('blame', () => {
  it('names for each line the commits that git blame does', async () => {
    const box = await edited();
    const shown = (await out(box, 'a.txt')).trimEnd().split('\n');
    const git = box.git('blame', '-s', '--abbrev=6', '--root', 'vedit/main', '--', 'a.txt').split('\n');
    expect(shown.map(line => line.slice(0, 7))).toEqual(git.map(line => line.slice(0, 7)));
    expect(git).toHaveLength(5);
  });

  it('tells who, when and why', async () => {
    const lines = (await out(await edited(), 'a.txt')).split('\n').map(line => line.slice(8));
    expect(lines.map(line => line.replace(/\d{4}-\d\d-\d\d [:\d]{8} [-+]\d{4}/, 'TIME'))).toEqual([
      'Ada        TIME first                               1) one',
      'fixer      TIME louder, so that everybody hears it  2) TWO',
      'outside    TIME outside                             3) by hand',
      'translator TIME str_replace                         4) drei',
      'translator TIME str_replace                         5) vier',
      '',
    ]);
  });

  it('fits the terminal: the reason is cut first, then left out', async () => {
    const box = await edited();
    const lines = async (columns: number, ...args: string[]): Promise<string[]> => {
      const { out } = await vedit(box, ['blame', 'a.txt', '--no-pager', '--color', 'never', ...args], {
        tty: ['out'],
        columns,
      });
      const shown = out.trimEnd().split('\n');
      expect(Math.max(...shown.map(line => line.length))).toBeLessThanOrEqual(columns);
      return shown.map(line =>
        line
          .slice(8)
          .replace(/\d+ seconds? ago|just now/, 'NOW')
          .replace(/ +/g, ' '),
      );
    };
    expect((await lines(200))[1]).toBe('fixer NOW louder, so that everybody hears it 2) TWO');
    expect((await lines(60))[1]).toMatch(/^fixer NOW louder, so .*\.\. 2\) TWO$/);
    expect((await lines(45))[1]).toBe('fixer NOW 2) TWO');
    expect((await lines(80, '-s'))[1]).toBe('louder, so that everybody hears it 2) TWO');
    expect((await lines(80, '--date', 'short'))[1]).toMatch(/^fixer \d{4}-\d\d-\d\d louder/);
    box.git('config', 'log.date', 'unix');
    expect((await lines(80))[1]).toMatch(/^fixer \d{10} louder/);
  });

  it.each([
    [['a.txt:2'], ['2) TWO']],
    [['a.txt:2-3'], ['2) TWO', '3) by hand']],
    [['a.txt:4-'], ['4) drei', '5) vier']],
    [
      ['-L', '2,3', 'a.txt'],
      ['2) TWO', '3) by hand'],
    ],
    [['-L', '2,+1', 'a.txt'], ['2) TWO']],
    [
      ['-L4', 'a.txt'],
      ['4) drei', '5) vier'],
    ],
    [
      ['a.txt', '--at', '~1'],
      ['1) one', '2) TWO', '3) by hand', '4) three'],
    ],
    [
      ['a.txt', '--at', 'main'],
      ['1) one', '2) two', '3) three'],
    ],
  ])('%j shows these lines', async (args, lines) => {
    const shown = (await out(await edited(), ...args)).trimEnd().split('\n');
    expect(shown.map(line => line.replace(/^.*? (?=\d+\) )/, ''))).toEqual(lines);
  });

  it('gives each agent a colour, and none to what no session wrote', async () => {
    const { out } = await vedit(await edited(), ['blame', 'a.txt', '--color', 'always']);
    const colors = out
      .trimEnd()
      .split('\n')
      .map(line => /^\u001b\[(\d+)m(?!.\[)/.exec(line)?.[1]);
    expect(colors).toEqual([undefined, '36', undefined, '33', '33']);
  });

  it('says when the file is another one by now', async () => {
    const box = await edited();
    box.write('a.txt', 'one\n');
    const { out, err } = await vedit(box, ['blame', 'a.txt:5']);
    expect(out).toContain('5) vier\n');
    expect(err).toBe('[a.txt was changed, not through vedit: these are the recorded lines]\n');
    expect((await vedit(box, ['blame', 'a.txt', '--at', '@'])).err).toBe('');
  });

  it('answers in JSON', async () => {
    const box = await edited();
    const { data } = await veditJson<BlameData>(box, ['blame', 'a.txt:2']);
    expect(data).toMatchObject({
      path: 'a.txt',
      recorded: true,
      lines: [
        {
          line: 2,
          text: 'TWO',
          commit: box.git('rev-parse', 'vedit/main~2'),
          op: 'str_replace',
          session: 's1',
          agent: 'fixer',
          reason: 'louder, so that everybody hears it\n\nand more',
        },
      ],
    });
  });

  it('of an empty file is empty', async () => {
    const box = await edited();
    await vedit(box, ['create', 'empty', '--text', '']);
    expect(await vedit(box, ['blame', 'empty'])).toEqual({ code: 0, out: '', err: '' });
  });

  it('refuses what is not there', async () => {
    const box = await edited();
    expect(await veditJson(box, ['blame', 'gone'])).toMatchObject({ exit: 1, code: 'FILE_NOT_FOUND' });
    expect(await veditJson(box, ['blame', 'a.txt:9'])).toMatchObject({ exit: 1, code: 'LINE_OUT_OF_RANGE' });
  });
});

it('why takes the line behind the file, or beside it', async () => {
  const box = personRepo();
  await vedit(box, ['replace', 'a.txt', 'two', 'TWO', '-m', 'louder']);
  const { out } = await vedit(box, ['why', 'a.txt:2']);
  expect(out).toContain('louder');
  expect((await vedit(box, ['why', 'a.txt', '2'])).out).toBe(out);
  for (const args of [['a.txt'], ['a.txt', 'x'], ['a.txt', '2-3'], ['a.txt:2', '2']])
    expect((await vedit(box, ['why', ...args])).code).toBe(2);
});
