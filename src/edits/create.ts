/** create: a new file, or a whole file written anew if asked. */

import * as z from 'zod';
import { sameBytes } from '../bytes.ts';
import { EditError } from '../errors.ts';
import { encodeOver, readableText, type TextFile } from '../text/document.ts';
import { UTF8 } from '../text/encodings.ts';
import { listed } from '../text/words.ts';
import { ifOption, ifTool, Look, pathName } from '../wording.ts';
import { type Edit, noChange, ownEdit } from './edit.ts';
import { filePath, flag, text } from './fields.ts';

export interface CreateInput {
  path: string;
  file_text: string;
  overwrite?: boolean | null | undefined;
  exact?: boolean | null | undefined;
}

const input = () =>
  z.strictObject({
    path: filePath('File to create, relative to the workspace; missing folders are made.'),
    file_text: text('The whole content.'),
    overwrite: flag('true: replace the file if there is one. Otherwise an existing file is refused.'),
    exact: flag('true: write it as given, without the byte order mark or CRLF of the file that is there.'),
  });

export const create: Edit<CreateInput, 'create'> = ownEdit({
  name: 'create',
  description:
    'Create a file with the given content. Prefer it for new files, an edit for others. An existing file is refused unless overwrite is true.',
  input,
  aliases: {
    path: ['file_path', 'file', 'filename'],
    file_text: ['content', 'contents', 'text', 'file_content'],
  },
  example: { path: 'docs/notes.md', file_text: '# Notes\n' },
  addressesLines: false,
  paths: ({ path }) => [path],
  plan({ path, file_text, overwrite, exact }, files) {
    const file = files.get(path) ?? null;
    const { text, notes } = exact || !file ? { text: file_text, notes: [] } : writtenOver(file, file_text);
    const same = file !== null && sameBytes(file.bytes, encodeOver(file, text));
    if (file !== null && !overwrite) throw exists(path, same);
    if (same) throw noChange(path, 'it has exactly this content already.');
    return [{ kind: 'create', path, text, ...(notes.length > 0 && { notes }), ...(exact && { exact }) }];
  },
});

/** The whole text of a file that is there, with what nobody sees of the old one: its byte order mark, its CRLF. */
function writtenOver(file: TextFile, given: string): { text: string; notes: string[] } {
  const known = readableText(file.path, file)?.text ?? '';
  const isCrlf = known.includes('\n') && !/(?<!\r)\n|\r(?!\n)/.test(known);
  const keepsEnds = isCrlf && given.includes('\n') && !given.includes('\r');
  const keepsMark = file.bom && file.encoding === UTF8 && !given.startsWith(MARK);
  const kept = [...(keepsMark ? ['byte order mark'] : []), ...(keepsEnds ? ['CRLF line ends'] : [])];
  const ends = keepsEnds ? given.replaceAll('\n', '\r\n') : given;
  const words = `${pathName(file.path)} kept its ${listed(kept)}${ifOption('exact', true, option => `; ${option} writes as given`)}`;
  return { text: keepsMark ? MARK + ends : ends, notes: kept.length > 0 ? [words] : [] };
}

const MARK = '\uFEFF';

function exists(path: string, same: boolean): EditError {
  const message = same
    ? `${pathName(path)} exists already, with exactly this content: nothing is left to do.`
    : `${pathName(path)} exists already. ${Look()} it and change it${ifTool('str_replace', tool => ` with ${tool}`)}${ifOption('overwrite', true, option => `, or send ${option} to replace all of it`)}.`;
  return new EditError('FILE_EXISTS', message, { path, same_content: same, can_overwrite: !same });
}
