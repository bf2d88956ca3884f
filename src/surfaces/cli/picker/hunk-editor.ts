/** Lets a person edit a hunk in their editor, and makes what they wrote an edit of theirs in the file. */

import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Session } from '../../../workspace/session.ts';
import { editorCommand, runEditor } from '../terminal/message-editor.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { editedLines, hunkToEdit, type Replaced, replacementOf } from './hunk-edit.ts';
import type { PickedHunk } from './picker.ts';

/** The place of an edit by hand: `gitDir` takes the file that the editor opens. */
export interface EditingPlace {
  terminal: Terminal;
  session: Session;
  gitDir: string;
}

/** A replacement made in the file: the lines `start` to `end`, 0-based, and the first line of the hunk's context, 1-based. */
export interface EditedHunk {
  replaced: Replaced;
  line: number;
}

/**
 * Returns what was replaced in the file; `null` where nothing was, which the person is told. `known`: the lines that the
 * hunk has in a version of the file; else it has to stand there once. Throws what the edit throws, and STORE_FAILED where
 * the editor fails.
 */
export async function editHunk(
  place: EditingPlace,
  hunk: PickedHunk,
  known?: { version: string | null; line: number },
): Promise<EditedHunk | null> {
  const { session, terminal } = place;
  const { context, after, path } = hunk;
  const { text, version } = (await session.view({ path })).data as { text: string; version: string };
  const own = [...context.above, ...after.lines, ...context.below];
  const line = known?.version === version ? known.line : lineOf(text.split(/\r?\n/), own);
  if (line === null) {
    await terminal.tell(
      'Sorry, the file holds these lines elsewhere too, or not at all: edit the file itself',
    );
    return null;
  }
  const lines = await linesFromEditor(place, hunk);
  const replaced = lines && replacementOf(own, lines);
  if (!replaced) {
    await terminal.tell('Nothing was edited.');
    return null;
  }
  const [from, to] = [line + replaced.start, line + replaced.end - 1];
  const content = replaced.lines.map(one => `${one}\n`).join('');
  const edit = { from, ...(to >= from ? { to } : {}), ...(content === '' ? {} : { content }) };
  const { commit, subject } = (await session.edit('edit_lines', { path, edits: [edit], version })).data;
  await terminal.tell(`[${commit!.slice(0, 7)}] ${subject}`);
  return { replaced, line };
}

/** The line at which these lines stand, 1-based; `null` unless that is one place. */
function lineOf(lines: readonly string[], own: readonly string[]): number | null {
  const found = lines.flatMap((_, at) => (own.every((line, n) => lines[at + n] === line) ? at : []));
  return found.length === 1 && own.length > 0 ? found[0]! + 1 : null;
}

async function linesFromEditor(
  { terminal, gitDir }: EditingPlace,
  hunk: PickedHunk,
): Promise<string[] | null> {
  const editor = editorCommand(terminal);
  if (editor === null) {
    await terminal.tell('The terminal is dumb, and EDITOR is not set: nothing was edited.');
    return null;
  }
  const file = join(gitDir, 'vedit-hunk-edit.diff');
  await writeFile(file, hunkToEdit(hunk));
  try {
    for (;;) {
      await runEditor(editor, file);
      const edited = editedLines(hunk, await readFile(file, 'utf8'));
      if (edited === 'empty') return null;
      if (edited !== 'no fit') return edited.lines;
      const again = 'Your edited hunk does not apply. Edit again (saying "no" discards!) [y/n]? ';
      if ((await terminal.askKey(again)) !== 'y') return null;
    }
  } finally {
    await rm(file, { force: true });
  }
}
