/** The lines that `@@` lines name: each unique in the file, or after the one above it. */

import type { Anchor } from '../patch.ts';
import type { PatchedFile, PatchedHunk, Placement } from './patched-file.ts';
import { ambiguousAnchor, anchorRemoved, missingAnchor } from './refusals.ts';

/**
 * The line of the hunk's last anchor, 0 where it has none. Throws PATCH_FAILED for an anchor that is not there, or that
 * an earlier hunk removes, and AMBIGUOUS.
 */
export function anchorLine(at: PatchedHunk, placed: readonly Placement[]): number {
  let line = 0;
  for (const anchor of at.hunk.anchors) line = lineOf(at, anchor, line);
  const remover = line === 0 ? undefined : placed.find(one => removes(one, line));
  if (remover) throw anchorRemoved(at, line, remover);
  return line;
}

function lineOf(at: PatchedHunk, anchor: Anchor, above: number): number {
  const { file } = at;
  for (const pass of file.anchorPasses) {
    const found = pass.index().find([anchor.text], above + 1);
    if (found.length === 1) return found[0]!;
    if (found.length === 0) continue;
    const inside = above === 0 ? [] : insideBlock(file, above, found);
    if (inside.length === 1) return inside[0]!;
    throw ambiguousAnchor(at, anchor, found);
  }
  throw missingAnchor(at, anchor, above);
}

/** Those of the lines that are in the block of line `above`: before the next line that is indented no more than it. */
function insideBlock({ source }: PatchedFile, above: number, found: readonly number[]): number[] {
  const indent = indentOf(source.content(above));
  let end = above + 1;
  while (end <= source.size && !(isFilled(source.content(end)) && indentOf(source.content(end)) <= indent))
    end++;
  return found.filter(line => line < end);
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function isFilled(line: string): boolean {
  return line.trim() !== '';
}

function removes({ hunk, start, end }: Placement, line: number): boolean {
  if (line < start || line >= end) return false;
  return hunk.lines.filter(({ mark }) => mark !== '+')[line - start]?.mark === '-';
}
