/** search_replace: SEARCH/REPLACE blocks of whole lines for one file, as Aider has them (aider/coders/editblock_coder.py). */

import * as z from 'zod';
import { EditError } from '../errors.ts';
import { type Edit, type Files, ownEdit } from './edit.ts';
import { filePath, text } from './fields.ts';
import type { Format, Hunk, Operation, Patch } from './patch/patch.ts';
import {
  cutOff,
  fenceOf,
  foreignForm,
  namesFile,
  type PatchLine,
  PatchReader,
  patchLines,
  patchSyntax,
} from './patch/patch-text.ts';
import { checkPatch, oncePerInput, planPatch } from './patch/plan-patch.ts';
import { crlfNote } from './patch/v4a/envelope.ts';

export interface SearchReplaceInput {
  path: string;
  blocks: string;
}

const input = () =>
  z.strictObject({
    path: filePath(),
    blocks: text(
      'One or more blocks: <<<<<<< SEARCH, the lines to replace, =======, the new lines, >>>>>>> REPLACE.',
    ),
  });

const format: Format = { word: 'block' };

export const searchReplace: Edit<SearchReplaceInput, 'search_replace'> = ownEdit({
  name: 'search_replace',
  description:
    'Replace whole lines by SEARCH/REPLACE blocks, in any order. Prefer it for several blocks of one file. The SEARCH lines of each block must be exactly in the file, ' +
    'once. No lines after ======= delete them; a block without SEARCH lines makes a new file.',
  input,
  aliases: { path: ['file_path', 'file', 'filename'], blocks: ['diff', 'patch', 'content'] },
  example: {
    path: 'src/app.ts',
    blocks: '<<<<<<< SEARCH\n  listen(80);\n=======\n  listen(8080);\n>>>>>>> REPLACE\n',
  },
  addressesLines: false,
  check: given => checkPatch(updating(given), format),
  paths: ({ path }) => [path],
  plan: (given, files, modes) => planPatch(patchFor(given, files), format, files, modes),
});

function updating(given: SearchReplaceInput): Patch {
  return { operations: [{ kind: 'update', at: 1, path: given.path, hunks: blocksOf(given) }], notes: [] };
}

function patchFor(given: SearchReplaceInput, files: Files): Patch {
  const { path } = given;
  const blocks = blocksOf(given);
  const [first] = blocks;
  const creates = blocks.length === 1 && first!.lines.every(({ mark }) => mark === '+') && !files.get(path);
  if (!creates) return updating(given);
  const content = first!.lines.map(line => line.text + line.end).join('');
  const operations: Operation[] = [{ kind: 'create', at: 1, path, text: content }];
  return { operations, notes: crlfNote(operations) };
}

const blocksOf: (given: SearchReplaceInput) => Block[] = oncePerInput(({ path, blocks: text }) => {
  const blocks = parseBlocks(text);
  for (const [i, block] of blocks.entries()) checkName(path, block, i + 1);
  return blocks;
});

/** Throws INVALID_INPUT where the name above a block, without the marks of Markdown, is another file than `path`. */
function checkName(path: string, { name }: Block, number: number): void {
  if (name === null) return;
  const written = name.text.trim();
  const bare = written.replace(/^[#*`\s]+|[*`:\s]+$/g, '');
  if ([written, bare].some(one => namesFile(one, path))) return;
  const message = `Line ${name.at}, above block ${number}, is ${JSON.stringify(written.slice(0, 200))}, but path is ${JSON.stringify(path)}. Nothing was changed. Above a block only the name of its file may stand, and all blocks are for one file.`;
  throw new EditError('INVALID_INPUT', message, { path, named: bare, block: number, patch_line: name.at });
}

interface Block extends Hunk {
  /** The line above the block, which is for the name of the file. */
  name: PatchLine | null;
}

const HEAD = /^(<{5,9}) SEARCH>?\s*$/;
const DIVIDER = /^={5,9}\s*$/;
const TAIL = /^(>{5,9}) REPLACE\s*$/;
const SHAPE = '"<<<<<<< SEARCH", the lines to replace, "=======", the new lines, ">>>>>>> REPLACE"';

/** Parses a text of at least one block. Throws PATCH_SYNTAX. */
function parseBlocks(text: string): Block[] {
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
  const lines = body.flatMap((line, i) =>
    i === divider ? [] : [{ ...line, mark: i < divider ? '-' : '+' } as const],
  );
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
