/**
 * The list of all commands, in the order in which help shows them. A command's own file is loaded when it is used or
 * helped with, so that one use costs one file.
 */

import type { ListedCommand } from '../listed-command.ts';

export const commands: readonly ListedCommand[] = [
  {
    name: 'help',
    group: 'Start',
    summary: 'print how vedit, or one of its commands, is used',
    load: async () => (await import('./help.ts')).help,
  },
  {
    name: 'demo',
    group: 'Start',
    summary: 'watch an agent edit, err, undo and roll back in a scratch repository',
    load: async () => (await import('./demo.ts')).demo,
  },
  {
    name: 'init',
    group: 'Start',
    summary: 'make a repository whose checked-out branch is the history of edits',
    load: async () => (await import('./init.ts')).init,
  },
  {
    name: 'install',
    group: 'Start',
    summary: 'put vedit into the settings of Claude Code, Cursor, VS Code, Codex and others',
    load: async () => (await import('./install.ts')).install,
  },
  {
    name: 'view',
    group: 'Read',
    summary: 'show a file with line numbers, or list a folder',
    load: async () => (await import('./view.ts')).view,
  },
  {
    name: 'log',
    group: 'Read',
    summary: 'list the edits, newest first',
    load: async () => (await import('./log.ts')).log,
  },
  {
    name: 'events',
    group: 'Read',
    summary: 'tell what happens, as it happens, whichever process does it',
    load: async () => (await import('./events.ts')).events,
  },
  {
    name: 'show',
    group: 'Read',
    summary: 'show one edit: who, when, why, and its diff',
    load: async () => (await import('./show.ts')).show,
  },
  {
    name: 'diff',
    group: 'Read',
    summary: 'show the difference between two commits, or what is not recorded yet',
    load: async () => (await import('./diff.ts')).diff,
  },
  {
    name: 'blame',
    group: 'Read',
    summary: 'show for each line of a file who wrote it, and why',
    load: async () => (await import('./blame.ts')).blame,
  },
  {
    name: 'bisect',
    group: 'Read',
    summary: 'find the edit that broke it, by a command run in a temporary work tree',
    load: async () => (await import('./bisect.ts')).bisect,
  },
  {
    name: 'html',
    group: 'Read',
    summary: 'make one page of the history for a browser: lane, diffs, replay, blame',
    load: async () => (await import('./html.ts')).html,
  },
  {
    name: 'watch',
    group: 'Read',
    summary: 'serve the page of the history, live: see what agents do, review, take back, land',
    load: async () => (await import('./watch.ts')).watch,
  },
  {
    name: 'status',
    group: 'Read',
    summary: 'show where the history is, and which edited files others changed',
    load: async () => (await import('./status.ts')).status,
  },
  {
    name: 'sessions',
    group: 'Read',
    summary: 'list who edited: agents and people, when, and what has not landed',
    load: async () => (await import('./sessions.ts')).sessions,
  },
  {
    name: 'trails',
    group: 'Read',
    summary: 'list the histories, and which of them have landed',
    load: async () => (await import('./trails.ts')).trails,
  },
  {
    name: 'verify',
    group: 'Read',
    summary: 'check the history commit by commit, and the files against it',
    load: async () => (await import('./verify.ts')).verify,
  },
  {
    name: 'replace',
    group: 'Edit',
    summary: 'replace an exact text that occurs once',
    load: async () => (await import('./replace.ts')).replace,
  },
  {
    name: 'insert',
    group: 'Edit',
    summary: 'insert lines after a line',
    load: async () => (await import('./insert.ts')).insert,
  },
  {
    name: 'lines',
    group: 'Edit',
    summary: 'replace or delete a range of lines',
    load: async () => (await import('./lines.ts')).lines,
  },
  {
    name: 'create',
    group: 'Edit',
    summary: 'make a file, and the folders above it',
    load: async () => (await import('./create.ts')).create,
  },
  {
    name: 'rm',
    group: 'Edit',
    summary: 'delete files; history keeps them',
    load: async () => (await import('./rm.ts')).rm,
  },
  {
    name: 'mv',
    group: 'Edit',
    summary: 'move or rename a file',
    load: async () => (await import('./mv.ts')).mv,
  },
  {
    name: 'patch',
    group: 'Edit',
    summary: 'apply a patch: a diff, "*** Begin Patch", "@@" hunks or SEARCH/REPLACE blocks',
    load: async () => (await import('./patch.ts')).patch,
  },
  {
    name: 'undo',
    group: 'Go back',
    summary: 'take back the newest edits, or one that is named',
    load: async () => (await import('./undo.ts')).undo,
  },
  {
    name: 'redo',
    group: 'Go back',
    summary: 'put back what was undone last',
    load: async () => (await import('./redo.ts')).redo,
  },
  {
    name: 'revert',
    group: 'Go back',
    summary: 'take one edit out of the middle, keeping all later ones',
    load: async () => (await import('./revert.ts')).revert,
  },
  {
    name: 'rollback',
    group: 'Go back',
    summary: 'make the edited files what they were at a commit',
    load: async () => (await import('./rollback.ts')).rollback,
  },
  {
    name: 'restore',
    group: 'Go back',
    summary: 'make files what they were at a commit',
    load: async () => (await import('./restore.ts')).restore,
  },
  {
    name: 'review',
    group: 'Keep',
    summary: 'accept or reject what agents wrote, hunk by hunk',
    load: async () => (await import('./review.ts')).review,
  },
  {
    name: 'land',
    group: 'Keep',
    summary: 'make the edits a commit of yours on a branch',
    load: async () => (await import('./land.ts')).land,
  },
  {
    name: 'gc',
    group: 'Keep',
    summary: 'pack what takes room, delete old trails if asked to',
    load: async () => (await import('./gc.ts')).gc,
  },
  {
    name: 'doctor',
    group: 'Keep',
    summary: 'show who holds the lock of the repository, and take it from a process that is gone',
    load: async () => (await import('./doctor.ts')).doctor,
  },
  {
    name: 'apply',
    group: 'For programs',
    summary: 'run tool calls from standard input, JSON in and out',
    load: async () => (await import('./apply.ts')).apply,
  },
  {
    name: 'mcp',
    group: 'For programs',
    summary: 'serve the tools to an agent over the Model Context Protocol',
    load: async () => (await import('./mcp.ts')).mcp,
  },
  {
    name: 'hook',
    group: 'For programs',
    summary: 'record what an agent’s own tools change, from its hooks',
    load: async () => (await import('./hook.ts')).hook,
  },
  {
    name: 'export',
    group: 'For programs',
    summary: 'print the history for other programs: Agent Trace, JSON Lines',
    load: async () => (await import('./export.ts')).exporting,
  },
  {
    name: 'tools',
    group: 'For programs',
    summary: 'list the tools, with JSON Schemas for any agent',
    load: async () => (await import('./tools.ts')).tools,
  },
  {
    name: 'completion',
    group: 'For programs',
    summary: 'print a completion script for bash, zsh or fish',
    load: async () => (await import('./completion.ts')).completion,
  },
];
