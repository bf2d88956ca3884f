/** What of a unified diff was put up with, in sentences. */

import { counted, listed } from '../../../text/words.ts';
import type { PatchLine } from '../patch-text.ts';
import type { Leniency } from './hunk.ts';
import type { Section } from './section.ts';

export function unifiedNotes(
  lines: readonly PatchLine[],
  sections: readonly Section[],
  skipped: readonly PatchLine[],
): string[] {
  const hunks = (kind: keyof Leniency): number[] =>
    sections.flatMap(one => one.hunks.filter((_, i) => one.leniencies[i]![kind]).map(({ at }) => at));
  return [
    ...note(
      skipped.length > 0,
      `${counted(skipped.length, 'line')} of text around the patch ${skipped.length === 1 ? 'was' : 'were'} left out`,
    ),
    ...note(
      lines.some(({ end }) => end === '\r\n') && lines[0]!.end === '\r\n',
      'the lines of the patch end with CRLF',
    ),
    ...note(
      sections.some(({ header }) => header.bareNames),
      'the names in the patch have no a/ and b/ before them and were taken as written',
    ),
    ...hunkNote(hunks('recounted'), 'wrong counts in hunk headers were counted anew'),
    ...hunkNote(
      hunks('withoutNumbers'),
      'hunk headers without numbers: the place was found by the text alone',
    ),
    ...hunkNote(hunks('bareBlanks'), 'empty lines without a space before them were taken for context'),
  ];
}

function note(holds: boolean, words: string): string[] {
  return holds ? [words] : [];
}

const SHOWN = 10;

function hunkNote(at: readonly number[], words: string): string[] {
  if (at.length === 0) return [];
  const more = at.length > SHOWN ? [`${at.length - SHOWN} more`] : [];
  const where = listed([...at.slice(0, SHOWN), ...more]);
  return [`${words} (${at.length === 1 ? 'hunk' : 'hunks'} in line ${where} of the patch)`];
}
