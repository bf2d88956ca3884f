/** Commands that are a program of their own on a terminal, or for one: how they are used. What each does is in src/surfaces/cli/commands. */

import { HOOKED_AGENTS } from '../agents/hooks/read.ts';
import { asMeOption, type EditorOptions, editorOptions, type TrailOptions, trailOptions } from './options.ts';
import { type OptionsOf, type Use, use } from './use.ts';

/** The clients that can be given vedit. */
export const CLIENT_NAMES = [
  'claude-code',
  'claude-desktop',
  'cursor',
  'vscode',
  'codex',
  'gemini',
  'opencode',
  'copilot',
  'qwen',
  'cline',
] as const;

/** Options that a server of tools is started with: given to it, or put into the settings of a client. */
export const serverOptions = [
  [
    '--root <dir>',
    'the folder to edit in; default: CLAUDE_PROJECT_DIR, or the folder it is started in. With several, absolute paths name files of the others',
    'each',
  ],
  ['--read-only', 'only tools that change nothing'],
  ['--tools <set>', 'how many tools: minimal, standard (default) or all', ['minimal', 'standard', 'all']],
  ['--structured', 'results have a structure for programs beside the text, which it holds too'],
] as const;

export type ServerOptions = OptionsOf<typeof serverOptions> & EditorOptions;

const watchOptions = [
  ['--port <n>', 'listen there; default: a free port', 'natural'],
  ['--allow-host <name>', 'another name that the page is reached by; may be given several times', 'each'],
  ['--read-only', 'show, and change nothing'],
  ['--open', 'open the browser'],
  ['--save <file>', 'write what would be seen as one page that works without a server, and end'],
  ['--idle <minutes>', 'end when nobody looked for so long', 'natural'],
] as const;

export type WatchOptions = OptionsOf<typeof watchOptions> & TrailOptions;

export const watch: Use = /* @__PURE__ */ use({
  details:
    'Prints an address for one tab of a browser on this machine, good for one use; press Enter for another. On the page you accept and reject what agents wrote, claim text that nobody claims, take edits out, restore files, and land; where an agent started it, it refuses to accept, reject and claim: start it yourself. It ends with Ctrl-C. Through a tunnel that has another name, such as a codespace, allow that name.',
  options: [...watchOptions, ...trailOptions],
  examples: [
    ['vedit watch --open', ''],
    ['vedit watch --read-only --port 7777', 'for ssh -L 7777:127.0.0.1:7777'],
    ['vedit watch --save history.html', 'to look at later, or to hand on'],
    ['vedit watch --port 7777 --allow-host name-7777.app.github.dev', 'in a codespace'],
  ],
});

const settingsOptions = [
  ['--user', 'your own settings, for all projects'],
  ['--local', 'your own settings in this project, in no commit'],
  ['-n, --dry-run', 'show what would change, write nothing'],
] as const;

export type SettingsOptions = OptionsOf<typeof settingsOptions>;

const installOptions = [
  ['--yes', 'do not ask'],
  ['--no-hooks', 'no hooks, where the client has some'],
  ['--no-rights', 'the client asks before each call of these tools'],
  ['--trust', 'with gemini --user: it asks no more before these tools, in any mode'],
  ['--instructions', 'the two lines for the model are put into AGENTS.md'],
  ['--skill', 'a skill says when to use vedit, and how, to clients that read skills'],
  ['--prompts <kept>', 'keep what agents are asked here, in no commit', ['off', 'first-line', 'whole']],
] as const;

export type InstallOptions = SettingsOptions & OptionsOf<typeof installOptions> & ServerOptions;

export const install: Use = /* @__PURE__ */ use({
  details:
    'Without a name it finds the clients that are on this machine, and asks. Each part is shown with its reason, and on a terminal can be refused: the server (vedit mcp), hooks, by which edits of the client’s own tools are recorded as its own, and rights, which the tools of vedit have as the client’s own. What else stands in the settings stays. Settings of a project start vedit by its name, or by npx where that started this; your own (--user, --local) by its path. vedit uninstall gives the files back as they were.',
  arguments: [['[client]', CLIENT_NAMES.join(', '), CLIENT_NAMES]],
  options: [...settingsOptions, ...installOptions, ...serverOptions, ...editorOptions],
  examples: [
    ['vedit install', 'asks for each client that is here'],
    ['vedit install claude-code', 'for this project: .mcp.json, and hooks'],
    ['vedit install claude-code --local', 'for you alone, in this project'],
    ['vedit install codex --user --tools minimal', 'for all of yours'],
    ['vedit install vscode -n', 'only show it'],
    ['npx versioned-edit install', 'without a vedit on the PATH'],
  ],
});

