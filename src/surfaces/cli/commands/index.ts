/**
 * The list of all commands, in the order in which help shows them. A command's own file is loaded when it is used or
 * helped with, so that one use costs one file.
 */

import type { Command } from '../../../table/command.ts';
import type { EditCommand } from '../../../table/edits.ts';
import type { Use } from '../../../table/use.ts';
import { type CliCommand, GROUPS, type ListedCommand } from '../command.ts';
import type { OnTerminal } from '../from-table.ts';

/** A command without a file here is one of the table. */
type Row = readonly [name: string, summary: string, file?: () => Promise<{ command: CliCommand }>];

const COMMANDS: Readonly<Record<(typeof GROUPS)[number], readonly Row[]>> = {
  'Begin with': [
    ['log', 'list the edits, newest first'],
    ['status', 'show what is open, and what changed without vedit'],
    ['review', 'accept or reject what agents wrote, hunk by hunk', () => import('./review.ts')],
    ['land', 'make the edits a commit of yours on a branch', () => import('./land.ts')],
    ['undo', 'take back the newest edits, or one that is named'],
    ['rollback', 'make all edited files what they were in a commit'],
    ['show', 'show one edit: who, when, why, and its diff'],
    ['blame', 'show for each line of a file who wrote it, and why'],
    ['watch', 'see in a browser what agents do; review and land there', () => import('./watch.ts')],
    ['install', 'give vedit to Claude Code, Cursor, VS Code, Codex and others', () => import('./install.ts')],
  ],
  'Set up': [
    ['help', 'print how vedit, or one of its commands, is used', () => import('./help.ts')],
    ['demo', 'watch an agent edit, err and go back, in a scratch folder', () => import('./demo.ts')],
    ['doctor', 'show who holds the lock, and take it from a dead process', () => import('./doctor.ts')],
    ['uninstall', 'take vedit out of the settings of clients again', () => import('./uninstall.ts')],
  ],
  'Look closer': [
    ['view', 'show a file with line numbers, or list a folder'],
    ['diff', 'compare two commits, or show what is not recorded yet'],
    ['why', 'show why a line is as it is: who wrote it, what was asked', () => import('./why.ts')],
    ['sessions', 'list who edited: agents and people, when, and what is open', () => import('./sessions.ts')],
    ['verify', 'check the history commit by commit, and the files against it'],
  ],
  'Go back, and keep': [
    ['restore', 'make files what they were, or bring back what git clean took'],
    ['redo', 'put back what was undone last'],
    ['revert', 'take one edit out of the middle, keeping all later ones'],
    ['purge', 'take a text out of the histories for good, and prove it', () => import('./purge.ts')],
  ],
  'Share with others': [
    ['push', 'publish your histories, after saying what will be seen', () => import('./push.ts')],
    ['fetch', 'bring the histories of other clones', () => import('./fetch.ts')],
  ],
  'For programs and scripts': [
    ['run', 'run a command, and record what it changes as one edit', () => import('./run.ts')],
    ['apply', 'run tool calls from standard input, JSON in and out', () => import('./apply.ts')],
    ['mcp', 'serve the tools to an agent over the Model Context Protocol', () => import('./mcp.ts')],
    [
      'acp',
      'record what an agent does for an editor, by the Agent Client Protocol',
      () => import('./acp.ts'),
    ],
    ['hook', 'record what an agent’s own tools change, from its hooks', () => import('./hook.ts')],
    ['tools', 'list the tools, with JSON Schemas for any agent', () => import('./tools.ts')],
    ['events', 'tell what happens, as it happens, whichever process does it', () => import('./events.ts')],
    ['export', 'print the history for other programs, as JSON Lines', () => import('./export.ts')],
    ['replace', 'replace an exact text that occurs once'],
    ['insert', 'insert lines after a line'],
    ['lines', 'replace or delete a range of lines'],
    ['create', 'make a file, and the folders above it'],
    ['rm', 'delete files; history keeps them'],
    ['mv', 'move or rename a file'],
    ['patch', 'apply a diff, a "*** Begin Patch", "@@" or SEARCH/REPLACE'],
    ['init', 'make a repository whose branch is the history of edits', () => import('./init.ts')],
    ['completion', 'print a completion script for bash, zsh or fish', () => import('./completion.ts')],
    [
      'policy',
      'say whether the policies let a file change, and which rule does not',
      () => import('./policy.ts'),
    ],
    ['peers', 'list the histories of other clones that are here', () => import('./peers.ts')],
    ['sign', 'sign the newest edit as your git signs, for verify to check', () => import('./sign.ts')],
    ['gc', 'run git gc where packs add up; delete old histories', () => import('./gc.ts')],
  ],
};

export const commands: readonly ListedCommand[] = GROUPS.flatMap(group =>
  COMMANDS[group].map(row => listed(row, group)),
);

/** The commands of the table: what each is, and what only a terminal has of it. */
const TABLE: Readonly<
  Record<string, readonly [load: () => Promise<object>, view?: () => Promise<OnTerminal>]>
> = {
  log: [() => import('../../../table/log.ts'), () => import('../views/log.ts')],
  status: [() => import('../../../table/status.ts'), () => import('../views/status.ts')],
  undo: [() => import('../../../table/undo.ts')],
  rollback: [() => import('../../../table/rollback.ts')],
  show: [() => import('../../../table/show.ts'), () => import('../views/show.ts')],
  blame: [() => import('../../../table/blame.ts'), () => import('../views/blame.ts')],
  view: [() => import('../../../table/view.ts'), () => import('../views/view.ts')],
  diff: [() => import('../../../table/diff.ts'), () => import('../views/diff.ts')],
  verify: [() => import('../../../table/verify.ts')],
  restore: [() => import('../../../table/restore.ts')],
  redo: [() => import('../../../table/redo.ts')],
  revert: [() => import('../../../table/revert.ts')],
};

async function loaded(name: string): Promise<CliCommand> {
  const [load = () => import('../../../table/edits.ts'), view] = TABLE[name] ?? [];
  const [{ lineOf }, unit, own] = await Promise.all([import('../from-table.ts'), load(), view?.()]);
  const { line, [name]: command } = unit as { line: Use } & Readonly<Record<string, Command | EditCommand>>;
  return lineOf(command!, 'use' in command! ? command.use : line, own);
}

function listed([name, summary, file]: Row, group: ListedCommand['group']): ListedCommand {
  return { name, group, summary, load: async () => (file ? (await file()).command : loaded(name)) };
}
