/**
 * The answers for scripts (`--porcelain`): a line a thing, its fields between tabs, without colours, in a form that later
 * versions only add fields to, at the end. docs/command-line.md has the table of fields.
 */

import { gitName } from '../../../c-quote.ts';
import { editorName } from '../../../engine/editor-name.ts';
import type { LogEntry } from '../../../queries/log/history.ts';
import type { StatusData } from '../../../queries/status.ts';
import type { ReviewHunk } from '../../../review/listing.ts';
import { escapeControls } from '../terminal/style.ts';

export const porcelainOption = [
  '--porcelain',
  'for scripts: a line each, fields between tabs, in a form that stays',
] as const;

/** The fields of an edit; its status only where there is one to land. */
export function porcelainEntry(entry: LogEntry): string {
  const { commit, time, session, op, status, paths, subject } = entry;
  const became = op === null ? null : status.now;
  const names = paths.map(path => gitName(path)).join(' ');
  return line([commit, time, editorName(entry), session, op, became, names, subject.split('\n')[0]!]);
}

/** The state first, as `# name<tab>value`, then the files that are not as history has them. */
export function porcelainStatus(data: StatusData): string {
  const { outside, unexplained } = data;
  const state = {
    '# history': data.trail,
    '# newest': data.head,
    '# branch': data.branch_head,
    '# open': `${data.left}${data.left_more ? '+' : ''}`,
    '# taken back by hand': `${data.taken_back}`,
  };
  return [
    ...Object.entries(state).map(line),
    ...outside.map(({ path, kind }) => line(['outside', kind, gitName(path)])),
    ...unexplained.map(({ path, kind }) => line(['unexplained', kind, gitName(path)])),
  ].join('');
}

/** Names a hunk as `review --accept` and `--reject` take it, then says who wrote it. */
export function porcelainHunk({ commit, path, lines, before, after, edits }: ReviewHunk): string {
  const who = [...new Set(edits.map(editorName))].join(', ');
  const counts = [`+${after.lines.length}`, `-${before.lines.length}`];
  return line([commit, gitName(path), `${lines.start_line}-${lines.end_line}`, ...counts, who]);
}

/** One line; `-` stands for nothing, and no field holds a control character. */
function line(fields: ReadonlyArray<string | null>): string {
  return `${fields.map(field => escapeControls((field || '-').replace(/[\t\n]/g, ' '))).join('\t')}\n`;
}
