/** One file's part of a unified diff: its headers and its hunks. */

import type { Hunk } from '../patch.ts';
import { type PatchReader, patchSyntax } from '../patch-text.ts';
import type { FileHeader } from './header.ts';
import { type Leniency, readUnifiedHunk } from './hunk.ts';
import { refuseBinary } from './prose.ts';

export interface Section {
  header: FileHeader;
  hunks: Hunk[];
  /** One a hunk. */
  leniencies: Leniency[];
}

/** Reads the hunks that follow the header. Throws PATCH_SYNTAX. */
export function readSection(reader: PatchReader, header: FileHeader): Section {
  const section: Section = { header, hunks: [], leniencies: [] };
  refuseBinary(reader.peek());
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
  if (section.hunks.length === 0 && header.changesText) {
    throw patchSyntax(
      header.line,
      'begins a part without its hunks: the patch may have been cut off',
      '"@@" and the lines to change behind the names of the file',
    );
  }
  return section;
}

function blankLines(reader: PatchReader): number {
  let blank = 0;
  while (reader.peek(blank)?.text.trim() === '') blank++;
  return blank;
}
