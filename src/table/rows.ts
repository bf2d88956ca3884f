/**
 * The table of all commands, in the order in which help shows them. A row is known without its file, which is loaded when the
 * command is used or helped with.
 */

import type { Command } from './command.ts';
import type { EditCommand } from './edits.ts';
import type { Use } from './use.ts';

/** The headings, in their order: the ten that a person begins with, the others by task, and last what people seldom type. */
export const GROUPS = [
  'Begin with',
  'Set up',
  'Look closer',
  'Review, and go back',
  'Share with others',
  'For programs',
] as const;

export interface Row {
  name: string;
  /** The heading in the list. */
  group: (typeof GROUPS)[number];
  summary: string;
  load(): Promise<Unit>;
}

/** The content of a row's file: how a command line uses it, and what makes it a tool or an edit, where it is one. */
export interface Unit {
  use: Use;
  command?: Command | EditCommand;
}

type File = () => Promise<object>;

const history: File = () => import('./history.ts');
const back: File = () => import('./back.ts');
const reviewing: File = () => import('./reviewing.ts');
const programs: File = () => import('./programs.ts');
const edits: File = () => import('./edits.ts');
const keeping: File = () => import('./keeping.ts');
const sharing: File = () => import('./sharing.ts');
const looking: File = () => import('./looking.ts');

const ROWS: Readonly<
  Record<Row['group'], ReadonlyArray<readonly [name: string, summary: string, file: File]>>
> = {
  'Begin with': [
    ['log', 'list the edits, newest first', history],
    ['status', 'show what is open, and what changed without vedit', history],
    ['review', 'accept or reject what agents wrote, hunk by hunk', reviewing],
    ['land', 'make the edits a commit of yours on a branch', reviewing],
    ['undo', 'take back the newest edits, or one that is named', back],
    ['rollback', 'take back every edit since a commit', back],
    ['show', 'show one edit: who, when, why, and its diff', history],
    ['blame', 'show for each line of a file who wrote it, and why', history],
    ['watch', 'see in a browser what agents do; review and land there', programs],
    ['install', 'give vedit to Claude Code, Cursor, VS Code, Codex and others', programs],
  ],
  'Set up': [
    ['help', 'print how vedit, or one of its commands, is used', programs],
    ['uninstall', 'take vedit out of the settings of clients again', programs],
    ['demo', 'watch an agent edit, err and go back, in a scratch folder', programs],
    ['doctor', 'show who holds the lock, and take it from a dead process', programs],
  ],
  'Look closer': [
    ['diff', 'compare two commits, or show what is not recorded yet', history],
    ['why', 'show why a line is as it is: who wrote it, what was asked', looking],
  ],
  'Review, and go back': [
    ['accept', 'accept a file, lines of it, or all, without being asked', reviewing],
    ['reject', 'take a hunk or a file of an agent out, and say why', reviewing],
    ['comment', 'say something of lines to the agent that wrote them', reviewing],
    ['restore', 'make files what they were, or bring back what git clean took', back],
    ['redo', 'put back what was undone last', back],
    ['purge', 'take a text out of the histories for good', keeping],
  ],
  'Share with others': [
    ['push', 'publish your histories, after saying what will be seen', sharing],
    ['fetch', 'bring the histories of other clones', sharing],
  ],
  'For programs': [
    ['run', 'run a command, and record what it changes as one edit', programs],
    ['apply', 'run tool calls from standard input, JSON in and out', programs],
    ['mcp', 'serve the tools to an agent over the Model Context Protocol', programs],
    ['acp', 'record what an agent does for an editor, by the Agent Client Protocol', programs],
    ['hook', 'record what an agent’s own tools change, from its hooks', programs],
    ['tools', 'list the tools, with JSON Schemas for any agent', programs],
    ['events', 'tell what happens, as it happens, whichever process does it', looking],
    ['export', 'print the history for other programs, as JSON Lines', looking],
    ['sessions', 'list who edited: agents and people, when, and what is open', looking],
    ['view', 'show a file with line numbers, or list a folder', () => import('./view.ts')],
    ['verify', 'check the history commit by commit, and the files against it', history],
    ['replace', 'replace an exact text that occurs once', edits],
    ['insert', 'insert lines after a line', edits],
    ['lines', 'replace or delete a range of lines', edits],
    ['replace-symbol', 'replace or delete a function, a class, a heading or a key by its name', edits],
    ['move-lines', 'move lines, or a symbol, to another place or file', edits],
    ['create', 'make a file, and the folders above it', edits],
    ['rm', 'delete files; history keeps them', edits],
    ['mv', 'move or rename a file', edits],
    ['revert', 'take one edit out of the middle, keeping all later ones', back],
    ['reply', 'answer what a person said of an edit', () => import('./reply.ts')],
    ['patch', 'apply a diff, a "*** Begin Patch", "@@" or SEARCH/REPLACE', edits],
    ['init', 'make a repository whose branch is the history of edits', keeping],
    ['completion', 'print a completion script for bash, zsh or fish', programs],
    ['policy', 'say whether the policies let a file change, and which rule does not', keeping],
    ['peers', 'list the histories of other clones that are here', sharing],
    ['sign', 'sign the newest edit as your git signs, for verify to check', sharing],
    ['gc', 'run git gc where packs add up; delete old histories', keeping],
  ],
};

export const rows: readonly Row[] = GROUPS.flatMap(group =>
  ROWS[group].map(([name, summary, file]) => ({ name, group, summary, load: () => unitIn(file, name) })),
);

/** A command that is a tool too has its use beside it: `undo`, `undoLine`. */
async function unitIn(file: File, name: string): Promise<Unit> {
  const exported = name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  const { [exported]: own, [`${exported}Line`]: line } = (await file()) as Record<string, unknown>;
  if (line) return { use: line as Use, command: own as Command };
  const { use } = own as EditCommand;
  return use ? { use, command: own as EditCommand } : { use: own as Use };
}
