/** The headings of a Markdown text: each is a symbol, which reaches to the next one of its level or a higher one. */

import { linesOf } from '../text/lines.ts';
import { type FileSymbol, trimmedEnd } from './symbol.ts';

interface Heading {
  level: number;
  name: string;
  start: number;
}

/** The headings of a text, in its order, each with the sections below it. */
export function headingsOf(text: string): FileSymbol[] {
  const headings = findHeadings(text);
  const above: Heading[] = [];
  return headings.map((heading, n) => {
    while (above.length > 0 && above.at(-1)!.level >= heading.level) above.pop();
    above.push(heading);
    const next = headings.slice(n + 1).find(({ level }) => level <= heading.level);
    const { start } = heading;
    const end = trimmedEnd(text, start, next?.start ?? text.length);
    return { path: above.map(({ name }) => name), kind: 'heading', start, end, docStart: start };
  });
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$/;

function findHeadings(text: string): Heading[] {
  const lines = linesOf(text);
  const found: Heading[] = [];
  let fence: string | null = null;
  let paragraph = false;
  for (let n = firstLine(text); n <= lines.count; n++) {
    const line = lines.content(n);
    const mark: string | undefined = FENCE.exec(line)?.[1];
    if (fence !== null) {
      if (mark?.startsWith(fence) && line.trim() === mark) fence = null;
      continue;
    }
    if (mark) fence = mark;
    const heading = HEADING.exec(line);
    const under: RegExpExecArray | false | null = paragraph && /^ {0,3}(=+|-+)[ \t]*$/.exec(line);
    if (heading) found.push({ level: heading[1]!.length, name: heading[2] ?? '', start: lines.start(n) });
    else if (under)
      found.push({
        level: under[1]!.startsWith('=') ? 1 : 2,
        name: lines.content(n - 1).trim(),
        start: lines.start(n - 1),
      });
    paragraph = !mark && !heading && !under && /^ {0,3}[^\s>|*+-]/.test(line);
  }
  return found;
}

/** The first line after what a page says of itself between lines of dashes. */
function firstLine(text: string): number {
  const [matter = ''] = /^---[ \t]*\r?\n[\s\S]*?\n(---|\.\.\.)[ \t]*(?=\r?\n|$)/.exec(text) ?? [];
  return matter.split('\n').length + (matter === '' ? 0 : 1);
}

/** A heading as an address names it: `Getting started!` is `getting-started`. */
export function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
}
