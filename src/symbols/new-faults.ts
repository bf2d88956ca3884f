/** Finds the parse errors that an edit brings: those that the text did not have before. */

import { lineDiff } from '../text/diff/line-diff.ts';
import { lineBreakOf, linesOf } from '../text/lines.ts';
import { quoted } from '../text/words.ts';
import { canRead, faultsIn } from './readers.ts';

interface Fault {
  /** 1-based. */
  line: number;
  /** Without the line's number, which an edit above it changes. */
  words: string;
}

/**
 * Words the new faults of a text: `line 3: not expected here: "foo(1"`. Of one that is too large, or of a template, none are
 * known. `before`: `null` where there was no file.
 */
export async function newFaults(path: string, before: string | null, after: string): Promise<string[]> {
  const isTemplate = /\.ya?ml$/i.test(path) && /\{\{|\{%|<%/.test(after);
  if (before === after || isTemplate || !(await canRead(path))) return [];
  const now = faultsOf(path, after);
  const old = before === null || now.length === 0 ? [] : faultsOf(path, before);
  const left = old.map(({ words }) => words);
  const fresh = now.filter(
    ({ words }) => !left.includes(words) || left.splice(left.indexOf(words), 1).length === 0,
  );
  // What cannot be parsed anyway may be found in other words, and elsewhere.
  const changes = old.length > 0 ? lineDiff(before!, after, lineBreakOf(after)) : [];
  const isNew = ({ line }: Fault): boolean => changes.some(one => line > one.newStart && line <= one.newEnd);
  const more = old.length === 0 ? now.length : now.length - old.length;
  return (more > 0 ? fresh.slice(0, more) : fresh.filter(isNew)).map(
    ({ line, words }) => `line ${line}: ${words}`,
  );
}

function faultsOf(path: string, text: string): Fault[] {
  const lines = linesOf(text);
  try {
    return faultsIn(path, text).map(({ offset, words }) => {
      const line = Math.max(1, lines.lineAt(offset));
      const shown = lines.count === 0 ? '' : lines.content(line).trim();
      return { line, words: `${words}: ${quoted(shown, 80)}` };
    });
  } catch {
    return [];
  }
}
