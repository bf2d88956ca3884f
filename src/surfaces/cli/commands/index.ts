/**
 * The list of all commands, in the order in which help shows them. A command's own file is loaded when it is used or
 * helped with, so that one use costs one file.
 */

import type { CliCommand } from '../command.ts';
import { GROUPS, type ListedCommand } from '../listed-command.ts';

/** Each command with its summary, and the tools of agents that do the same, or other words for that. */
const SUMMARIES = {
  'Begin with': [
    ['log', 'list the edits, newest first'],
    ['status', 'show what is open, and what changed without vedit'],
    ['review', 'accept or reject what agents wrote, hunk by hunk'],
    ['land', 'make the edits a commit of yours on a branch'],
    ['undo', 'take back the newest edits, or one that is named'],
    ['restore', 'make files what they were, or bring back what git clean took', 'rollback'],
    ['show', 'show one edit: who, when, why, and its diff'],
    ['blame', 'show for each line of a file who wrote it, and why'],
    ['watch', 'see in a browser what agents do; review and land there'],
    ['install', 'give vedit to Claude Code, Cursor, VS Code, Codex and others'],
  ],
  'Set up': [
    ['help', 'print how vedit, or one of its commands, is used'],
    ['demo', 'watch an agent edit, err and go back, in a scratch folder'],
    ['init', 'make a repository whose branch is the history of edits'],
    ['completion', 'print a completion script for bash, zsh or fish'],
    ['doctor', 'show who holds the lock, and take it from a dead process'],
  ],
  'Look closer': [
    ['view', 'show a file with line numbers, or list a folder', 'read'],
    ['diff', 'compare two commits, or show what is not recorded yet'],
    ['why', 'show why a line is as it is: who wrote it, what was asked'],
    ['sessions', 'list who edited: agents and people, when, and what is open'],
    ['trails', 'list the histories, and what is open in each'],
    ['bisect', 'find the edit that broke it, by a command that tests for it'],
    ['html', 'write the history into one page for a browser'],
    ['sign', 'sign the newest edit as your git signs, for verify to check'],
    ['policy', 'say whether the policies let a file change, and which rule does not'],
    ['verify', 'check the history commit by commit, and the files against it'],
  ],
  'Go back, and keep': [
    ['redo', 'put back what was undone last'],
    ['revert', 'take one edit out of the middle, keeping all later ones'],
    ['claim', 'say that text which nobody recorded or claims is yours'],
    ['gc', 'run git gc where packs add up; delete old histories'],
    ['purge', 'take a text out of the histories for good, and prove it'],
  ],
  'Edit by hand': [
    ['replace', 'replace an exact text that occurs once', 'str_replace'],
    ['insert', 'insert lines after a line'],
    ['lines', 'replace or delete a range of lines', 'replace_lines', 'edit_lines'],
    ['create', 'make a file, and the folders above it', 'write', 'overwrite'],
    ['rm', 'delete files; history keeps them', 'delete', 'remove'],
    ['mv', 'move or rename a file', 'move', 'rename'],
    [
      'patch',
      'apply a diff, a "*** Begin Patch", "@@" or SEARCH/REPLACE',
      'apply_patch',
      'unified_diff',
      'context_patch',
      'search_replace',
    ],
  ],
  'Share with others': [
    ['push', 'publish your histories, after saying what will be seen'],
    ['fetch', 'bring the histories of other clones'],
    ['peers', 'list the histories of other clones that are here'],
    ['merge', 'take the edits of another clone into yours'],
  ],
  'For agents, programs and hosts': [
    ['run', 'run a command, and record what it changes as one edit'],
    ['apply', 'run tool calls from standard input, JSON in and out', 'change'],
    ['mcp', 'serve the tools to an agent over the Model Context Protocol'],
    ['hook', 'record what an agent’s own tools change, from its hooks'],
    ['tools', 'list the tools, with JSON Schemas for any agent'],
    ['events', 'tell what happens, as it happens, whichever process does it'],
    ['export', 'print the history for other programs: Agent Trace, JSON Lines'],
    ['sync', 'share one history with other hosts of the same documents'],
  ],
} as const satisfies Record<(typeof GROUPS)[number], ReadonlyArray<readonly string[]>>;

