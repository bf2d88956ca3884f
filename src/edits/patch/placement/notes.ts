/** What was put up with when hunks were placed, in sentences. */

import { linesOf } from '../../../text/lines.ts';
import { listed } from '../../../text/words.ts';
import { type Format, oldLines } from '../patch.ts';
import type { Placement } from './patched-file.ts';

export function placementNotes(
  path: string,
  text: string,
  placements: readonly Placement[],
  { word, lineEnds }: Format,
): string[] {
  const note = (which: readonly Placement[], words: (name: string) => string): string[] => {
    return which.length === 0 ? [] : [words(`${numbersOf(word, which)} of ${path}`)];
  };
  const moved = placements.filter(({ hunk, start }) => hunk.hint !== null && hunk.hint !== start);
  return [
    ...note(
      placements.filter(({ tolerated }) => tolerated === 'blanks'),
      name => `${name}: blanks at line ends differ; the lines of the file were kept as they are`,
    ),
    ...note(
      placements.filter(({ tolerated }) => tolerated === 'marks'),
      name => `${name}: context lines without the space before them were taken as they are written`,
    ),
    ...note(
      placements.filter(({ separated }) => separated),
      name => `${name}: empty lines at the end were taken for separators, not for context`,
    ),
    ...note(
      placements.filter(({ hunk }) => hunk.numbered),
      name => `${name}: the line numbers behind "@@" were not used, because this format has none`,
    ),
    ...note(moved, name => `${name}: not at the line that the header says${movedWords(moved)}`),
    ...note(
      lineEnds ? withOtherEnds(text, placements) : [],
      name => `${name}: the line ends of the patch are not those of the file, which were kept`,
    ),
  ];
}

const SHOWN = 10;

function numbersOf(word: string, which: readonly Placement[]): string {
  const more = which.length > SHOWN ? [`${which.length - SHOWN} more`] : [];
  const numbers = which.slice(0, SHOWN).map(({ number }) => number);
  return `${word}${which.length === 1 ? '' : 's'} ${listed([...numbers, ...more])}`;
}

function movedWords([first, ...rest]: readonly Placement[]): string {
  if (first === undefined) return '';
  return `, ${rest.length > 0 ? 'the first ' : ''}at line ${first.start} instead of ${first.hunk.hint}`;
}

function withOtherEnds(text: string, placements: readonly Placement[]): Placement[] {
  const lines = linesOf(text);
  return placements.filter(({ hunk, start }) => {
    return oldLines(hunk).some(({ end }, i) => end !== lines.ending(start + i));
  });
}
