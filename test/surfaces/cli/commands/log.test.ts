import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../helpers/real-git.ts';
import { personRepo, vedit } from '../../../helpers/vedit.ts';

/** Three edits, the newest last. */
async function edited(): Promise<Sandbox> {
  const box = personRepo();
  await vedit(box, ['replace', 'a.txt', 'one', 'ONE', '--agent', 'fixer', '-m', 'it shouts']);
  await vedit(box, ['replace', 'src/b.txt', 'x = 1', 'token = 1', '--agent', 'writer']);
  await vedit(box, ['replace', 'a.txt', 'three', 'THREE', '--agent', 'fixer']);
  return box;
}

/** The subjects that a log shows. */
async function subjects(box: Sandbox, ...args: string[]): Promise<string[]> {
  const { code, out, err } = await vedit(box, ['log', '--json', ...args]);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const lines = out.split('\n').filter(line => line !== '');
  return lines.map(line => JSON.parse(line).subject.replace(/^str_replace | \(.*/g, ''));
}

const ALL = ['a.txt', 'src/b.txt', 'it shouts'];

describe('vedit log', () => {
  it.each<[string[], string[]]>([
    [['-2'], ALL.slice(0, 2)],
    [['-p1'], ALL.slice(0, 1)],
    [['main..@'], ALL],
    [['~1..'], ALL.slice(0, 1)],
    [['~2..~1'], ALL.slice(1, 2)],
    [['~1'], ALL.slice(1)],
    [['-S', 'token'], ['src/b.txt']],
    [['-S', 'THREE', 'a.txt'], ['a.txt']],
    [
      ['--reverse', '-2'],
      ['src/b.txt', 'a.txt'],
    ],
    [['--author', 'WRIT'], ['src/b.txt']],
    [['--author', '@vedit.invalid'], ALL],
    [['~2..', 'src'], ['src/b.txt']],
    [['--', 'src'], ['src/b.txt']],
    [['--op', 'str_replace', 'src/'], ['src/b.txt']],
  ])('%j', async (args, expected) => {
    expect(await subjects(await edited(), ...args)).toEqual(expected);
  });

  it('on one line says when, who, what, where and why', async () => {
    const { out } = await vedit(await edited(), ['log', '--oneline', '~2']);
    expect(out).toMatch(/^\w{7} \d{4}-\d\d-\d\d [:\d]{8} [-+]\d{4} fixer: it shouts \(a\.txt\)\n$/);
  });

  it.each<[string[], string]>([
    [['nope.txt'], 'There is no nope.txt, neither among the files nor in this history.'],
    [['b.txt'], 'There is no b.txt, neither'],
    [['--op', 'str_replcae'], 'There is no kind of edit named "str_replcae". Did you mean str_replace?'],
    [['nope..@'], 'no commit is named "nope"'],
    [['..main'], 'is not a commit of this history'],
  ])('refuses what there is not: %j', async (args, words) => {
    const { code, out, err } = await vedit(await edited(), ['log', ...args]);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(words);
  });

  it.each<[string[], string]>([
    [['a.txt', 'src'], 'one too many'],
    [['a.txt', '--path', 'src'], 'one path only'],
  ])('is not understood: %j', async (args, words) => {
    expect(await vedit(await edited(), ['log', ...args])).toMatchObject({
      code: 2,
      err: expect.stringContaining(words),
    });
  });

  it('says when a name is a file and a commit', async () => {
    const box = await edited();
    box.write('main', 'x');
    expect((await vedit(box, ['log', 'main'])).err).toContain('main is both a file and a commit');
    await vedit(box, ['replace', 'main', 'x', 'y']);
    expect(await subjects(box, '--', 'main')).toEqual(['main', 'outside main']);
  });

  it.each<[string[], string]>([
    [[], 'The history is empty: nothing was edited yet.\n'],
    [['--oneline', 'a.txt'], 'No edit of the history fits: path a.txt.\n'],
    [['--refusals'], 'No refusal was kept that fits; --record-refusals keeps them.\n'],
  ])('says that there is nothing: %j', async (args, words) => {
    expect(await vedit(personRepo(), ['log', ...args])).toEqual({ code: 0, out: '', err: words });
  });
});

describe('vedit diff', () => {
  it('takes a range, and says that there is no difference', async () => {
    const box = await edited();
    const both = (await vedit(box, ['diff', '~2', '~1'])).out;
    expect(both).toContain('+token = 1');
    expect((await vedit(box, ['diff', '~2..~1'])).out).toBe(both);
    expect(await vedit(box, ['diff', '~1..~1'])).toEqual({ code: 0, out: '', err: 'No difference.\n' });
    expect(await vedit(box, ['diff', '~2..~1', '@'])).toMatchObject({ code: 2 });
  });

  it('refuses a path that there is not', async () => {
    const { code, err } = await vedit(await edited(), ['diff', '--path', 'nope']);
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('There is no nope, neither') });
  });
});
