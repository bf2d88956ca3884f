import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseConfig } from '../../../src/git/repository/config.ts';
import { Branches } from '../../helpers/branches.ts';
import { sandbox, succeeds } from '../../helpers/real-git.ts';

const SAMPLE = `\uFEFF# a comment
[core]
\tbare = false ; a comment
\tRepositoryFormatVersion=1
[user]
  name = "Ada  \\"L\\"; #1"   # note
  email = ada@ex"am ple".com\\n
  signingKey
[remote "Orig in\\"\\\\x"] url = a
  url = b \\
 c
  empty =
  fetch = +refs/heads/*:refs/remotes/*
[remote "orig in"]
  url = other
[Alias.Dotted]
  Key = yes
[core] editor = \\"x\\" y   z\t
[a] b = 1k\r
  c = off\r
`;

test('every value is what git config reads', () => {
  const box = sandbox();
  box.write('config', SAMPLE);
  const listed = box.pipe('', 'config', '-f', 'config', '-z', '--list').toString().split('\0').slice(0, -1);
  const config = parseConfig(SAMPLE);
  const theirs = new Map<string, string[]>();
  for (const line of listed) {
    const [key = '', ...rest] = line.split('\n');
    theirs.set(key, [...(theirs.get(key) ?? []), rest.join('\n')]);
  }
  expect(config.keys().sort()).toEqual([...theirs.keys()].sort());
  for (const [key, values] of theirs) expect([key, config.getAll(key)]).toEqual([key, values]);
  expect(theirs.size).toBe(13);
});

test('the last value counts, and case is ignored in section and key only', () => {
  const config = parseConfig('[A "B"] c = 1\n c = 2\n', '[a "B"] C = 3');
  expect(config.get('A.B.C')).toBe('3');
  expect(config.getAll('a.B.c')).toEqual(['1', '2', '3']);
  expect(config.get('a.b.c')).toBeUndefined();
});

test('booleans are what git takes for booleans', () => {
  const box = sandbox();
  const branches = new Branches('taken', 'refused');
  for (const value of [
    'true',
    'Yes',
    'on',
    '1',
    '2k',
    '-1',
    'false',
    'NO',
    'off',
    '0',
    '',
    '0k',
    'maybe',
    '1x',
  ]) {
    box.write('config', `[a] b = ${value}\n`);
    const args = ['config', '-f', 'config', '--type=bool', 'a.b'];
    const ours = () => parseConfig(`[a] b = ${value}\n`).bool('a.b', false);
    const isTaken = succeeds(box, ...args);
    branches.ran(isTaken ? 'taken' : 'refused');
    if (isTaken) expect(String(ours())).toBe(box.git(...args));
    else expect(ours).toThrow(expect.objectContaining({ code: 'CORRUPT' }));
  }
  branches.expectAll();
  expect(parseConfig('[a] b').bool('a.b', false)).toBe(true);
  expect(parseConfig('').bool('a.b', true)).toBe(true);
});

test('what git refuses is refused, with the line, and the other way round', { timeout: 120_000 }, () => {
  const branches = new Branches('taken', 'refused');
  const box = sandbox();
  const piece = fc.constantFrom(
    '[a]',
    '[a "b"]',
    '[A.b]',
    'k',
    ' = ',
    'v',
    '"',
    '\\n',
    '\\',
    '\\x',
    '\n',
    ' ',
    '#',
    ';',
    '[',
    ']',
    '2',
  );
  const file = fc.array(piece, { maxLength: 14 }).map(pieces => `[s]\n${pieces.join('')}`);
  fc.assert(
    fc.property(file, text => {
      box.write('config', text);
      const args = ['config', '-f', 'config', '-z', '--list'];
      const isTaken = succeeds(box, ...args);
      branches.ran(isTaken ? 'taken' : 'refused');
      if (!isTaken) return void expect(() => parseConfig(text)).toThrow(/cannot be read at line \d/);
      const config = parseConfig(text);
      const ours = config.keys().flatMap(key => config.getAll(key).map(value => `${key}=${value}`));
      const theirs = box
        .git(...args)
        .split('\0')
        .slice(0, -1)
        .map(line => line.replace('\n', '=').replace(/^[^=]*$/, '$&='));
      expect(ours.sort()).toEqual(theirs.sort());
    }),
    { numRuns: 150 },
  );
  branches.expectAll();
});
