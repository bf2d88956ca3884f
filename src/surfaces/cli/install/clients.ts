/** The clients that install sets up, a row each: how one is found, where it keeps servers and hooks, what stands for vedit there. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { onPath } from '../terminal/programs.ts';
import { clineScript, opencodePlugin, type StartBy, type StartCommand } from './start.ts';

export interface Client {
  name: string;
  /** Its program on the PATH, and what only it makes in a home. */
  program?: string;
  signs: readonly string[];
  /** The names that the file of its servers may have in a project, with `/`; none where a client has no settings of one. */
  project: readonly string[];
  /** The file of a user, below their home; default: as in a project. */
  user?: string;
  /** A variable that names the folder of the files of a user, in place of the home. */
  userFolder?: string;
  format?: 'toml';
  /** The way to the entry in the file; default: `mcpServers.vedit`. */
  path?: readonly string[];
  /** The word that the client puts the open folder in for; default: the server edits where it is started. */
  folder?: string;
  /** True where there is no open folder, so that one has to be named. */
  homeless?: true;
  /** Default: the command as it is. `isUser`: for the settings of a user, which nobody else gets. */
  entry?(start: StartCommand, isUser: boolean): object;
  /** Where it reads skills, below a project and a home. */
  skills?: string;
  /** The file of a person's own hooks in a project; their own server stands in the file of the user, by the project's path. */
  local?: string;
  /** A person's part before the client starts a server that settings of a project name. */
  consent?: string;
  /** Further members of a new file. */
  fresh?: object;
  /** Where it keeps hooks in lists of JSON, below `hooks.<event>`. */
  hooks?: ListedHooks;
  /** Hooks that are files of their own. */
  hookFiles?: readonly HookFile[];
  /** The event at which a hook answers by the client's mode which tools may be used. */
  rightsEvent?: string;
}

interface ListedHooks {
  /** The file in a project, and that of a user below their home; default: the same. */
  project: string;
  user?: string;
  /** The client's own names of its events, with the tools that they are wanted for; `''` for an event of no tool. */
  events: Readonly<Record<string, string>>;
  entry(command: string, matcher: string): object;
  fresh?: object;
}

interface HookFile {
  project: string;
  user: string;
  text(by: StartBy): string;
  mode: number;
}

/** Claude Code offers the tools of other servers only when they are searched for. */
const alwaysLoaded = (start: StartCommand): object => ({ ...start, alwaysLoad: true });

// biome-ignore lint/suspicious/noTemplateCurlyInString: the clients' own placeholder
const WORKSPACE = '${workspaceFolder}';

/** Where programs with windows keep their settings, by system. */
const APP_FOLDERS = { linux: '.config', darwin: 'Library/Application Support', win32: 'AppData/Roaming' };
const appFolder =
  process.platform === 'darwin' || process.platform === 'win32'
    ? APP_FOLDERS[process.platform]
    : APP_FOLDERS.linux;
const inAnyAppFolder = (name: string): string[] =>
  Object.values(APP_FOLDERS).map(folder => `${folder}/${name}`);

/** As Claude Code has it, and those that followed it: a matcher, and what is started. `timeout` in the client's unit. */
const group =
  (timeout: number) =>
  (command: string, matcher: string): object => ({
    ...(matcher && { matcher }),
    hooks: [{ type: 'command', command, timeout }],
  });

const forTools = (matcher: string, events: string): Record<string, string> =>
  Object.fromEntries(events.split(' ').map(event => [event, matcher]));

const SESSION = forTools('', 'SessionStart UserPromptSubmit Stop SessionEnd');
const CALLS = 'PreToolUse PostToolUse PostToolUseFailure';

/** The folder of skills that most clients read beside their own. */
const COMMON_SKILLS = '.agents/skills';

