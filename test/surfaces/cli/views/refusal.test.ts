import { expect, it } from 'vitest';
import { personRepo, vedit } from '../../../helpers/vedit.ts';

/** The lines of the hint under a refusal. */
async function hints(...args: string[]): Promise<string[]> {
  const box = personRepo();
  box.write('b.txt', 'same\nsame\n');
  box.write('dir/c.txt', 'c\n');
  const { err } = await vedit(box, args);
  return err.split('\n').filter(line => line.startsWith('hint: '));
}

it.each([
  [['create', 'a.txt', '--text', 'new\n'], '--overwrite'],
  [['mv', 'a.txt', 'b.txt'], '--overwrite'],
  [['rm', 'dir'], 'vedit rm -r'],
  [['replace', 'b.txt', 'same', 'x'], '--all'],
  [['replace', 'a.txt', 'two', 'x', '--version-of', 'abcdef0'], '--version-of'],
])('%j is told how the command line says it: %s', async (args, words) => {
  expect(await hints(...args)).toEqual([expect.stringContaining(words)]);
});

it.each([[['mv', 'a.txt', 'b.txt/c']], [['mv', 'dir', 'b.txt']], [['replace', 'dir', 'x', 'y']]])(
  '%j is told of no option that would not help',
  async args => {
    expect(await hints(...args)).toEqual([]);
  },
);
