/** The programs that start this server, and what stands for it in the settings of each. */

export interface StartCommand {
  command: string;
  args: readonly string[];
}

/** Where a client keeps its servers. */
export interface Client {
  /** The file in a project, with `/`; `null` where a client has none. */
  project: string | null;
  /** Other names that the file in a project may have. */
  projectAlso: readonly string[];
  /** The file of a user: below their home, or by name of the system below the folder for settings. */
  user: string | Readonly<Record<'linux' | 'darwin' | 'win32', string>>;
  /** A variable that names the folder of the file of a user, in place of the home. */
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
}

const plain = (start: StartCommand): object => ({ ...start });

/** Claude Code offers the tools of other servers only when they are searched for. */
const alwaysLoaded = (start: StartCommand): object => ({ ...start, alwaysLoad: true });

const SERVERS: Pick<Client, 'projectAlso' | 'format' | 'path' | 'folder' | 'homeless' | 'entry'> = {
  projectAlso: [],
  format: 'json',
  path: ['mcpServers', 'vedit'],
  folder: null,
  homeless: false,
  entry: plain,
};

// biome-ignore lint/suspicious/noTemplateCurlyInString: the clients' own placeholder
const WORKSPACE = '${workspaceFolder}';

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
  /** https://code.claude.com/docs/en/mcp */
  'claude-code': {
    ...SERVERS,
    project: '.mcp.json',
    user: '.claude.json',
    userFolder: 'CLAUDE_CONFIG_DIR',
    entry: alwaysLoaded,
    consent: 'Claude Code asks once whether it may start the servers of a project',
  },
  /** https://modelcontextprotocol.io/docs/develop/connect-local-servers */
  'claude-desktop': {
    ...SERVERS,
    project: null,
    user: {
      linux: '.config/Claude/claude_desktop_config.json',
      darwin: 'Library/Application Support/Claude/claude_desktop_config.json',
      win32: 'AppData/Roaming/Claude/claude_desktop_config.json',
    },
    homeless: true,
  },
  /** https://docs.cursor.com/context/model-context-protocol */
  cursor: { ...SERVERS, project: '.cursor/mcp.json', user: '.cursor/mcp.json', folder: WORKSPACE },
  /** https://code.visualstudio.com/docs/copilot/reference/mcp-configuration has another top key. */
  vscode: {
    ...SERVERS,
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
  /** https://developers.openai.com/codex/mcp */
  codex: {
    ...SERVERS,
    project: '.codex/config.toml',
    user: '.codex/config.toml',
    userFolder: 'CODEX_HOME',
    format: 'toml',
    path: ['mcp_servers', 'vedit'],
    // Where it is required and missing, Codex does not start: so nobody else is given that.
    entry: (start, isUser) => ({ ...start, ...(isUser && { required: true }) }),
    consent: 'Codex reads the settings of a project that you trust; it asks when it is first started there',
  },
  /** https://geminicli.com/docs/tools/mcp-server */
  gemini: {
    ...SERVERS,
    project: '.gemini/settings.json',
    user: '.gemini/settings.json',
    consent: 'Gemini CLI starts servers in folders that you trust; it asks when it is first started there',
  },
  /** https://opencode.ai/docs/mcp-servers */
  opencode: {
    ...SERVERS,
    project: 'opencode.json',
    projectAlso: ['opencode.jsonc'],
    user: '.config/opencode/opencode.json',
    path: ['mcp', 'vedit'],
    entry: ({ command, args }) => ({ type: 'local', command: [command, ...args], enabled: true }),
    fresh: { $schema: 'https://opencode.ai/config.json' },
  },
  /** https://docs.github.com/en/copilot/how-tos/copilot-cli; the file of a project is that of Claude Code. */
  copilot: {
    ...SERVERS,
    project: '.mcp.json',
    user: '.copilot/mcp-config.json',
    entry: (start, isUser) => (isUser ? { type: 'local', ...start, tools: ['*'] } : alwaysLoaded(start)),
    consent: 'Copilot CLI starts servers in folders that you trust; it asks when it is first started there',
  },
  /** https://github.com/QwenLM/qwen-code, docs/users/features/mcp.md */
  qwen: { ...SERVERS, project: '.qwen/settings.json', user: '.qwen/settings.json' },
  /** https://docs.cline.bot/mcp/configuring-mcp-servers */
  cline: { ...SERVERS, project: null, user: '.cline/data/settings/cline_mcp_settings.json' },
};

export function clientNamed(name: ClientName): Client {
  return CLIENTS[name];
}
