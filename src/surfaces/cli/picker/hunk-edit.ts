/**
 * Lets a person edit a hunk in their editor, in the form of `git add -p`, and makes what they wrote an edit of theirs in the
 * file.
 */

import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isEditError } from '../../../errors.ts';
import type { Session } from '../../../workspace/session.ts';
import { editorCommand, runEditor } from '../terminal/message-editor.ts';
import { styled } from '../terminal/style.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { hunkText } from '../views/shown-diff.ts';
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

/** Prints why an answer could not be carried out. Throws an error that is no refusal. */
export async function tellRefused(terminal: Terminal, error: unknown): Promise<void> {
  if (!isEditError(error)) throw error;
  await terminal.tell(styled('red', error.code), `: ${error.message}`);
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

const GUIDE = `# ---
# To remove '-' lines, make them ' ' lines (context).
# To remove '+' lines, delete them.
# Lines starting with # will be removed.
# The file then holds the ' ' and '+' lines. If there is nothing left, the hunk stays as it is.
`;

export function hunkToEdit(hunk: PickedHunk): string {
  return `# Manual hunk edit mode -- see bottom for a quick guide.\n# ${hunk.path}\n${hunkText(hunk)}${GUIDE}`;
}

/** The lines that the place shall hold, context too; `empty`: nothing was left; `no fit`: the old lines are others. */
export type EditedLines = { lines: string[] } | 'empty' | 'no fit';

/** Reads what the editor left. An empty line counts as context, since editors strip blanks. */
export function editedLines({ before, context }: PickedHunk, text: string): EditedLines {
  const rows = text
    .split(/\r?\n/)
    .slice(0, text.endsWith('\n') ? -1 : undefined)
    .filter(row => !/^(#|@@|\\)/.test(row));
  if (rows.every(row => row.trim() === '')) return 'empty';
  if (rows.some(row => row !== '' && !' +-'.includes(row[0]!))) return 'no fit';
  const sideOf = (mark: string): string[] =>
    rows.filter(row => row === '' || row[0] === ' ' || row[0] === mark).map(row => row.slice(1));
  const old = [...context.above, ...before.lines, ...context.below];
  const isSame = sideOf('-').length === old.length && sideOf('-').every((line, at) => line === old[at]);
  return isSame ? { lines: sideOf('+') } : 'no fit';
}

/** The lines of a place that differ between two texts of it, 0-based: `start` to `end` become `lines`. */
export interface Replaced {
  start: number;
  end: number;
  lines: string[];
}

/** Returns the smallest replacement that makes the new lines of the old ones; `null` where they are the same. */
export function replacementOf(old: readonly string[], now: readonly string[]): Replaced | null {
  const least = Math.min(old.length, now.length);
  let start = 0;
  while (start < least && old[start] === now[start]) start++;
  let tail = 0;
  while (tail < least - start && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail++;
  const lines = now.slice(start, now.length - tail);
  return start === old.length - tail && lines.length === 0 ? null : { start, end: old.length - tail, lines };
}
