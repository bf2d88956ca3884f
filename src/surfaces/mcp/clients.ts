/** What to paste into a client's configuration, so that it starts this server. */

export interface StartCommand {
  command: string;
  args: readonly string[];
}

export interface Client {
  /** Where the text goes. */
  file: string;
  /** The word that the client puts the open folder in for; `null` where it knows none and starts the server there. */
  folder: string | null;
  /** True where there is no open folder, so that one has to be named. */
  homeless: boolean;
  config(start: StartCommand): object;
}

const servers = (start: StartCommand): object => ({ mcpServers: { vedit: start } });

/** https://code.visualstudio.com/docs/copilot/reference/mcp-configuration has another top key. */
const typedServers = (start: StartCommand): object => ({ servers: { vedit: { type: 'stdio', ...start } } });

// biome-ignore lint/suspicious/noTemplateCurlyInString: the clients' own placeholder
const WORKSPACE = '${workspaceFolder}';

export const CLIENTS: Readonly<Record<string, Client>> = {
  'claude-code': { file: '.mcp.json in the project', folder: null, homeless: false, config: servers },
  'claude-desktop': {
    file: 'claude_desktop_config.json (Settings, Developer, Edit Config)',
    folder: null,
    homeless: true,
    config: servers,
  },
  cursor: { file: '.cursor/mcp.json in the project', folder: WORKSPACE, homeless: false, config: servers },
  vscode: {
    file: '.vscode/mcp.json in the project',
    folder: WORKSPACE,
    homeless: false,
    config: typedServers,
  },
};
