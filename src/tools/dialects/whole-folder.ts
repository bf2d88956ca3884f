/** An edit of every file below a folder, as one commit. */

import { EditError } from '../../errors.ts';
import type { EditStep } from '../../workspace/change/edit-calls.ts';
import type { Session } from '../../workspace/session.ts';
import type { ToolResult } from '../index.ts';
import { type CallOptions, type Fields, runAs } from './call.ts';
import { filesBelow, isWithin, lookAt } from './files.ts';

/**
 * Runs `edit` of each file, with the fields that every edit has in `common`. Throws NO_CHANGE for a folder without
 * files, and SPECIAL_FILE for one with a link to a file elsewhere: an edit follows links, and only the folder was named.
 */
export async function editFolder(
  session: Session,
  folder: string,
  edit: (file: string) => EditStep,
  common: Fields = {},
  options: CallOptions = {},
): Promise<ToolResult> {
  const edits = (await filesBelow(session, folder)).map(edit);
  if (edits.length === 0)
    throw new EditError('NO_CHANGE', `There is no file in ${folder}.`, { path: folder });
  const { path } = await lookAt(session, folder);
  const { data } = await session.change(edits, { dryRun: true });
  const elsewhere = data.paths.map(done => done.from ?? done.path).find(file => !isWithin(file, path));
  if (elsewhere !== undefined) throw linkOut(folder, elsewhere);
  return runAs(session, 'change', { ...common, edits }, options);
}

function linkOut(folder: string, path: string): EditError {
  const message = `${folder} holds a link to ${path}, which is not in ${folder}. Nothing was done. Name the files one by one.`;
  return new EditError('SPECIAL_FILE', message, { path: folder, target: path });
}
