/** Finds the parse errors that an edit brings: those that the text did not have before. */

import { lineDiff } from '../text/diff/line-diff.ts';
import { lineBreakOf, linesOf } from '../text/lines.ts';
import { quoted } from '../text/words.ts';
import { canRead, faultsIn } from './readers.ts';

/** A place of a text that cannot be parsed. */
export interface NewFault {
  /** 1-based. */
  line: number;
  /** `line 3: ")" is missing: "foo(1"`, quoted as in messages. */
  words: string;
}

/** Lists the new faults of a text; of one that is too large, or of a template, none are known. `before`: `null` where there was no file. */
export async function newFaults(path: string, before: string | null, after: string): Promise<NewFault[]> {
  if (before === after || isTemplate(path, after) || !(await canRead(path))) return [];
  const now = known(path, after);
  if (now.length === 0) return [];
  const old = before === null ? [] : known(path, before);
  if (old.length === 0) return now;
  const left = old.map(({ words }) => keyOf(words));
  const fresh = now.filter(({ words }) => {
    const at = left.indexOf(keyOf(words));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  // What cannot be parsed anyway may be found in other words, and elsewhere.
  if (now.length > old.length) return fresh.slice(0, now.length - old.length);
  const { changes } = lineDiff(before!, after, lineBreakOf(after));
  return fresh.filter(({ line }) =>
    changes.some(({ newStart, newEnd }) => line > newStart && line <= newEnd),
  );
}

/** Without the number of the line. */
function keyOf(words: string): string {
  return words.slice(words.indexOf(':'));
}

function known(path: string, text: string): NewFault[] {
  try {
    const lines = linesOf(text);
    return faultsIn(path, text).map(({ offset, words }) => {
      const line = Math.max(1, lines.lineAt(Math.min(offset, text.length)));
      const shown = lines.count === 0 ? '' : lines.content(line).trim();
      return { line, words: `line ${line}: ${words}: ${quoted(shown, 80)}` };
    });
  } catch {
    return [];
  }
}

/** YAML with marks of a template: what becomes of it is not known. */
function isTemplate(path: string, text: string): boolean {
  return /\.ya?ml$/i.test(path) && /\{\{|\{%|<%/.test(text);
}
