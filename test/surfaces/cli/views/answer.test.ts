import { expect, it } from 'vitest';
import { personRepo, vedit } from '../../../helpers/vedit.ts';

/** The refusal of a command in a repository with two files and a folder. */
async function refusal(...args: string[]): Promise<string> {
  const box = personRepo();
  box.write('b.txt', 'same\nsame\n');
  box.write('dir/c.txt', 'c\n');
  return (await vedit(box, args)).err;
}

it.each([
  [['create', 'a.txt', '--text', 'new\n'], 'change it with vedit replace, or send --overwrite to'],
  [['mv', 'a.txt', 'b.txt'], 'send --overwrite to replace that file'],
  [['rm', 'dir'], 'send -r to delete all of them'],
  [['replace', 'b.txt', 'same', 'x'], 'or set --all to change both'],
  [['replace', 'a.txt', '', 'x'], 'the old text is empty'],
  [['replace', 'a.txt', 'two', 'x', '--version-of', 'abcdef0'], 'cite --version-of "'],
  [['lines', 'a.txt', '9', 'x', '--base', '@'], 'line 9 is out of range'],
  [['lines', 'a.txt', '1', 'x'], 'send the --version-of that it has'],
])('%j is told in the words of the command line: %s', async (args, words) => {
  const told = await refusal(...args);
  expect(told).toContain(words);
  expect(told).not.toMatch(/\b\w+_(str|lines?|text)\b|: true/);
});

it.each([[['mv', 'a.txt', 'b.txt/c']], [['mv', 'dir', 'b.txt']], [['replace', 'dir', 'x', 'y']]])(
  '%j is told of no option that would not help',
  async args => {
    expect(await refusal(...args)).not.toMatch(/ --?\w/);
  },
);

it('a note of a landing is told in flags, too', async () => {
  const box = personRepo();
  await vedit(box, ['replace', 'a.txt', 'two', 'TWO']);
  await vedit(box, ['replace', 'src/b.txt', 'x = 1', 'x = 2']);
  box.git('checkout', '-q', 'a.txt');
  const { code, err } = await vedit(box, ['land', '-n', '-m', 'x']);
  expect({ code, err }).toEqual({
    code: 0,
    err: expect.stringMatching(/bring them back first: vedit restore a\.txt --at \w{12}\.\n/),
  });
});
