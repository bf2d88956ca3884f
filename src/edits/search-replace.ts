/** search_replace: SEARCH/REPLACE blocks of whole lines for one file. */

import * as z from 'zod';
import { EditError } from '../errors.ts';
import { type Edit, type Files, ownEdit } from './edit.ts';
import { filePath, text } from './fields.ts';
import { type Block, parseBlocks } from './patch/blocks.ts';
import type { Format, Operation, Patch } from './patch/patch.ts';
import { checkPatch, oncePerInput, planPatch } from './patch/plan-patch.ts';
import { namesFile } from './patch/same-name.ts';
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
