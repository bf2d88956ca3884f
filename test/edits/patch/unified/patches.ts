/** Unified diffs, and what comes of them. */

import { applied, refusedEdit } from '../../../helpers/patch-files.ts';

/** A plain diff of one file. */
export const diff = (...lines: string[]): string => ['--- a/f.txt', '+++ b/f.txt', ...lines, ''].join('\n');

export const run = (patch: string, before: Record<string, string>): ReturnType<typeof applied> =>
  applied('unified_diff', { patch }, before);

export const refusal = (
  patch: string,
  before: Record<string, string> = { 'f.txt': 'a\nb\n' },
): ReturnType<typeof refusedEdit> => refusedEdit('unified_diff', { patch }, before);

export const CHANGE: readonly string[] = ['@@ -1,2 +1,2 @@', ' a', '-b', '+B'];
