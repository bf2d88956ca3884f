/** The colours of code: what each part of a line is, by the language that the file's name tells. */

import { parse } from 'sugar-high/core';
import { lang, languages } from 'sugar-high/lang';
import type { Row } from '../contract.ts';

/** A part of a line, and the CSS class of what it is; '' for what has no colour. */
export interface Token {
  text: string;
  kind: string;
}

/** Characters of a block, and of a line, beyond which none is coloured: nothing makes the page wait. */
const MOST = { block: 60_000, line: 1_000 };

const KINDS: Readonly<Record<string, string>> = {
  keyword: 'syn-keyword',
  string: 'syn-string',
  comment: 'syn-comment',
  class: 'syn-class',
  entity: 'syn-entity',
  property: 'syn-property',
};

/** Returns the parts of each row, old and new text apart. A row that is not named there has no colours. */
export function tokensOf(path: string, rows: readonly Row[]): Map<Row, Token[]> {
  const tokens = new Map<Row, Token[]>();
  const id = lang(path.slice(path.lastIndexOf('/') + 1).replace(/^.*\./, ''));
  const language = languages.find(one => one.id === id);
  const length = rows.reduce((all, { text }) => all + text.length, 0);
  if (!language || id === 'plaintext' || length > MOST.block) return tokens;
  for (const side of ['-', '+']) {
    const own = rows.filter(row => row.sign === side || (row.sign === ' ' && side === '+'));
    if (own.some(({ text }) => text.length > MOST.line)) continue;
    const { lines } = parse(own.map(({ text }) => text.replace(/\n$/, '')).join('\n'), language.config);
    for (const [at, row] of own.entries()) {
      const parts =
        lines[at]?.tokens.map(({ type, value }) => ({ text: value, kind: KINDS[type] ?? '' })) ?? [];
      // Nothing is ever shown but the text itself.
      if (parts.map(({ text }) => text).join('') === row.text.replace(/\n$/, '')) tokens.set(row, parts);
    }
  }
  return tokens;
}
