/** Patches of the envelope form, and what comes of them. */

import { applied, refusedEdit } from '../../../helpers/patch-files.ts';

/** The envelope around some lines. */
export function wrapped(...lines: string[]): { patch: string } {
  return { patch: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') };
}

export const update = (...lines: string[]): { patch: string } => wrapped('*** Update File: f.txt', ...lines);

/** `f.txt` after the patch. */
export function result(before: string, input: object): string | undefined {
  return applied('apply_patch', input, { 'f.txt': before }).files['f.txt'];
}

export function refusal(before: string, input: object): ReturnType<typeof refusedEdit> {
  return refusedEdit('apply_patch', input, { 'f.txt': before });
}
