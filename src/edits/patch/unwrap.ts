/** Takes off what is wrapped around a patch: a Markdown code fence, a heredoc. */

import type { PatchLine } from './patch-text.ts';

export interface Unwrapped {
  lines: PatchLine[];
  notes: string[];
}

/** Takes off at most one fence and one heredoc, in any order, and the blank lines around them. */
export function unwrapped(lines: PatchLine[]): Unwrapped {
  const bare: Unwrapped = { lines: trimmed(lines), notes: [] };
  const found = withoutFence(withoutHeredoc(withoutFence(bare)));
  return found.notes.length === 0 ? { lines, notes: [] } : found;
}

/** Takes off the blank lines at the beginning and the end. */
export function trimmed(lines: readonly PatchLine[]): PatchLine[] {
  const isFilled = ({ text }: PatchLine): boolean => text.trim() !== '';
  const first = lines.findIndex(isFilled);
  return first < 0 ? [] : lines.slice(first, lines.findLastIndex(isFilled) + 1);
}

/** The opening line of a code fence: its backticks or tildes. */
export function fenceOf(line: string): string | null {
  return /^ {0,3}(`{3,}|~{3,})[^`]*$/.exec(line)?.[1] ?? null;
}

function withoutFence(wrapped: Unwrapped): Unwrapped {
  const fence = fenceOf(wrapped.lines[0]?.text ?? '');
  if (fence === null) return wrapped;
  const closed = wrapped.lines.length > 1 && wrapped.lines.at(-1)!.text.trim() === fence;
  return {
    lines: trimmed(wrapped.lines.slice(1, closed ? -1 : undefined)),
    notes: [...wrapped.notes, 'the code fence around the patch was left out'],
  };
}

/** The first line of a shell's here document, `<<'EOF'` or `apply_patch <<'EOF'`: any word, quoted or not. */
const HEREDOC = /^(?:\$ )?(?:apply_?patch )?\s*<<-?\s*(['"]?)(\w+)\1\s*$/;

function withoutHeredoc(wrapped: Unwrapped): Unwrapped {
  const word = HEREDOC.exec(wrapped.lines[0]?.text ?? '')?.[2];
  if (word === undefined || wrapped.lines.at(-1)!.text.trim() !== word) return wrapped;
  return {
    lines: trimmed(wrapped.lines.slice(1, -1)),
    notes: [...wrapped.notes, 'the heredoc lines around the patch were left out'],
  };
}
