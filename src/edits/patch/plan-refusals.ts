/** Why an operation of a patch cannot be done to its file as a whole. */

import { EditError } from '../../errors.ts';
import { encodeText, type TextFile } from '../../text/document.ts';
import { linesOf } from '../../text/lines.ts';
import { counted, listed, quoted } from '../../text/words.ts';
import { ifTool, Look, pathName, toolName } from '../../wording.ts';
import type { FileMode } from '../edit.ts';

/** A file is where another is to be made. `text` is what it would have held. */
export function occupied(path: string, present: TextFile, text: () => string): EditError {
  const same = isSame(present, text);
  const message = same
    ? `${pathName(path)} exists already, with exactly this content. Nothing was changed.`
    : `${pathName(path)} exists already, and a patch does not overwrite files. Nothing was changed. Update it, delete it in the same patch before, or choose another path.`;
  return new EditError('FILE_EXISTS', message, { path, same_content: same });
}

function isSame({ bytes }: TextFile, text: () => string): boolean {
  try {
    const wanted = encodeText(text(), false);
    return wanted.length === bytes.length && wanted.every((byte, i) => byte === bytes[i]);
  } catch {
    return false;
  }
}

/** A file is to be deleted, and the patch does not show all of it. */
export function contentLeft(path: string, left: string): EditError {
  const lines = linesOf(left);
  const message = `The patch deletes ${pathName(path)}, but its content is not what the patch says it is: ${counted(lines.count, 'line')} would be left, the first of them ${quoted(lines.content(1))}. Nothing was changed. ${Look()} the file${ifTool('delete', `; to delete it as it is use ${toolName('delete')}`)}.`;
  return new EditError('PATCH_FAILED', message, { path, left: lines.count });
}

/** Throws PATCH_FAILED when the file has another mode than the patch says. A mode that is not known is no reason. */
export function checkMode(
  path: string,
  present: FileMode | undefined,
  mode: { from: FileMode | null; to: FileMode } | undefined,
): void {
  if (!mode || mode.from === null || present === undefined || present === mode.from) return;
  const done = present === mode.to ? ` It has the new mode ${mode.to} already.` : '';
  const message = `The patch changes the mode of ${pathName(path)} from ${mode.from}, but its mode is ${present}.${done} Nothing was changed.`;
  throw new EditError('PATCH_FAILED', message, { path, mode: present, expected: mode.from });
}

/** The two sides of a part name different files, and more than one of them is there. */
export function severalNamed(at: number, files: readonly string[]): EditError {
  const message = `The part of the patch that begins in line ${at} names ${listed(files.map(pathName))}, and each of them is a file. Nothing was changed. Write the path of the one that is meant on both sides.`;
  return new EditError('PATCH_SYNTAX', message, { patch_line: at, paths: files });
}

/** A rename is of the file before the patch, which an earlier part has changed. */
export function changedBefore(from: string, to: string): EditError {
  const message = `The patch renames ${pathName(from)} to ${pathName(to)} after an earlier part of it changed or removed ${pathName(from)}. Nothing was changed. Put the changes of its text into the part that renames it.`;
  return new EditError('PATCH_FAILED', message, { path: from, to });
}
