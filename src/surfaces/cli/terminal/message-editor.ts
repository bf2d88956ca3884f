/** The message of a commit in the person's editor, as `git commit` asks for it (git-var(1), GIT_EDITOR). */

import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { EditError } from '../../../errors.ts';
import type { Terminal } from './terminal.ts';

/**
 * The command line of the editor; `null` for a terminal that can show none. A repository's config must not be able to start a
 * program: only the `core.editor` of the person's own counts.
 */
export function editorCommand({ env, coreEditor }: Pick<Terminal, 'env' | 'coreEditor'>): string | null {
  const isDumb = env.TERM === undefined || env.TERM === 'dumb';
  const named = env.GIT_EDITOR || coreEditor || (isDumb ? '' : env.VISUAL) || env.EDITOR;
  return named || (isDumb ? null : 'vi');
}

/** Git's own line (`--verbose` of git-commit(1)): what is below it is shown, and no part of the message. */
const SCISSORS = '# ------------------------ >8 ------------------------';

/**
 * The text as the person left it, without its comments; '' where they left none. `comment` is shown below it, and `below`, a
 * diff, under the scissors. Throws STORE_FAILED when the editor fails.
 */
export async function editedMessage(
  editor: string,
  file: string,
  { text, comment, below }: { text: string; comment: string; below: string },
): Promise<string> {
  const comments = comment.split('\n').map(line => (line === '' ? '#' : `# ${line}`));
  const cut = `${SCISSORS}\n# Do not modify or remove the line above.\n# Everything below it will be ignored.\n${below}`;
  await writeFile(file, `${text}\n\n${comments.join('\n')}\n${below === '' ? '' : cut}`);
  await runEditor(editor, file, 'Nothing was committed; give the message with -m.');
  return withoutComments(await readFile(file, 'utf8'));
}

/**
 * Returns what git's cleanup mode `scissors` leaves, and `strip` then: nothing below the scissors, no comments, no blanks at
 * the ends of lines, no two empty lines in a row.
 */
function withoutComments(text: string): string {
  const at = text.indexOf(`\n${SCISSORS}`);
  const own = text.startsWith(SCISSORS) ? '' : at < 0 ? text : text.slice(0, at);
  const lines = own.split(/\r?\n/).filter(line => !line.startsWith('#'));
  const trimmed = lines.map(line => line.trimEnd()).join('\n');
  return trimmed.replace(/\n{3,}/g, '\n\n').trim();
}

/**
 * Runs the editor on a file, through the shell as git does, since it may have arguments; `:` leaves the text as it is.
 * Throws STORE_FAILED when it fails; `then`: what became of the work, as a sentence.
 */
export async function runEditor(editor: string, file: string, then = 'Nothing was changed.'): Promise<void> {
  if (editor === ':') return;
  const exit = await exitOf('sh', ['-c', `${editor} "$@"`, editor, file]);
  if (exit === 0) return;
  const message = `There was a problem with the editor ${JSON.stringify(editor)}. ${then}`;
  throw new EditError('STORE_FAILED', message, { editor, exit });
}

/** Runs a program that has the terminal; answers its exit code, -1 where it has none. */
function exitOf(program: string, args: readonly string[]): Promise<number> {
  return new Promise(resolve => {
    const child = spawn(program, args, { stdio: 'inherit' });
    child.once('error', () => resolve(-1));
    child.once('exit', code => resolve(code ?? -1));
  });
}
