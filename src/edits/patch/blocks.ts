/** SEARCH/REPLACE blocks, as Aider has them (aider/coders/editblock_coder.py), for one file. */

import type { Hunk, HunkLine } from './patch.ts';
import { cutOff, foreignForm, type PatchLine, PatchReader, patchLines, patchSyntax } from './patch-text.ts';
import { fenceOf } from './unwrap.ts';

export interface Block extends Hunk {
  /** The line above the block, which is for the name of the file. */
  name: PatchLine | null;
}

const HEAD = /^(<{5,9}) SEARCH>?\s*$/;
const DIVIDER = /^={5,9}\s*$/;
const TAIL = /^(>{5,9}) REPLACE\s*$/;
const SHAPE = '"<<<<<<< SEARCH", the lines to replace, "=======", the new lines, ">>>>>>> REPLACE"';

/** Parses a text of at least one block. Throws PATCH_SYNTAX. */
export function parseBlocks(text: string): Block[] {
  const lines = patchLines(text);
  const foreign = foreignForm(lines, 'search_replace', SHAPE);
  if (foreign !== null) throw foreign;
  const reader = new PatchReader(lines);
  const blocks: Block[] = [];
  for (skipFences(reader); !reader.done; skipFences(reader)) blocks.push(readBlock(reader));
  if (blocks.length === 0) throw patchSyntax(null, 'holds no block', SHAPE);
  return blocks;
}

/** Skips blank lines and the fences around blocks. */
function skipFences(reader: PatchReader): void {
  while (!reader.done && (reader.peek()!.text.trim() === '' || fenceOf(reader.peek()!.text) !== null))
    reader.take();
}

function readBlock(reader: PatchReader): Block {
  const first = reader.take();
  const isHead = HEAD.test(first.text);
  if (!isHead) skipFences(reader);
  const head = isHead ? first : reader.done ? first : reader.take();
  if (!HEAD.test(head.text)) throw patchSyntax(first, 'belongs to no block', SHAPE);
  return { ...readBody(reader, head), name: isHead ? null : first };
}

function readBody(reader: PatchReader, head: PatchLine): Hunk {
  const size = bodySize(reader, markLength(HEAD, head)!);
  if (size === null) {
    throw cutOff(head, `The block that begins in line ${head.at} has no end`);
  }
  const body = Array.from({ length: size }, () => reader.take());
  reader.take();
  const divider = dividerIn(body, head);
  const lines = body.flatMap((line, i) => (i === divider ? [] : [blockLine(line, i < divider ? '-' : '+')]));
  return { at: head.at, anchors: [], lines, endOfFile: false, hint: null };
}

/** Counts the lines before the end: a marker as long as the head, or else the first one before any other head. */
function bodySize(reader: PatchReader, length: number): number | null {
  let other: number | null = null;
  let isNested = false;
  for (let ahead = 0; ; ahead++) {
    const line = reader.peek(ahead);
    const head = line && markLength(HEAD, line);
    const tail = line && markLength(TAIL, line);
    if (line === undefined || head === length) return other;
    if (tail === length) return ahead;
    isNested ||= head !== undefined;
    if (tail !== undefined && !isNested) other ??= ahead;
  }
}

function markLength(marker: RegExp, { text }: PatchLine): number | undefined {
  return marker.exec(text)?.[1]?.length;
}

function blockLine({ text, end, at }: PatchLine, mark: '-' | '+'): HunkLine {
  return { mark, text, end, at };
}

/** Finds the divider. Content may hold such lines too: then the only one that is as long as the head is meant. */
function dividerIn(body: readonly PatchLine[], head: PatchLine): number {
  const all = body.flatMap((line, i) => (DIVIDER.test(line.text) ? [i] : []));
  const length = markLength(HEAD, head);
  const same = all.filter(i => body[i]!.text.trimEnd().length === length);
  const candidates = same.length > 0 ? same : all;
  if (candidates.length === 1) return candidates[0]!;
  const problem =
    candidates.length === 0
      ? 'begins a block without "======="'
      : `begins a block with several dividers (lines ${candidates.map(i => body[i]!.at).join(', ')})`;
  throw patchSyntax(
    head,
    problem,
    `${SHAPE}; where the content holds such a line, all markers of the block longer or shorter (5 to 9 characters) than it`,
  );
}
