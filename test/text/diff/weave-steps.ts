/** Steps of a file's history, woven. */

import { Weave } from '../../../src/text/diff/weave.ts';

export const BASE = 'one\ntwo\nthree\nfour\nfive\n';

export type Step = {
  e1?: string | null;
  e2?: string | null;
  e3?: string | null;
  hand?: string | null;
  base?: string | null;
};

export function woven(base: string | null, ...steps: Step[]): Weave {
  const weave = new Weave(base);
  for (const step of steps) {
    const [[who, text]] = Object.entries(step) as [[string, string | null]];
    if (who === 'hand') weave.hand(text);
    else if (who === 'base') weave.base(text);
    else weave.edit(who, text);
  }
  return weave;
}

export const with_ = (...edits: string[]): Set<string> => new Set(edits);
export const ALL: Set<string> = with_('e1', 'e2', 'e3');

/** BASE with some of its lines replaced; `null` leaves one out. */
export function made(lines: Readonly<Record<string, string | null>>, text: string = BASE): string {
  return text.replace(/(.+)\n/g, (line, word) =>
    word in lines ? (lines[word] === null ? '' : `${lines[word]}\n`) : line,
  );
}
