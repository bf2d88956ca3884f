/** Which of the engine's patch formats a text is in, by the first line that tells; the message of a mail may hold others. */

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
    if (/^<{5,9} SEARCH/.test(line)) return 'search_replace';
    if (line.startsWith('diff --git ') || namesSides(lines, i)) return 'unified_diff';
    const form = markedForm(line);
    if (form !== null) return lines.some((_, k) => k > i && beginsFile(lines, k)) ? 'unified_diff' : form;
  }
  return null;
}

function markedForm(line: string): PatchForm | null {
  if (/^\s*\*\*\* Begin Patch/.test(line)) return 'apply_patch';
  return /^@@( (?!-\d)|$)/.test(line) ? 'context_patch' : null;
}

/** Lines that no other format has; the two names alone may be lines that it removes and adds. */
function beginsFile(lines: readonly string[], at: number): boolean {
  if (lines[at]!.startsWith('diff --git ')) return true;
  return namesSides(lines, at) && /^@@ -\d/.test(lines[at + 2] ?? '');
}

function namesSides(lines: readonly string[], at: number): boolean {
  return lines[at]!.startsWith('--- ') && (lines[at + 1]?.startsWith('+++ ') ?? false);
}
