/** Facts of each client: by what it is found, where it keeps servers and hooks, and what stands for vedit there. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { onPath } from '../terminal/programs.ts';

export interface StartCommand {
  command: string;
  args: readonly string[];
}

export interface Client {
  /** Its program on the PATH, '' for none, and what only it makes in a home. */
  signs: readonly [program: string, ...folders: string[]];
  /** The file in a project, with `/`; `null` where a client has none. */
  project: string | null;
  /** Other names that the file in a project may have. */
  projectAlso: readonly string[];
  /** The file of a user: below their home, or by name of the system below the folder for settings. */
  user: string | Readonly<Record<'linux' | 'darwin' | 'win32', string>>;
  /** A variable that names the folder of the files of a user, in place of the home. */
  userFolder?: string;
  format: 'json' | 'toml';
  /** The way to the entry in the file. */
  path: readonly string[];
  /** The word that the client puts the open folder in for; `null` where it knows none and starts the server there. */
  folder: string | null;
  /** True where there is no open folder, so that one has to be named. */
  homeless: boolean;
  /** `isUser`: for the settings of a user, which nobody else gets. */
  entry(start: StartCommand, isUser: boolean): object;
  /** A person's part before the client starts a server that settings of a project name. */
  consent?: string;
  /** Further members of a new file. */
  fresh?: object;
  /** Where it keeps hooks in lists of JSON, below `hooks.<event>`. */
  hooks?: ListedHooks;
}

interface ListedHooks {
  /** The file in a project, and that of a user below their home. */
  project: string;
  user: string;
  /** The client's own names of its events, with the tools that they are wanted for; `''` for an event of no tool. */
  events: Readonly<Record<string, string>>;
  entry(command: string, matcher: string): object;
  fresh?: object;
}

/** Claude Code offers the tools of other servers only when they are searched for. */
const alwaysLoaded = (start: StartCommand): object => ({ ...start, alwaysLoad: true });

const SERVERS = {
  projectAlso: [],
  format: 'json',
  path: ['mcpServers', 'vedit'],
  folder: null,
  homeless: false,
  entry: (start: StartCommand): object => ({ ...start }),
} as const;

// biome-ignore lint/suspicious/noTemplateCurlyInString: the clients' own placeholder
const WORKSPACE = '${workspaceFolder}';

/** The file in a project has the same path as that of a user below their home. */
const both = (file: string): { project: string; user: string } => ({ project: file, user: file });

/** As Claude Code has it, and those that followed it: a matcher, and what is started. `timeout` in the client's unit. */
const group =
  (timeout: number) =>
  (command: string, matcher: string): object => ({
    ...(matcher && { matcher }),
    hooks: [{ type: 'command', command, timeout }],
  });

const noTools = (...events: string[]): Record<string, string> =>
  Object.fromEntries(events.map(event => [event, '']));

const forTools = (matcher: string, ...events: string[]): Record<string, string> =>
  Object.fromEntries(events.map(event => [event, matcher]));

const SESSION = noTools('SessionStart', 'UserPromptSubmit', 'Stop', 'SessionEnd');
const CALLS = ['PreToolUse', 'PostToolUse', 'PostToolUseFailure'];

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

export type ClientName = (typeof CLIENT_NAMES)[number];

