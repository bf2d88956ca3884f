/** A fact of git's own tests of `git apply`, and what rows are made of. */

import { type Instead, instead, type Texts } from '../case.ts';

export type GitRow = readonly [
  /** The script of git's test suite. */
  script: string,
  name: string,
  lines: readonly string[],
  before: Texts,
  after: Texts | null,
  instead?: Instead,
];

export const f = (text: string): Texts => ({ 'f.txt': text });

/** A diff of `f.txt`. */
export const of = (...lines: string[]): readonly string[] => ['--- a/f.txt', '+++ b/f.txt', ...lines];
export const git = (a: string, b: string, ...lines: string[]): readonly string[] => [
  `diff --git a/${a} b/${b}`,
  ...lines,
];
export const NO_END = '\\ No newline at end of file';
export const LETTERS = 'a\nb\nc\nd\ne\nf\ng\n';

export const ONLY_PLACE: Instead = instead(
  'done',
  'it fits at one place only; git holds a hunk without context at its end to the end of the file',
);
export const NEEDS_CONTEXT: Instead = instead(
  'PATCH_SYNTAX',
  'a line number alone is no proof of a place: context is asked for',
);
