/** Shows what a landing made; or, of one that needs more than was asked for, what it needs, and asks whether to take that along. */

import type { ErrorData } from '../../../errors.ts';
import type { LandData, LandOptions } from '../../../land/land.ts';
import type { ToolResult } from '../../../tools/run.ts';
import { styled } from '../terminal/style.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { shownDiff } from './shown-diff.ts';
import { statPieces } from './stat-view.ts';

/** Shows the files, or for a dry run messages and diff; and tells the commits, notes and warnings. */
export async function tellLanding(terminal: Terminal, data: LandData): Promise<void> {
  if (data.dry_run) {
    for (const { message } of data.commits) await terminal.print(`${message}\n`);
    await terminal.print(await shownDiff(data.diff, terminal));
  } else await terminal.print(statPieces(data.paths, terminal.columns, terminal.quotePath));
  for (const { commit, message } of data.commits) {
    const where = commit ? `${data.onto} ${commit.slice(0, 7)}` : 'dry run, nothing committed';
    await terminal.tell(styled('bold', `[${where}]`), ` ${message.split('\n')[0]}`);
  }
  for (const note of data.notes) await terminal.tell(note);
  for (const warning of data.warnings) await terminal.tell(styled('yellow', 'warning: '), warning);
}

/** The data that landConflict adds to other conflicts. */
type ConflictData = ErrorData<'CONFLICT'> & { needs: readonly string[] };

function conflictOf(result: ToolResult): ConflictData | null {
  if (result.ok || result.code !== 'CONFLICT') return null;
  const { data } = result;
  return data.needs === undefined ? null : { ...data, needs: data.needs };
}

/** Returns what to land in place of what was asked for; `null` where nothing would help, or nobody wants it. */
export async function wantedAsWell(
  terminal: Terminal,
  result: ToolResult,
): Promise<Pick<LandOptions, 'commits' | 'outside'> | null> {
  const data = conflictOf(result);
  if (!data || !terminal.canAsk || (data.needs.length === 0 && !data.needs_outside)) return null;
  await tellConflict(terminal, result);
  const edits = data.needs.length === 1 ? 'that edit' : `those ${data.needs.length} edits`;
  const what = [
    ...(data.needs.length > 0 ? [edits] : []),
    ...(data.needs_outside ? ['your own changes of these files'] : []),
  ].join(' and ');
  if (!(await terminal.confirm(`Land ${what} as well? [y/N] `))) return null;
  const outside = data.needs_outside ? { outside: true } : {};
  return { commits: [...(data.landing ?? []), ...data.needs], ...outside };
}

/** Tells a conflict with the edits that it needs, one a line; answers whether it was one. */
export async function tellConflict(terminal: Terminal, result: ToolResult): Promise<boolean> {
  const data = conflictOf(result);
  if (!data) return false;
  await terminal.tell('vedit: ', styled('red', 'CONFLICT'), `: ${result.message}`);
  const below = new Map((data.conflicts ?? []).flatMap(one => one.below ?? []).map(one => [one.commit, one]));
  for (const { commit, subject, agent } of below.values())
    await terminal.tell(
      '  ',
      styled('yellow', commit.slice(0, 7)),
      ` ${subject}${agent ? ` (${agent})` : ''}`,
    );
  return true;
}