export const CLIENTS: readonly Client[] = [
  {
    // https://code.claude.com/docs/en/mcp, https://code.claude.com/docs/en/hooks
    name: 'claude-code',
    program: 'claude',
    signs: ['.claude'],
    project: ['.mcp.json'],
    user: '.claude.json',
    userFolder: 'CLAUDE_CONFIG_DIR',
    entry: alwaysLoaded,
    consent: 'Claude Code asks once whether it may start the servers of a project',
    hooks: {
      project: '.claude/settings.json',
      // The tools that may change files: its own, its shell, and those of other servers.
      events: {
        ...SESSION,
        ...forTools(
          '^(Edit|MultiEdit|Write|NotebookEdit|Bash|PowerShell|mcp__(?!vedit__|plugin_vedit_).*)$',
          CALLS,
        ),
      },
      entry: group(20),
    },
    rightsEvent: 'PreToolUse',
    skills: '.claude/skills',
    local: '.claude/settings.local.json',
  },
  {
    // https://modelcontextprotocol.io/docs/develop/connect-local-servers
    name: 'claude-desktop',
    signs: inAnyAppFolder('Claude'),
    project: [],
    user: `${appFolder}/Claude/claude_desktop_config.json`,
    homeless: true,
  },
  {
    // https://docs.cursor.com/context/model-context-protocol, https://cursor.com/docs/hooks
    name: 'cursor',
    skills: COMMON_SKILLS,
    program: 'cursor',
    signs: ['.cursor'],
    project: ['.cursor/mcp.json'],
    folder: WORKSPACE,
    hooks: {
      project: '.cursor/hooks.json',
      events: {
        ...forTools('', 'sessionStart beforeSubmitPrompt stop sessionEnd'),
        ...forTools('Write|StrReplace|Delete|ApplyPatch|Shell', 'preToolUse postToolUse postToolUseFailure'),
      },
      entry: (command, matcher) => ({ command, ...(matcher && { matcher }), timeout: 20 }),
      fresh: { version: 1 },
    },
  },
  {
    // https://code.visualstudio.com/docs/copilot/reference/mcp-configuration has another top key.
    name: 'vscode',
    skills: COMMON_SKILLS,
    program: 'code',
    signs: inAnyAppFolder('Code'),
    project: ['.vscode/mcp.json'],
    user: `${appFolder}/Code/User/mcp.json`,
    path: ['servers', 'vedit'],
    folder: WORKSPACE,
    entry: start => ({ type: 'stdio', ...start }),
  },
  {
    // https://developers.openai.com/codex/mcp, https://developers.openai.com/codex/hooks
    name: 'codex',
    skills: COMMON_SKILLS,
    program: 'codex',
    signs: ['.codex'],
    project: ['.codex/config.toml'],
    userFolder: 'CODEX_HOME',
    format: 'toml',
    path: ['mcp_servers', 'vedit'],
    // Where it is required and missing, Codex does not start: so nobody else is given that.
    entry: (start, isUser) => ({ ...start, ...(isUser && { required: true }) }),
    consent: 'Codex reads the settings of a project that you trust; it asks when it is first started there',
    hooks: {
      project: '.codex/hooks.json',
      // Its expressions look at nothing ahead.
      events: {
        ...forTools('', 'SessionStart UserPromptSubmit Stop'),
        ...forTools('^(Bash|apply_patch|mcp__.*)$', 'PreToolUse PostToolUse'),
      },
      entry: group(20),
    },
  },
  {
    // https://geminicli.com/docs/tools/mcp-server, https://geminicli.com/docs/hooks/reference (in milliseconds)
    name: 'gemini',
    skills: COMMON_SKILLS,
    program: 'gemini',
    signs: ['.gemini'],
    project: ['.gemini/settings.json'],
    consent: 'Gemini CLI starts servers in folders that you trust; it asks when it is first started there',
    hooks: {
      project: '.gemini/settings.json',
      events: {
        ...forTools('', 'SessionStart BeforeAgent AfterAgent SessionEnd'),
        ...forTools('^(write_file|replace|run_shell_command|mcp_(?!vedit_).*)$', 'BeforeTool AfterTool'),
      },
      entry: group(20_000),
    },
  },
  {
    // https://opencode.ai/docs/mcp-servers, https://opencode.ai/docs/plugins
    name: 'opencode',
    skills: COMMON_SKILLS,
    program: 'opencode',
    signs: ['.config/opencode'],
    project: ['opencode.json', 'opencode.jsonc'],
    user: '.config/opencode/opencode.json',
    path: ['mcp', 'vedit'],
    entry: ({ command, args }) => ({ type: 'local', command: [command, ...args], enabled: true }),
    fresh: { $schema: 'https://opencode.ai/config.json' },
    hookFiles: [
      {
        project: '.opencode/plugins/vedit.js',
        user: '.config/opencode/plugins/vedit.js',
        text: opencodePlugin,
        mode: 0o644,
      },
    ],
  },
  {
    // https://docs.github.com/en/copilot/how-tos/copilot-cli, https://docs.github.com/en/copilot/reference/hooks-reference;
    // the file of a project is that of Claude Code. The case of the events' names chooses the form of its events.
    name: 'copilot',
    skills: COMMON_SKILLS,
    program: 'copilot',
    signs: ['.copilot'],
    project: ['.mcp.json'],
    user: '.copilot/mcp-config.json',
    entry: (start, isUser) => (isUser ? { type: 'local', ...start, tools: ['*'] } : alwaysLoaded(start)),
    consent: 'Copilot CLI starts servers in folders that you trust; it asks when it is first started there',
    hooks: {
      project: '.github/hooks/vedit.json',
      user: '.copilot/hooks/vedit.json',
      events: { ...SESSION, ...forTools('', CALLS) },
      entry: command => ({ type: 'command', bash: command, timeoutSec: 20 }),
      fresh: { version: 1 },
    },
  },
  {
    // https://github.com/QwenLM/qwen-code, docs/users/features/mcp.md and hooks.md (in milliseconds)
    name: 'qwen',
    skills: '.qwen/skills',
    program: 'qwen',
    signs: ['.qwen'],
    project: ['.qwen/settings.json'],
    hooks: {
      project: '.qwen/settings.json',
      events: {
        ...SESSION,
        ...forTools('^(write_file|edit|notebook_edit|run_shell_command|mcp__(?!vedit__).*)$', CALLS),
      },
      entry: group(20_000),
    },
    // It lets a hook say yes only where it would ask.
    rightsEvent: 'PermissionRequest',
  },
  {
    // https://docs.cline.bot/mcp/configuring-mcp-servers, https://docs.cline.bot/features/hooks/hook-reference:
    // programs that have the name of the event.
    name: 'cline',
    skills: '.cline/skills',
    program: 'cline',
    signs: ['.cline'],
    project: [],
    user: '.cline/data/settings/cline_mcp_settings.json',
    hookFiles: ['TaskStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'TaskComplete'].map(event => ({
      project: `.clinerules/hooks/${event}`,
      user: `Documents/Cline/Hooks/${event}`,
      text: clineScript,
      mode: 0o755,
    })),
  },
];

export const CLIENT_NAMES: readonly string[] = CLIENTS.map(({ name }) => name);

/** The clients that are on this machine, each with the sign of it: its program, or what it keeps in the home. */
export function clientsHere(home: string, env: NodeJS.ProcessEnv): Array<[client: Client, sign: string]> {
  return CLIENTS.flatMap(client => {
    const folder = client.signs.find(one => existsSync(join(home, one)));
    const path = client.program === undefined ? null : onPath(client.program, env);
    const sign = path ?? (folder && `~/${folder}`);
    return sign === undefined ? [] : [[client, sign] as [Client, string]];
  });
}