/** Commands that have another name by now; no list shows them. */
const OLD = [['rollback', 'make the edited files what they were: the old name of restore --all']] as const;

type Name = (typeof SUMMARIES)[keyof typeof SUMMARIES][number][0] | (typeof OLD)[number][0];

const FILES: Readonly<Record<Name, () => Promise<CliCommand>>> = {
  help: async () => (await import('./help.ts')).help,
  demo: async () => (await import('./demo.ts')).demo,
  init: async () => (await import('./init.ts')).init,
  install: async () => (await import('./install.ts')).install,
  view: async () => (await import('./view.ts')).view,
  log: async () => (await import('./log.ts')).log,
  events: async () => (await import('./events.ts')).events,
  show: async () => (await import('./show.ts')).show,
  diff: async () => (await import('./diff.ts')).diff,
  blame: async () => (await import('./blame.ts')).blame,
  why: async () => (await import('./why.ts')).why,
  bisect: async () => (await import('./bisect.ts')).bisect,
  html: async () => (await import('./html.ts')).html,
  watch: async () => (await import('./watch.ts')).watch,
  status: async () => (await import('./status.ts')).status,
  sessions: async () => (await import('./sessions.ts')).sessions,
  trails: async () => (await import('./trails.ts')).trails,
  sign: async () => (await import('./sign.ts')).sign,
  policy: async () => (await import('./policy.ts')).policy,
  verify: async () => (await import('./verify.ts')).verify,
  replace: async () => (await import('./replace.ts')).replace,
  insert: async () => (await import('./insert.ts')).insert,
  lines: async () => (await import('./lines.ts')).lines,
  create: async () => (await import('./create.ts')).create,
  rm: async () => (await import('./rm.ts')).rm,
  mv: async () => (await import('./mv.ts')).mv,
  patch: async () => (await import('./patch.ts')).patch,
  undo: async () => (await import('./undo.ts')).undo,
  redo: async () => (await import('./redo.ts')).redo,
  revert: async () => (await import('./revert.ts')).revert,
  rollback: async () => (await import('./rollback.ts')).rollback,
  restore: async () => (await import('./restore.ts')).restore,
  review: async () => (await import('./review.ts')).review,
  claim: async () => (await import('./claim.ts')).claim,
  land: async () => (await import('./land.ts')).land,
  gc: async () => (await import('./gc.ts')).gc,
  purge: async () => (await import('./purge.ts')).purge,
  doctor: async () => (await import('./doctor.ts')).doctor,
  push: async () => (await import('./push.ts')).push,
  fetch: async () => (await import('./fetch.ts')).fetching,
  peers: async () => (await import('./peers.ts')).peers,
  merge: async () => (await import('./merge.ts')).merge,
  sync: async () => (await import('./sync.ts')).syncing,
  apply: async () => (await import('./apply.ts')).apply,
  run: async () => (await import('./run.ts')).run,
  mcp: async () => (await import('./mcp.ts')).mcp,
  hook: async () => (await import('./hook.ts')).hook,
  export: async () => (await import('./export.ts')).exporting,
  tools: async () => (await import('./tools.ts')).tools,
  completion: async () => (await import('./completion.ts')).completion,
};

export const commands: readonly ListedCommand[] = GROUPS.flatMap(group =>
  SUMMARIES[group].map(([name, summary, ...also]) => ({ name, also, group, summary, load: FILES[name] })),
);

export const oldNames: readonly ListedCommand[] = OLD.map(([name, summary]) => ({
  name,
  group: null,
  summary,
  load: FILES[name],
}));