export const uninstall: Use = /* @__PURE__ */ use({
  details:
    'Gives the settings back as they were before vedit install, byte for byte where nobody else changed them. The history stays, and so does vedit itself: docs/versions.md says how to leave for good.',
  arguments: [['[client]', `${CLIENT_NAMES.join(', ')}; default: all`, CLIENT_NAMES]],
  options: settingsOptions,
  examples: [
    ['vedit uninstall', 'out of the settings of this project'],
    ['vedit uninstall claude-code --user', 'out of your own'],
    ['vedit uninstall -n', 'only show it'],
  ],
});

export const help: Use = /* @__PURE__ */ use({
  details: 'The same as --help, before or after a command.',
  arguments: [
    [
      '[command]',
      'a command, all for what each does, programs for those that programs use, or exit-codes',
      'command',
    ],
  ],
  examples: [
    ['vedit help', 'the ten to begin with, and the names of others'],
    ['vedit help all', 'what each does'],
    ['vedit help programs', 'what there is for agents, programs and scripts'],
    ['vedit help log', 'how one is used'],
    ['vedit help exit-codes', ''],
  ],
});

export const demo: Use = /* @__PURE__ */ use({
  details:
    'Nothing of yours is touched. The scratch repository is left for you to look at with plain git; git is not needed to run this.',
  examples: [['vedit demo', '']],
});

const doctorOptions = [
  ['--unlock', 'take the lock from a process that gives no sign of life'],
  ['--yes', 'with --unlock: do not ask'],
] as const;

export type DoctorOptions = OptionsOf<typeof doctorOptions> & TrailOptions;

export const doctor: Use = /* @__PURE__ */ use({
  details:
    'The lock of a process that is gone is taken over by the next edit; where nobody can see whether it is (another container or machine), after 30 seconds without a sign of life. --unlock takes it at once, and repairs what was left; from a process that is stopped or hangs, after 5 seconds. Of each agent it says what of vedit stands in which settings, whether the client trusts it, and when it was heard last.',
  options: [...doctorOptions, ...trailOptions],
  examples: [
    ['vedit doctor', ''],
    ['vedit doctor --unlock', 'asks first'],
  ],
});

const runOptions = [['-m, --message <reason>', 'the reason; default: the name of the program']] as const;

export type RunOptions = OptionsOf<typeof runOptions> & EditorOptions;

export const run: Use = /* @__PURE__ */ use({
  details:
    'Runs the command, and records exactly what changed, appeared or went meanwhile as one edit of the session; what was changed before is recorded first, and is not the command’s. Text that somebody typed while it ran may count as the command’s. Files that git ignores are passed over. The exit code is that of the command; a command that fails is recorded too.',
  arguments: [['<command...>', 'the program, and its arguments']],
  passesThrough: true,
  options: [...runOptions, asMeOption, ...editorOptions],
  examples: [
    ['vedit run npx prettier --write src', 'formats, as one edit'],
    [
      'vedit run --agent fixer -m "rename" sh -c "sed -i s/a/b/ *.ts"',
      'of an agent; options of vedit come first',
    ],
  ],
});

export const apply: Use = /* @__PURE__ */ use({
  details:
    'Each call is one line: {"tool": "...", "input": {...}}; "name" and "arguments" are understood as well, and an "id" comes back with the answer. Each answer is one line: {"ok": true, "message", "data"} or {"ok": false, "code", "message", "data", "retryable"}. All calls of one stream are one session, so a view is remembered by the edits after it. A dry run is "dry_run": true in the input. Paths are relative to the top of the work tree. The exit code is that of the last refused call, or 0.',
  arguments: [['[-]', 'standard input, which is the default']],
  options: [asMeOption, ...editorOptions],
  examples: [
    [`echo '{"tool": "view", "input": {"path": "a.txt"}}' | vedit apply`, ''],
    ['vedit apply --agent fixer --model m1 < calls.jsonl', ''],
  ],
});

const acpOptions = [['--agent <name>', 'its name in the history; default: what it says']] as const;

export type AcpOptions = OptionsOf<typeof acpOptions> & TrailOptions;

