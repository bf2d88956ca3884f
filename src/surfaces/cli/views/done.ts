/** Answers a command that changes files: the diff to standard output, one line of what was done to standard error. */

import type { Answer, DoneData, EditAbout } from '../../../engine/answer.ts';
import { editorName } from '../../../engine/editor-name.ts';
import { isRedo, saysReason, withoutOverwritten } from '../../../operations.ts';
import type { Call } from '../command.ts';
import { type Piece, styled } from '../terminal/style.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { shownDiff } from './shown-diff.ts';

/** A trail as git shortens its ref: `main`, `vedit/main`, `HEAD`. */
export function shortTrail(ref: string): string {
  return ref.replace(/^refs\/(heads\/)?/, '');
}

/** Prints the diff of a change that was made, and tells what it was. */
export async function tellDone({ terminal }: Call, { message, data }: Answer<DoneData>): Promise<void> {
  await terminal.print(await shownDiff(data.diff, terminal));
  if (data.outside?.commit) {
    const [id, paths] = [data.outside.commit.slice(0, 7), data.outside.paths.join(', ')];
    await terminal.tell(`changes that did not come through vedit were recorded first: ${paths} (${id})`);
  }
  if (data.commit === null && data.paths.length > 1) await terminal.tell(...data.paths.map(pathLine));
  const commit = data.commit?.slice(0, 7);
  const where = commit ? `${shortTrail(data.trail)} ${commit}` : 'dry run, nothing written';
  await terminal.tell(styled('bold', `[${where}]`), ` ${subjectOf(data)}`);
  for (const one of data.edits ?? []) await terminal.tell(...aboutPieces(data.op, one, terminal));
  if (data.repeated) await terminal.tell('this edit id was done before; nothing was done again');
  for (const note of data.notes ?? []) await terminal.tell(`note: ${note}`);
  for (const warning of data.warnings ?? []) await terminal.tell(styled('yellow', 'warning: '), warning);
  for (const told of rejectionsIn(message, data)) await terminal.tell(told);
}

/** One of several files of a dry run: `create src/a.ts (+3 -0)`. */
function pathLine({ path, kind, added, removed }: DoneData['paths'][number], index: number): string {
  return `${index > 0 ? '\n' : ''}  ${kind} ${path} (+${added} -${removed})`;
}

/** Returns what people rejected or said, which an agent is to know: the last lines of the message, one for each. */
function rejectionsIn(message: string, data: object): string[] {
  const { rejections = [], comments = [] } = data as Record<string, readonly unknown[] | undefined>;
  const count = rejections.length + comments.length;
  return count === 0 ? [] : message.split('\n').slice(-count);
}

/** `took back 1a2b3c4 str_replace a.txt (+1 -1), by fixer 3 minutes ago` */
function aboutPieces(
  op: string,
  { commit, subject, reason, time, ...who }: EditAbout,
  terminal: Pick<Terminal, 'when'>,
): Piece[] {
  const why = reason === '' || saysReason(subject, reason) ? '' : `: ${reason.split('\n')[0]}`;
  return [
    isRedo(op) ? 'put back ' : 'took back ',
    styled('yellow', commit.slice(0, 7)),
    ` ${subject}, by `,
    styled('cyan', editorName(who)),
    ` ${terminal.when(time)}${why}`,
  ];
}

/** The subject that the commit has, or would have, in full length. */
function subjectOf({ op, paths }: DoneData): string {
  const sum = (of: 'added' | 'removed'): number => paths.reduce((total, path) => total + path[of], 0);
  const named = withoutOverwritten(paths);
  const [only] = named;
  const moved = only?.from === undefined ? '' : `${only.from} -> `;
  const what = named.length === 1 ? moved + only!.path : `${named.length} files`;
  return `${op} ${what} (+${sum('added')} -${sum('removed')})`;
}
