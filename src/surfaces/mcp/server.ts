/** The tools over the Model Context Protocol: https://modelcontextprotocol.io */

import { CLIENT_INFO_META_KEY, McpServer, type ServerContext } from '@modelcontextprotocol/server';
import { EditError } from '../../errors.ts';
import { refusal } from '../../tools/index.ts';
import { type OfferedTool, type ToolsetOptions, toolset } from '../../tools/toolset.ts';
import { plainName } from '../../workspace/editor.ts';
import { asEditError } from '../../workspace/failure.ts';
import type { SessionOptions, Workspace } from '../../workspace/open.ts';
import type { Session } from '../../workspace/session.ts';
import { type CallResult, callResult } from './answer.ts';
import { heartbeat } from './heartbeat.ts';
import { INSTRUCTIONS, listing } from './listing.ts';
import { Turns } from './turns.ts';

export interface McpOptions extends ToolsetOptions {
  /** Called at the first call, and again while it fails: a client starts its servers before there is a repository. */
  open(): Promise<Workspace>;
  /** Who edits; the agent's name is otherwise that of the client. */
  session?: SessionOptions | undefined;
  /** Of this server, as clients show it. */
  version: string;
  /**
   * Results have `structuredContent` beside the text: the same text, with ids, versions and counts for programs. Default:
   * text alone, because several clients show the model only the structure, and that twice as long.
   */
  structured?: boolean | undefined;
}

/** All calls of one connection: one session, one call at a time. */
export class McpConnection {
  readonly turns: Turns = new Turns();
  readonly tools: readonly OfferedTool[];
  readonly #options: McpOptions;
  readonly #structured: boolean;
  #session: Promise<Session> | null = null;
  #cancelled: AbortSignal | null = null;

  /** Throws INVALID_INPUT for tools that there are not. */
  constructor(options: McpOptions) {
    this.#options = options;
    this.#structured = options.structured ?? false;
    this.tools = toolset(options);
  }

  /** A server with the tools; the caller connects it to a transport. */
  server(): McpServer {
    const { version } = this.#options;
    const info = { name: 'vedit', title: 'Versioned edits', version };
    const server = new McpServer(info, { instructions: INSTRUCTIONS, capabilities: { tools: {} } });
    for (const tool of this.tools) {
      server.registerTool(tool.name, listing(tool, { structured: this.#structured }), (input, context) =>
        this.#call(server, tool, input, context),
      );
    }
    return server;
  }

  async #call(
    server: McpServer,
    tool: OfferedTool,
    input: unknown,
    context: ServerContext,
  ): Promise<CallResult> {
    const { signal } = context.mcpReq;
    const stop = heartbeat(context);
    try {
      return await this.turns.next(signal, async () => {
        this.#cancelled = signal;
        const session = await this.#sessionFor(clientName(server, context));
        const result =
          session instanceof EditError ? refusal(session) : await tool.run(session, input, callIdOf(context));
        return callResult(result, this.#structured);
      });
    } finally {
      stop();
    }
  }

  /** Opened by the first call; one that cannot be opened is a refusal, and tried again at the next call. */
  async #sessionFor(client: string | undefined): Promise<Session | EditError> {
    this.#session ??= this.#openSession(client);
    try {
      return await this.#session;
    } catch (error) {
      this.#session = null;
      return asEditError(error);
    }
  }

  async #openSession(client: string | undefined): Promise<Session> {
    const { open, session } = this.#options;
    const workspace = await open();
    return workspace.session({
      ...session,
      // A client may call itself anything, and the model could not mend it.
      agent: session?.agent ?? (client && plainName(client)),
      beforeCommit: change =>
        this.#cancelled?.aborted
          ? { deny: 'The client cancelled the call.' }
          : session?.beforeCommit?.(change),
    });
  }
}

/** The model's own id of the call, where the client passes it on; the request's is only a number of the connection. */
function callIdOf(context: ServerContext): string | undefined {
  const id = context.mcpReq._meta?.['claudecode/toolUseId'];
  return typeof id === 'string' ? id : undefined;
}

/** Clients of 2025 say it once, in `initialize`; those of 2026 with every request. */
function clientName(server: McpServer, context: ServerContext): string | undefined {
  const envelope = context.mcpReq.envelope as { [CLIENT_INFO_META_KEY]?: { name?: string } } | undefined;
  return envelope?.[CLIENT_INFO_META_KEY]?.name ?? server.server.getClientVersion()?.name;
}
