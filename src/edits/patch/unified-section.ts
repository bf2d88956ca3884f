/** One file's part of a unified diff: its headers and its hunks. */

import type { Hunk } from './patch.ts';
import type { PatchReader } from './patch-text.ts';
import type { FileHeader } from './unified-header.ts';
import { type Leniency, readUnifiedHunk } from './unified-hunk.ts';

export interface Section {
  header: FileHeader;
  hunks: Hunk[];
  /** One a hunk. */
  leniencies: Leniency[];
}

/** Reads the hunks that follow the header. Throws PATCH_SYNTAX. */
export function readSection(reader: PatchReader, header: FileHeader): Section {
  const section: Section = { header, hunks: [], leniencies: [] };
  for (
    let blank = blankLines(reader);
    reader.peek(blank)?.text.startsWith('@@');
    blank = blankLines(reader)
  ) {
    reader.skip(blank);
    const { hunk, leniency } = readUnifiedHunk(reader);
    section.hunks.push(hunk);
    section.leniencies.push(leniency);
  }
  return section;
}

function blankLines(reader: PatchReader): number {
  let blank = 0;
  while (reader.peek(blank)?.text.trim() === '') blank++;
  return blank;
}
