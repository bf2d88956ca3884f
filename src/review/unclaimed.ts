/** The text of a review that nobody claims, in one line: it is taken with one answer. Pure. */

import { counted, listed } from '../text/words.ts';
import type { TrailEntry } from '../trail/walk.ts';

export interface FoldedText {
  /** The number of files that the places are in. */
  files: number;
  /** The agents that were at work. */
  agents: string[];
  /** In one line, such as `3 places in 2 files, while codex ran`. */
  words: string;
}

/** `entries`: the changes from outside that the places hold. */
export function foldedText(
  places: ReadonlyArray<{ path: string }>,
  entries: Iterable<TrailEntry>,
): FoldedText {
  const during = [...entries].flatMap(({ meta }) => meta?.during ?? []);
  const agents = [...new Set(during.map(one => one.split(' ')[0]!))].sort();
  const files = new Set(places.map(({ path }) => path)).size;
  const when = agents.length > 0 ? `while ${listed(agents)} ran` : 'changed by nobody knows whom';
  return { files, agents, words: `${counted(places.length, 'place')} in ${counted(files, 'file')}, ${when}` };
}
