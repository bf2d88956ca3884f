/** Which of the engine's patch formats a text is in, by the first line that only one of them begins with. */

/** The edits that apply a patch. */
export const PATCH_FORMS = ['apply_patch', 'unified_diff', 'context_patch', 'search_replace'] as const;

export type PatchForm = (typeof PATCH_FORMS)[number];

/** Forms whose patches do not hold the path of their file. */
export function needsPath(form: PatchForm): boolean {
  return form === 'context_patch' || form === 'search_replace';
}

/** `null` when no line tells. */
export function patchForm(text: string): PatchForm | null {
  const lines = text.split(/\r?\n/);
  for (const [i, line] of lines.entries()) {
    if (/^\s*\*\*\* Begin Patch/.test(line)) return 'apply_patch';
    if (/^<{5,9} SEARCH/.test(line)) return 'search_replace';
    if (line.startsWith('diff --git ') || (line.startsWith('--- ') && lines[i + 1]?.startsWith('+++ ')))
      return 'unified_diff';
    if (/^@@( (?!-\d)|$)/.test(line)) return 'context_patch';
  }
  return null;
}
