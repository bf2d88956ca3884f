/** The tools over the Model Context Protocol: https://modelcontextprotocol.io */

import {
  CLIENT_INFO_META_KEY,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { type CheckOptions, optionsCheck } from '../../engine/calls/call-options.ts';
import { asEditError, hostFailure } from '../../engine/calls/failure.ts';
import * as option from '../../engine/calls/option.ts';
import { EditError } from '../../errors.ts';
import { unknownTool } from '../../tools/index.ts';
import { refusal } from '../../tools/run.ts';
import { type OpenSchema, openSchema } from '../../tools/toolset/json-schema.ts';
import {
  instructionsFor,
  type OfferedTool,
  offeredTools,
  type ToolsetOptions,
  toolsetFields,
} from '../../tools/toolset/toolset.ts';
import type { Workspace } from '../../workspace/open.ts';
import { type SessionOptions, sessionOption } from '../../workspace/opening/workspace-options.ts';
import type { Session } from '../../workspace/session.ts';
import { type CallResult, callResult, OUTPUT_SCHEMA } from './answer.ts';
import { type Annotations, type AppPage, hints, McpApp, wrapHandlers } from './app.ts';
import { type Caller, callerOf, given as withValues } from './caller.ts';

export interface McpOptions extends ToolsetOptions {
  /** Opens the workspace: at the first call, and again while it fails: a client starts its servers before there is a repository. */
  open(): Promise<Workspace>;
  /** Returns the workspace of a call about another folder than that; `null`: it is about none. */
  openFor?: ((input: unknown) => Promise<Workspace | null>) | undefined;
  /** The editor; its name is otherwise that of the client. */
  session?: SessionOptions | undefined;
  /** Sessions that the environment names, each of one agent. */
  proven?: ReadonlyArray<{ agent: string; session: string }> | undefined;
  /** Called before the first call that may change files of a workspace. */
  writes?: ((workspace: Workspace) => Promise<void>) | undefined;
  /** The version of this server, as clients show it. */
  version: string;
  /**
   * Results have `structuredContent` beside the text: the same text, with ids, versions and counts for programs. Default:
   * text alone, because several clients show the model only the structure, and that twice as long.
   */
  structured?: boolean | undefined;
  /** For clients that show pages of servers (MCP Apps): what they show. Others are offered nothing of it. */
  page?: AppPage | undefined;
}

const checkMcp: CheckOptions<McpOptions> = optionsCheck(
  {
    ...toolsetFields,
    open: option.functionOf<McpOptions['open']>,
    session: sessionOption,
    proven: () => option.objectOf<NonNullable<McpOptions['proven']>>().optional(),
    openFor: option.callback<NonNullable<McpOptions['openFor']>>,
    writes: option.callback<NonNullable<McpOptions['writes']>>,
    version: option.requiredText,
    structured: option.flag,
    page: () => option.objectOf<AppPage>().optional(),
  },
  { version: '1.0.0' },
);

/** Milliseconds in which what has been read becomes a call. */
const GRACE_MS = 20;

/**
 * All calls of one connection: one session, which does them in the order in which they came. Where the client has sessions
 * of its own, and says so, it is that one: a new one after `/clear`, with nothing shown to it yet.
 */
export class McpConnection {
  readonly tools: readonly OfferedTool[];
  readonly #options: McpOptions;
  readonly #app: McpApp | null;
  #workspace: Promise<Workspace> | null = null;
  readonly #writes = new Map<Workspace, Promise<void>>();
  /** The sessions of each workspace by the client's id; '' where it has none. */
  readonly #sessions = new Map<Workspace, Map<string, Session>>();
  #asked: Promise<unknown> = Promise.resolve();
  #made = 0;
  #answered = 0;

  /** Throws INVALID_INPUT for options and tools that there are not. */
  constructor(options: McpOptions) {
    this.#options = checkMcp('McpConnection', options);
    this.#app = this.#options.page ? new McpApp(this.#options.page) : null;
    this.tools = offeredTools(this.#options);
  }

  /** Resolves when all that was asked for is answered. */
  async idle(): Promise<void> {
    for (let made = -1; made !== this.#made || this.#answered < made; ) {
      made = this.#made;
      await new Promise(done => setTimeout(done, GRACE_MS));
    }
  }

  /** Makes a server with the tools; the caller connects it to a transport. */
  server(): McpServer {
    const { version, structured = false } = this.#options;
    const info = { name: 'vedit', title: 'Versioned edits', version };
    const instructions = instructionsFor(this.#options);
    // Where there are tools, the first one brings the capability: until then the handlers can be wrapped.
    const capabilities = this.tools.length === 0 ? { tools: {} } : {};
    const server = new McpServer(info, { instructions, capabilities });
    this.#app?.attach(server);
    refuseUnknownTools(server, this.tools);
    for (const tool of this.tools) {
      server.registerTool(tool.name, listing(tool, { structured }), (input, context) =>
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
    const { structured = false } = this.#options;
    const stop = heartbeat(context);
    this.#made++;
    try {
      const workspace = await this.#opened(input);
      if (workspace instanceof EditError) return callResult(refusal(workspace), structured);
      if (!tool.readOnly) await this.#noteWrites(workspace);
      // What was answered while it was looked who calls, the caller did not know when it called.
      const known = [...(this.#sessions.get(workspace)?.values() ?? [])];
      const moments = new Map(known.map(one => [one, one.moment()]));
      const caller = await this.#callerOf(workspace, clientName(server, context), context);
      const session = this.#sessionOf(workspace, caller);
      const { callId = caller.call, uniqueCall } = callOf(context);
      const { turn } = caller;
      const model = this.#options.session?.model ?? caller.model;
      const result = await tool.run(session, input, callId, {
        ...{ signal, uniqueCall, known: moments.get(session), turn, model },
        mayBeBroken: true,
      });
      return callResult(result, structured);
    } finally {
      this.#answered++;
      stop();
    }
  }

  /** Opens the workspace at the first call; what cannot be opened is a refusal, and tried again at the next call. */
  async #opened(input: unknown): Promise<Workspace | EditError> {
    const open = async (): Promise<Workspace> => this.#options.open();
    this.#workspace ??= open().catch(error => {
      throw hostFailure('open', error);
    });
    try {
      return (await this.#options.openFor?.(input)) ?? (await this.#workspace);
    } catch (error) {
      this.#workspace = null;
      return asEditError(error);
    }
  }

  #noteWrites(workspace: Workspace): Promise<void> {
    const noted = this.#writes.get(workspace) ?? this.#options.writes?.(workspace) ?? Promise.resolve();
    this.#writes.set(workspace, noted);
    return noted;
  }

  /** Tells whose a call is. It answers in the order in which it is asked. */
  #callerOf(workspace: Workspace, name: string | undefined, context: ServerContext): Promise<Caller> {
    const asked = this.#asked.then(async () => {
      const hooked = await workspace.agentClient().catch(() => null);
      return callerOf(name, context.mcpReq._meta, [hooked, ...(this.#options.proven ?? [])]);
    });
    this.#asked = asked;
    return asked;
  }

  #sessionOf(workspace: Workspace, { agent, client, session: id, model }: Caller): Session {
    const given = this.#options.session;
    const key = given?.id ?? id ?? '';
    const sessions = this.#sessions.get(workspace) ?? new Map<string, Session>();
    this.#sessions.set(workspace, sessions);
    const known = sessions.get(key);
    if (known) return known;
    const named = given?.agent === undefined ? { agent, client } : {};
    const options = { ...named, model, id, ...withValues({ ...given }) };
    const session = workspace.session(options);
    sessions.set(key, session);
    return session;
  }
}

/**
 * The SDK answers a tool that is not there with an error of the protocol, `Tool x not found`. It stays one, as the
 * specification has it, and says which tool was meant: many clients show it to the model. To be called before a tool is
 * registered.
 */
function refuseUnknownTools(server: McpServer, tools: readonly OfferedTool[]): void {
  wrapHandlers(server, {
    'tools/call': handler => (request, context) => {
      const { name = '' } = request.params ?? {};
      if (tools.some(tool => tool.name === name)) return handler(request, context);
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, unknownTool(name, tools).message);
    },
  });
}

/** Reads the model's own id of the call, where the client passes it on; the request's, and a progress token, are only numbers. */
function callOf(context: ServerContext): { callId?: string; uniqueCall?: boolean } {
  const named = Object.entries(context.mcpReq._meta ?? {}).filter(([name]) => TOOL_USE_ID.test(name));
  const id = named.map(([, value]) => value).find(value => typeof value === 'string' && value !== '');
  return typeof id === 'string' ? { callId: id, uniqueCall: !COUNTED.test(id) } : {};
}

/** Matches the field of a tool call's id: `claudecode/toolUseId`, and as others spell it. */
const TOOL_USE_ID = /(^|[/._-])tool[_-]?(use|call)[_-]?id$/i;

/** `call_0`, `7`: a number of the conversation, or of a turn. */
const COUNTED = /^([a-z]*[_-])*\d{1,8}$/i;

/** Clients of 2025 say it once, in `initialize`; those of 2026 with every request. */
function clientName(server: McpServer, context: ServerContext): string | undefined {
  const envelope = context.mcpReq.envelope as { [CLIENT_INFO_META_KEY]?: { name?: string } } | undefined;
  return envelope?.[CLIENT_INFO_META_KEY]?.name ?? server.server.getClientVersion()?.name;
}

const EVERY = 1_000;

/** Starts to send progress; the function that it returns stops that. Does nothing without a progress token. */
function heartbeat(context: ServerContext): () => void {
  const progressToken = context.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => {};
  let seconds = 0;
  const tell = (message: string): void => {
    const params = { progressToken, progress: seconds++, message };
    void context.mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  };
  tell('waiting for its turn');
  const timer = setInterval(() => tell('working'), EVERY);
  return () => clearInterval(timer);
}

interface Listing {
  title: string;
  description: string;
  inputSchema: OpenSchema;
  /** Only where results have a structure. */
  outputSchema?: OpenSchema;
  annotations: Annotations;
}

export function listing(tool: OfferedTool, { structured = false }: { structured?: boolean } = {}): Listing {
  return {
    title: tool.title,
    description: tool.description,
    inputSchema: openSchema(tool.inputSchema),
    ...(structured ? { outputSchema: openSchema(OUTPUT_SCHEMA) } : {}),
    annotations: hints(tool.readOnly, ASKED_ABOUT.has(tool.tool)),
  };
}

/**
 * Nothing is destructive where every earlier state is kept; but that a file is gone is what a person wants to be asked
 * about all the same.
 */
const ASKED_ABOUT: ReadonlySet<string> = new Set(['delete']);
