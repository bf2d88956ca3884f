/** A fact of Codex's `apply_patch`, and what rows are made of. */

import { type Instead, instead, type Texts, type UpstreamCase } from '../case.ts';

export const envelope = (...lines: string[]): { patch: string } => ({
  patch: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n'),
});
export const update = (...lines: string[]): { patch: string } => envelope('*** Update File: f.txt', ...lines);

export type PatchRow = readonly [
  name: string,
  input: { patch: string },
  before: Texts,
  after: Texts | null,
  instead?: UpstreamCase['instead'],
];

/** One file, `f.txt`. */
export const f = (text: string): Texts => ({ 'f.txt': text });

export const STRICT = 'theirs takes lines that differ in blanks: only the kind of a line end is looked past';
export const SIMILAR: Instead = instead('PATCH_FAILED', STRICT);
export const KEEPS_END: Instead = instead(
  'done',
  'a file without a final newline stays one, unless the patch says otherwise',
);
export const ALL_OR_NONE = 'all files or none';