const CLIENTS: Readonly<Record<ClientName, Client>> = {
  /** https://code.claude.com/docs/en/mcp, https://code.claude.com/docs/en/hooks */
  'claude-code': {
    ...SERVERS,
    signs: ['claude', '.claude'],
    project: '.mcp.json',
    user: '.claude.json',
    userFolder: 'CLAUDE_CONFIG_DIR',
    entry: alwaysLoaded,
    consent: 'Claude Code asks once whether it may start the servers of a project',
    hooks: {
      ...both('.claude/settings.json'),
      // The tools that may change files: its own, its shell, and those of other servers.
      events: {
        ...SESSION,
        ...forTools(
          '^(Edit|MultiEdit|Write|NotebookEdit|Bash|PowerShell|mcp__(?!vedit__|plugin_vedit_).*)$',
          ...CALLS,
        ),
      },
      entry: group(20),
    },
  },
  /** https://modelcontextprotocol.io/docs/develop/connect-local-servers */
  'claude-desktop': {
    ...SERVERS,
    signs: ['', '.config/Claude', 'Library/Application Support/Claude', 'AppData/Roaming/Claude'],
    project: null,
    user: {
      linux: '.config/Claude/claude_desktop_config.json',
      darwin: 'Library/Application Support/Claude/claude_desktop_config.json',
      win32: 'AppData/Roaming/Claude/claude_desktop_config.json',
    },
    homeless: true,
  },
  /** https://docs.cursor.com/context/model-context-protocol, https://cursor.com/docs/hooks */
  cursor: {
    ...SERVERS,
    signs: ['cursor', '.cursor'],
    ...both('.cursor/mcp.json'),
    folder: WORKSPACE,
    hooks: {
      ...both('.cursor/hooks.json'),
      events: {
        ...noTools('sessionStart', 'beforeSubmitPrompt', 'stop', 'sessionEnd'),
        ...forTools(
          'Write|StrReplace|Delete|ApplyPatch|Shell',
          'preToolUse',
          'postToolUse',
          'postToolUseFailure',
        ),
      },
      entry: (command, matcher) => ({ command, ...(matcher && { matcher }), timeout: 20 }),
      fresh: { version: 1 },
    },
  },
  /** https://code.visualstudio.com/docs/copilot/reference/mcp-configuration has another top key. */
  vscode: {
    ...SERVERS,
    signs: ['code', '.config/Code', 'Library/Application Support/Code', 'AppData/Roaming/Code'],
    project: '.vscode/mcp.json',
    user: {
      linux: '.config/Code/User/mcp.json',
      darwin: 'Library/Application Support/Code/User/mcp.json',
      win32: 'AppData/Roaming/Code/User/mcp.json',
    },
    path: ['servers', 'vedit'],
    folder: WORKSPACE,
    entry: start => ({ type: 'stdio', ...start }),
  },
  /** https://developers.openai.com/codex/mcp, https://developers.openai.com/codex/hooks */
  codex: {
    ...SERVERS,
    signs: ['codex', '.codex'],
    ...both('.codex/config.toml'),
    userFolder: 'CODEX_HOME',
    format: 'toml',
    path: ['mcp_servers', 'vedit'],
    // Where it is required and missing, Codex does not start: so nobody else is given that.
    entry: (start, isUser) => ({ ...start, ...(isUser && { required: true }) }),
    consent: 'Codex reads the settings of a project that you trust; it asks when it is first started there',
    hooks: {
      ...both('.codex/hooks.json'),
      // Its expressions look at nothing ahead.
      events: {
        ...noTools('SessionStart', 'UserPromptSubmit', 'Stop'),
        ...forTools('^(Bash|apply_patch|mcp__.*)$', 'PreToolUse', 'PostToolUse'),
      },
      entry: group(20),
    },
  },
  /** https://geminicli.com/docs/tools/mcp-server, https://geminicli.com/docs/hooks/reference (in milliseconds) */
  gemini: {
    ...SERVERS,
    signs: ['gemini', '.gemini'],
    ...both('.gemini/settings.json'),
    consent: 'Gemini CLI starts servers in folders that you trust; it asks when it is first started there',
    hooks: {
      ...both('.gemini/settings.json'),
      events: {
        ...noTools('SessionStart', 'BeforeAgent', 'AfterAgent', 'SessionEnd'),
        ...forTools('^(write_file|replace|run_shell_command|mcp_(?!vedit_).*)$', 'BeforeTool', 'AfterTool'),
      },
      entry: group(20_000),
    },
  },
  /** https://opencode.ai/docs/mcp-servers */
  opencode: {
    ...SERVERS,
    signs: ['opencode', '.config/opencode'],
    project: 'opencode.json',
    projectAlso: ['opencode.jsonc'],
    user: '.config/opencode/opencode.json',
    path: ['mcp', 'vedit'],
    entry: ({ command, args }) => ({ type: 'local', command: [command, ...args], enabled: true }),
    fresh: { $schema: 'https://opencode.ai/config.json' },
  },
  /**
   * https://docs.github.com/en/copilot/how-tos/copilot-cli, https://docs.github.com/en/copilot/reference/hooks-reference;
   * the file of a project is that of Claude Code. The case of the events' names chooses the form of its events.
   */
  copilot: {
    ...SERVERS,
    signs: ['copilot', '.copilot'],
    project: '.mcp.json',
    user: '.copilot/mcp-config.json',
    entry: (start, isUser) => (isUser ? { type: 'local', ...start, tools: ['*'] } : alwaysLoaded(start)),
    consent: 'Copilot CLI starts servers in folders that you trust; it asks when it is first started there',
    hooks: {
      project: '.github/hooks/vedit.json',
      user: '.copilot/hooks/vedit.json',
      events: { ...SESSION, ...noTools(...CALLS) },
      entry: command => ({ type: 'command', bash: command, timeoutSec: 20 }),
      fresh: { version: 1 },
    },
  },
  /** https://github.com/QwenLM/qwen-code, docs/users/features/mcp.md and hooks.md (in milliseconds) */
  qwen: {
    ...SERVERS,
    signs: ['qwen', '.qwen'],
    ...both('.qwen/settings.json'),
    hooks: {
      ...both('.qwen/settings.json'),
      events: {
        ...SESSION,
        ...forTools('^(write_file|edit|notebook_edit|run_shell_command|mcp__(?!vedit__).*)$', ...CALLS),
      },
      entry: group(20_000),
    },
  },
  /** https://docs.cline.bot/mcp/configuring-mcp-servers */
  cline: {
    ...SERVERS,
    signs: ['cline', '.cline'],
    project: null,
    user: '.cline/data/settings/cline_mcp_settings.json',
  },
};

export function clientNamed(name: ClientName): Client {
  return CLIENTS[name];
}

/** The clients that tell a program of what they do: opencode by a plugin, and Cline by programs. */
export type HookClient = Exclude<ClientName, 'claude-desktop' | 'vscode'>;

/** True for a client that has hooks. */
export function isHooked(client: string): client is HookClient {
  return CLIENT_NAMES.some(name => name === client) && client !== 'claude-desktop' && client !== 'vscode';
}

/** The entries of each event in a list. */
export function hookEntries({ events, entry }: ListedHooks, command: string): Record<string, object> {
  return Object.fromEntries(
    Object.entries(events).map(([event, matcher]) => [event, entry(command, matcher)]),
  );
}

/** The clients that are on this machine, by name, each with the sign of it: its program, or what it keeps in the home. */
export function clientsHere(home: string, env: NodeJS.ProcessEnv): Map<ClientName, string> {
  const found = new Map<ClientName, string>();
  for (const name of CLIENT_NAMES) {
    const [program, ...folders] = CLIENTS[name].signs;
    const folder = folders.find(one => existsSync(join(home, one)));
    const path = program === '' ? null : onPath(program, env);
    const sign = path ?? (folder === undefined ? undefined : `~/${folder}`);
    if (sign !== undefined) found.set(name, sign);
  }
  return found;
}
