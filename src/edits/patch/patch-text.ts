/**
 * The lines of a patch, numbered as its writer sees them, the refusal that names one of them, the names of files in it, and what
 * is wrapped around it: a Markdown code fence, a heredoc.
 */

import { EditError } from '../../errors.ts';
import { quoted } from '../../text/words.ts';
import { ifTool } from '../../wording.ts';
import type { HunkLine } from './patch.ts';

export interface PatchLine {
  /** Without its line end. */
  text: string;
  end: '\n' | '\r\n';
  /** 1-based. */
  at: number;
}

/** Lines end with LF or CRLF; a byte order mark before the first is no part of the patch. */
export function patchLines(text: string): PatchLine[] {
  const lines = text.replace(/^\uFEFF/, '').split('\n');
  if (lines.at(-1) === '') lines.pop();
  if (lines.length === 1 && ESCAPED.test(text)) throw escapedTwice(text);
  return lines.map((line, i) => {
    const end = line.endsWith('\r') ? '\r\n' : '\n';
    return { text: end === '\r\n' ? line.slice(0, -1) : line, end, at: i + 1 };
  });
}

/** A whole patch in one line, with a backslash and n where its lines end. */
const ESCAPED = /^["'\s]*(\*\*\* |diff --|--- |Index: |@@|<{5,9} SEARCH).*\\n/;

function escapedTwice(text: string): EditError {
  return patchSyntax(
    { text, end: '\n', at: 1 },
    'is the whole patch, with a backslash and n in place of line ends: it was escaped once too often',
    'line ends (in JSON \\n, with one backslash)',
  );
}

/** Reads a line of a hunk by its mark; an empty one stands for an empty context line. `null` for one without a mark. */
export function markedLine({ text, end, at }: PatchLine): HunkLine | null {
  if (text === '') return { mark: ' ', text: '', end, bare: true, at };
  const mark = text[0];
  return mark === ' ' || mark === '-' || mark === '+' ? { mark, text: text.slice(1), end, at } : null;
}

export class PatchReader {
  readonly #lines: readonly PatchLine[];
  #next = 0;

  constructor(lines: readonly PatchLine[]) {
    this.#lines = lines;
  }

  get done(): boolean {
    return this.#next >= this.#lines.length;
  }

  /** The line `ahead` of the next one, or `undefined` behind the last. */
  peek(ahead = 0): PatchLine | undefined {
    return this.#lines[this.#next + ahead];
  }

  take(): PatchLine {
    const line = this.#lines[this.#next];
    if (line === undefined) throw new RangeError('no line is left');
    this.#next++;
    return line;
  }

  skip(count: number): void {
    this.#next += count;
  }

  skipBlank(): void {
    while (this.peek()?.text.trim() === '') this.#next++;
  }
}

/** The edits that take a form of patch: who knows which of them the caller has names it in a refusal. */
export type Form = 'unified_diff' | 'apply_patch' | 'search_replace';

/** Names each form of a patch for refusals, as the end of "the text is ..." or "the text begins ...". */
export const FORM_WORDS: Readonly<Record<Form, string>> = {
  unified_diff: 'a unified diff',
  apply_patch: 'a patch of the form "*** Begin Patch"',
  search_replace: 'a SEARCH/REPLACE block',
};

/** The form that a line belongs to, by it and the one after it; `null` where it may be of any, or of none. */
export function formOf(text: string, next = ''): Form | null {
  if (/^\s*\*\*\* (Begin Patch|(Add|Update|Delete) File:)/.test(text)) return 'apply_patch';
  if (/^<{5,9} SEARCH/.test(text)) return 'search_replace';
  const isUnified = /^diff --git /.test(text) || (/^--- ./.test(text) && /^\+\+\+ ./.test(next));
  return isUnified ? 'unified_diff' : null;
}

/** PATCH_SYNTAX for a patch that begins another form than `own`; `null` where it does not. */
export function foreignForm(
  lines: readonly PatchLine[],
  own: Form | null,
  expected: string,
): EditError | null {
  for (const [i, line] of lines.entries()) {
    const form = formOf(line.text, lines[i + 1]?.text);
    if (form === own && form !== null) return null;
    if (form !== null)
      return patchSyntax(line, `begins ${FORM_WORDS[form]}, which this is not for`, expected, form);
  }
  return null;
}

/**
 * PATCH_SYNTAX for a line, or for the patch as a whole. `problem` and `expected` are clauses without a stop; `form` is
 * the edit that the patch is for.
 */
export function patchSyntax(
  line: PatchLine | null,
  problem: string,
  expected: string,
  form?: Form,
): EditError {
  const where = line === null ? 'The patch' : `Line ${line.at} of the patch, ${quoted(line.text)},`;
  const other = form === undefined ? '' : ifTool(form, tool => ` For this one use ${tool}.`);
  const message = `${where} ${problem}. Expected ${expected}.${other} Nothing was changed.`;
  return new EditError('PATCH_SYNTAX', message, {
    patch_line: line?.at ?? null,
    text: line?.text.slice(0, 400) ?? null,
    expected,
    ...(form === undefined ? {} : { form }),
  });
}

/** PATCH_SYNTAX for a patch that stops before its end: to close it would apply a part of what was meant. */
export function cutOff(line: PatchLine, words: string): EditError {
  const advice = 'Send all of it again, in smaller patches if it is long.';
  return new EditError('PATCH_SYNTAX', `${words}: it was probably cut off. Nothing was changed. ${advice}`, {
    patch_line: line.at,
    text: line.text.slice(0, 400),
    expected: 'the whole patch',
  });
}

/**
 * True where the two are the same but for `./`, doubled slashes or quotes around the name; where `written` is the end of
 * the path, whole components of it (`app.py` for `src/app.py`); and where it is absolute and ends with the path, as for a
 * caller that sees the workspace under a mount (`/repo/src/app.py`).
 */
export function namesFile(written: string, path: string): boolean {
  const [name, meant] = [plain(written), plain(path)];
  if (name === meant) return true;
  return (
    meant.endsWith(`/${name.replace(/^\/+/, '')}`) || (name.startsWith('/') && name.endsWith(`/${meant}`))
  );
}

/** Makes doubled slashes one, as they are to git and to every file system. */
export function slashed(name: string): string {
  return name.replace(/\/{2,}/g, '/');
}

function plain(path: string): string {
  return slashed(path.trim())
    .replace(/^(\.\/)+/, '')
    .replaceAll('/./', '/');
}

interface Unwrapped {
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