export const acp: Use = /* @__PURE__ */ use({
  details:
    'Stands between an editor and an agent that speaks the Agent Client Protocol, and passes on what they say. What passes is recorded under the agent’s name, session and prompt: files that it has written by the editor, exactly; edits of its own tools, and commands, as it tells of them. Lines that a person rejected are told with the next prompt, and a write that would put them back is refused. Needs no hooks; where nothing can be recorded, the agent works on. The exit code is the agent’s.',
  arguments: [['<agent...>', 'the agent’s program, and its arguments']],
  passesThrough: true,
  options: [...acpOptions, ...trailOptions],
  examples: [
    ['vedit acp -- gemini --acp', 'as the command of an agent in the settings of Zed, JetBrains or Neovim'],
    ['vedit acp --agent claude -- claude-code-acp', 'under a name of your choice'],
  ],
});

export const mcp: Use = /* @__PURE__ */ use({
  details:
    'Clients start it themselves: vedit install puts it into their settings. Messages go to standard error. All calls of one connection are one session, done one after the other in the order in which they came.',
  options: [...serverOptions, ...editorOptions],
  examples: [
    ['vedit install claude-code', 'into the settings of a client'],
    ['vedit mcp --root ~/notes --tools minimal', ''],
    ['vedit mcp --read-only', 'for a reviewer'],
  ],
});

const hookOptions = [
  ['--noted', 'vedit-hook noted the event'],
  ['--call <id>', 'the id of a call to which the agent gives none'],
] as const;

export type HookOptions = OptionsOf<typeof hookOptions>;

export const hook: Use = /* @__PURE__ */ use({
  details:
    'Agents run it before and after their own tools and tell it on standard input what they are about: before, what others changed is recorded as that; after, the change is recorded as an edit of that session. Files outside of the repository and files that git ignores are passed over. What a person rejected it tells the agent, and an edit that would put it back it denies. It never stops an agent: the exit code is 0 also where nothing could be recorded; with --json it says what was done.',
  arguments: [['<agent>', HOOKED_AGENTS.join(', '), HOOKED_AGENTS]],
  options: hookOptions,
  examples: [
    ['vedit install claude-code', 'puts it into the settings of the client'],
    ['vedit log --agent claude-code --oneline', 'what came of it'],
  ],
});

const toolsOptions = [
  ['--read-only', 'only tools that change nothing'],
  ['--full', 'every field with its description, for three times as many tokens'],
  ['--prefix <text>', 'put before every name'],
] as const;

export type ToolsOptions = OptionsOf<typeof toolsOptions>;

export const tools: Use = /* @__PURE__ */ use({
  details:
    'With --json each tool has its name, title, description, inputSchema (JSON Schema) and whether it only reads. Any agent that is offered these can be served by vedit apply.',
  arguments: [['[set]', 'minimal, standard or all, which is the default', ['minimal', 'standard', 'all']]],
  options: toolsOptions,
  examples: [
    ['vedit tools', ''],
    [
      "vedit tools standard --json | jq '.data.tools[] | {name, description, input_schema: .inputSchema}'",
      '',
    ],
  ],
});

/** The shells that there are scripts for. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;

const completionOptions = [
  [
    '--list <kind>',
    'print the names that there are, each with what it is, or what the last word of a line can be: line',
    ['commit', 'session', 'agent', 'trail', 'branch', 'op', 'command', 'line'],
  ],
] as const;

export type CompletionOptions = OptionsOf<typeof completionOptions> & TrailOptions;

export const completion: Use = /* @__PURE__ */ use({
  details:
    'At every press of Tab the scripts ask vedit completion --list line for what the last word of the line can be: commands, options, what options can be, commits, sessions, agents, trails and branches. They complete git vedit as well.',
  arguments: [
    ['[shell]', SHELLS.join(', '), SHELLS],
    ['[words...]', 'for --list line: the line after vedit, behind --'],
  ],
  options: [...completionOptions, ...trailOptions],
  examples: [
    [
      'vedit completion bash | tee ~/.local/share/bash-completion/completions/{vedit,git-vedit} > /dev/null',
      'for vedit and git vedit',
    ],
    ['vedit completion zsh | tee ~/.zfunc/{_vedit,_git-vedit} > /dev/null', 'where ~/.zfunc is in fpath'],
    ['vedit completion fish > ~/.config/fish/conf.d/vedit.fish', ''],
  ],
});
