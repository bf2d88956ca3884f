/** unified_diff: what `git diff`, `git format-patch` and `diff -u` print, for several files. */

import * as z from 'zod';
import { type Edit, ownEdit } from './edit.ts';
import { text } from './fields.ts';
import type { Format } from './patch/patch.ts';
import { patchEdit } from './patch/plan-patch.ts';
import { parseUnified } from './patch/unified/unified.ts';

export interface UnifiedDiffInput {
  patch: string;
}

const input = () =>
  z.strictObject({
    patch: text('The diff: "--- a/path", "+++ b/path", "@@ -start,count +start,count @@" and the lines.'),
  });

const format: Format = { word: 'hunk', ordered: true, lineEnds: true };

export const unifiedDiff: Edit<UnifiedDiffInput, 'unified_diff'> = ownEdit({
  name: 'unified_diff',
  description:
    'Apply a unified diff of one or more files, as git diff and diff -u print it, with new, deleted, renamed and copied ' +
    'files and modes. Prefer it for a diff that a program printed. Each hunk needs context and must fit exactly at one place; its line number only chooses between ' +
    'equal places. All files or none.',
  input,
  aliases: { patch: ['diff', 'patch_text', 'input'] },
  example: {
    patch:
      '--- a/src/app.ts\n+++ b/src/app.ts\n@@ -3,3 +3,3 @@\n function start() {\n-  listen(80);\n+  listen(8080);\n }\n',
  },
  addressesLines: false,
  ...patchEdit(format, ({ patch }: UnifiedDiffInput) => parseUnified(patch)),
});
