/** Characters that people, editors and models take for one another, and the words for such a mix-up. */

import { quotedAround } from './words.ts';

export type CharacterKind =
  | 'quotes'
  | 'dashes'
  | 'special spaces'
  | 'invisible characters'
  | 'ellipsis'
  | 'Unicode form'
  | 'letter case'
  | 'blanks';

/** One way in which two lines can be the same to a reader and different to a computer. */
interface CharacterRule {
  kind: CharacterKind;
  /** Makes the two the same, where this is all that sets them apart. */
  fold(line: string): string;
  /** Says the first such difference between the file's line and the other one, called `name`. */
  words(file: string, other: string, name: string): string;
}

const SINGLE_QUOTES = /[\u2018-\u201b\u2032\u02bc\u00b4]/g;
const DOUBLE_QUOTES = /[\u201c-\u201f\u2033]/g;
const DASHES = /[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/g;
const SPACES = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g;
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/g;

/** The rules in the order in which they fold: each sees what the ones before it have left. */
const RULES: readonly CharacterRule[] = [
  {
    kind: 'Unicode form',
    fold: line => line.normalize('NFC'),
    words: (file, other, name) => {
      const [inFile, given] = firstOdd(file, other, /\P{M}\p{M}*/gu);
      return `the file writes ${codePoints(inFile)}, ${name} ${codePoints(given)}: the same letter in another Unicode form`;
    },
  },
  substitution('invisible characters', INVISIBLE, '', INVISIBLE),
  substitution('special spaces', SPACES, ' ', /[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g),
  substitution('dashes', DASHES, '-', /[-\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/g),
  {
    ...substitution('quotes', SINGLE_QUOTES, "'", /['"\u2018-\u201f\u2032\u2033\u02bc\u00b4]/g),
    fold: line => line.replace(SINGLE_QUOTES, "'").replace(DOUBLE_QUOTES, '"'),
  },
  substitution('ellipsis', /\u2026/g, '...', /\u2026|\.\.\./g),
  {
    kind: 'letter case',
    fold: line => line.toLowerCase(),
    words: (file, other, name) => {
      const [inFile, given] = firstOdd(file, other, /[\p{L}\p{N}_]+/gu);
      if (inFile === given) return `the file has other letters than ${name} in upper case`;
      return `the file has \`${inFile ?? ''}\`, ${name} has \`${given ?? ''}\`: the letter case differs`;
    },
  },
  {
    kind: 'blanks',
    fold: line => line.replace(/[ \t]+/g, ''),
    words: (file, other, name) =>
      `the blanks differ: the file has ${quotedAround(file, other)}, ${name} has ${quotedAround(other, file)}`,
  },
];

/** The line with every such difference folded away, so that lines that look alike become equal. */
export function foldCharacters(line: string): string {
  return RULES.reduce((folded, rule) => rule.fold(folded), line);
}

/** Longer lines are compared around their first difference only. */
const LONG_LINE = 10_000;
const WINDOWS = [400, 100, 20, 4, 1];

/** The differences of two lines, or `null` when more than these sets them apart: the text itself differs. */
export function characterDifferences(
  file: string,
  other: string,
  name: string,
): { kind: CharacterKind; words: string }[] | null {
  if (Math.max(file.length, other.length) > LONG_LINE) return firstWindowDifferences(file, other, name);
  if (foldCharacters(file) !== foldCharacters(other)) return null;
  return RULES.filter(rule => foldExcept(rule, file) !== foldExcept(rule, other)).map(rule => ({
    kind: rule.kind,
    words: rule.words(file, other, name),
  }));
}

function firstWindowDifferences(
  file: string,
  other: string,
  name: string,
): { kind: CharacterKind; words: string }[] | null {
  let at = 0;
  while (at < file.length && file[at] === other[at]) at++;
  for (const size of WINDOWS) {
    const found = characterDifferences(file.slice(at, at + size), other.slice(at, at + size), name);
    if (found !== null && found.length > 0) return found;
  }
  return null;
}

const NAMES: Readonly<Record<string, string>> = {
  ' ': 'a space',
  '\u00a0': 'a no-break space',
  '\u00ad': 'a soft hyphen',
  '\u200b': 'a zero-width space',
  '\u200c': 'a zero-width non-joiner',
  '\u200d': 'a zero-width joiner',
  '\u202f': 'a narrow no-break space',
  '\u3000': 'an ideographic space',
  '\ufeff': 'a byte order mark',
};

/** `é (U+00E9)`, for one character and what is combined with it. */
function codePoints(character: string | undefined): string {
  if (character === undefined) return 'nothing';
  const codes = Array.from(
    character,
    point => `U+${point.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`,
  );
  const seen = NAMES[character] ?? (/[\p{L}\p{N}\p{P}\p{S}]/u.test(character) ? character : '');
  return `${seen} (${codes.join(' ')})`.trimStart();
}

function substitution(kind: CharacterKind, odd: RegExp, plain: string, all: RegExp): CharacterRule {
  return {
    kind,
    fold: line => line.replace(odd, plain),
    words: (file, other, name) => {
      const [inFile, given] = firstOdd(file, other, all);
      if (inFile === given) return `the file has ${codePoints(file.match(odd)?.[0])} elsewhere than ${name}`;
      return `the file has ${codePoints(inFile)} where ${name} has ${codePoints(given)}`;
    },
  };
}

function foldExcept(left: CharacterRule, line: string): string {
  return RULES.reduce((folded, rule) => (rule === left ? folded : rule.fold(folded)), line);
}

/** The first matches of the pattern, one in each text, that differ at the same position among all matches. */
function firstOdd(file: string, other: string, pattern: RegExp): [string | undefined, string | undefined] {
  const inFile = file.match(pattern) ?? [];
  const given = other.match(pattern) ?? [];
  let at = 0;
  while (at < inFile.length && inFile[at] === given[at]) at++;
  return [inFile[at], given[at]];
}
