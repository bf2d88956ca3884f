/**
 * The page of the edits as an MCP App (ext-apps, specification 2026-01-26): a tool that shows it to the person, the page as a
 * resource, and tools for the page alone. Clients that did not say that they show such pages are offered none of it.
 *
 * A host keeps the page's tools from the model. So that an agent accepts nothing of its own where a host does not, or where
 * it guesses a name, they do nothing without a ticket: it stands in `_meta` of the answer that opens the page.
 */

import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';

const EXTENSION = 'io.modelcontextprotocol/ui';
const MIME = 'text/html;profile=mcp-app';
const URI = 'ui://vedit/edits';
const OPENER = 'review_page';
const TICKET = 'vedit/ticket';

/** The page, and what it asks; see src/surfaces/web. */
export interface AppPage {
  html(): Promise<string>;
  readOnly: boolean;
  /** Returns what the page is answered: its structure, refusals too. `asks` is one of PAGE_CALLS. */
  answer(asks: string, input: Readonly<Record<string, unknown>>): Promise<object>;
}

interface PageCall {
  title: string;
  fields: readonly string[];
  /** Changes files, the trail, or what is accepted. */
  writes?: true;
}

/** By what the page asks, which is the end of the tool's name. */
const PAGE_CALLS: Readonly<Record<string, PageCall>> = {
  history: { title: 'Read the newest edits', fields: ['limit'] },
  open: { title: 'List what is to review', fields: ['who', 'words', 'since', 'space', 'at', 'look'] },
  hunks: { title: 'Read hunks', fields: ['ids'] },
  lines: { title: 'Read lines of a file', fields: ['path', 'from', 'to', 'commit'] },
  image: { title: 'Read a picture', fields: ['path'] },
  events: { title: 'Ask what happened', fields: ['since'] },
  accept: { title: 'Accept hunks', fields: ['hunks', 'base'], writes: true },
  accept_listed: { title: 'Accept hunks of the list', fields: ['ids', 'base'], writes: true },
  edit: { title: 'Edit a hunk, and accept it', fields: ['hunk', 'text', 'base'], writes: true },
  comment: { title: 'Comment on a hunk', fields: ['hunk', 'text', 'base'], writes: true },
  claim: { title: 'Claim what nobody claims', fields: ['base'], writes: true },
  reject: { title: 'Reject a hunk', fields: ['hunk', 'reason', 'together', 'base'], writes: true },
  take_back: { title: 'Take back what you did', fields: ['of', 'base'], writes: true },
  undo: { title: 'Undo the newest edit', fields: ['base', 'reason', 'dryRun'], writes: true },
  revert: { title: 'Take an edit out', fields: ['commit', 'base', 'reason'], writes: true },
  restore: { title: 'Restore a file', fields: ['commit', 'path', 'base', 'reason'], writes: true },
  land: {
    title: 'Land edits',
    fields: ['message', 'commits', 'session', 'accepted', 'dryRun', 'base'],
    writes: true,
  },
};

const PREFIX = 'page_';

interface PageResult {
  content: Array<{ type: 'text'; text: string }>;
  structuredContent?: object;
  isError?: boolean;
  _meta?: Readonly<Record<string, unknown>>;
}

type Handler = (
  request: { params?: { name?: string; uri?: string; arguments?: object } },
  context: ServerContext,
) => unknown;

/** Offers a page over a server to those clients that show such pages. */
export class McpApp {
  readonly #page: AppPage;
  /** The secret by which the page of this connection is known. */
  readonly #ticket = crypto.randomUUID();
  readonly #calls: ReadonlyArray<[name: string, asks: string, call: PageCall]>;

  constructor(page: AppPage) {
    this.#page = page;
    this.#calls = Object.entries(PAGE_CALLS)
      .filter(([, { writes }]) => !(writes && page.readOnly))
      .map(([asks, call]) => [`${PREFIX}${asks}`, asks, call]);
  }

  /** Offers the page on this server. To be called before a tool is registered: handlers that are set later are wrapped. */
  attach(mcp: McpServer): void {
    const { server } = mcp;
    const isShown = (context: ServerContext): boolean => showsApps(mcp, context);
    const capabilities = server.getCapabilities.bind(server);
    server.registerCapabilities({ resources: {} });
    // What a client of 2025 is told in the answer to `initialize`.
    server.getCapabilities = () => offered(capabilities(), isApp(server.getClientCapabilities()));
    const set = wrapHandlers(mcp, {
      'server/discover': handler => async (request, context) => {
        const answer = (await handler(request, context)) as { capabilities: object };
        return isShown(context)
          ? { ...answer, capabilities: { ...answer.capabilities, resources: {} } }
          : answer;
      },
      'tools/list': handler => async (request, context) => {
        const answer = (await handler(request, context)) as { tools: object[] };
        return isShown(context) ? { ...answer, tools: [...answer.tools, ...this.#listed()] } : answer;
      },
      'tools/call': handler => (request, context) => {
        const { name = '', arguments: input = {} } = request.params ?? {};
        const own = isShown(context) && (name === OPENER || this.#calls.some(([one]) => one === name));
        return own ? this.#call(name, { ...input }) : handler(request, context);
      },
    });
    for (const [method, answer] of Object.entries(this.#resources()))
      set(method, (request, context) => {
        if (isShown(context)) return answer(request.params?.uri);
        throw new ProtocolError(ProtocolErrorCode.MethodNotFound, 'Method not found');
      });
  }

  #resources(): Record<string, (uri: string | undefined) => unknown> {
    const ui = { prefersBorder: true, permissions: { clipboardWrite: {} } };
    const about = { uri: URI, mimeType: MIME, _meta: { ui } };
    const listed = { ...about, name: 'edits', title: 'Edits', description: 'The edits as they happen.' };
    return {
      'resources/list': () => ({ resources: [listed] }),
      'resources/templates/list': () => ({ resourceTemplates: [] }),
      'resources/read': async uri => {
        if (uri === URI) return { contents: [{ ...about, text: await this.#page.html() }] };
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Resource ${uri} not found`, { uri });
      },
    };
  }

  /** Lists the tools: the one that a model may call, and those of the page. */
  #listed(): object[] {
    const { readOnly } = this.#page;
    const description = readOnly
      ? 'Shows the person a page of all edits as they happen. Call it when they want to see them.'
      : 'Shows the person a page of all edits as they happen, on which they accept or reject them. Call it when they want to see or review edits; you cannot review for them.';
    const opener = {
      name: OPENER,
      title: 'Show the edits',
      description,
      inputSchema: { type: 'object', properties: {} },
      annotations: hints(true),
      _meta: { ui: { resourceUri: URI, visibility: ['model', 'app'] } },
    };
    const calls = this.#calls.map(([name, , { title, fields, writes }]) => ({
      name,
      title,
      description: `${title}: for the page alone.`,
      inputSchema: {
        type: 'object',
        properties: Object.fromEntries(['ticket', ...fields].map(field => [field, {}])),
      },
      annotations: hints(!writes),
      _meta: { ui: { visibility: ['app'] } },
    }));
    return [opener, ...calls];
  }

  async #call(name: string, { ticket, ...input }: Record<string, unknown>): Promise<PageResult> {
    if (name === OPENER) return this.#opened();
    const [, asks, { title }] = this.#calls.find(([one]) => one === name)!;
    if (ticket !== this.#ticket) return notForAgents(name);
    const answer = await this.#page.answer(asks, input);
    return { content: [{ type: 'text', text: title }], structuredContent: { ...answer } };
  }

  #opened(): PageResult {
    const text = this.#page.readOnly
      ? 'The person is shown the edits as they happen.'
      : 'The person is shown the edits as they happen, and can accept or reject them. Your next answers say what they rejected.';
    return { content: [{ type: 'text', text }], _meta: { [TICKET]: this.#ticket } };
  }
}

/** https://modelcontextprotocol.io/specification/2025-06-18/schema#toolannotations */
export interface Annotations {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

export function hints(readOnlyHint: boolean, destructiveHint = false): Annotations {
  return { readOnlyHint, destructiveHint, idempotentHint: readOnlyHint, openWorldHint: false };
}

/**
 * Makes the server wrap each request handler that is set from now on, by the function for its method. Returns the setter
 * as it was, which wraps nothing.
 */
export function wrapHandlers(
  { server }: McpServer,
  wrapped: Readonly<Record<string, (handler: Handler) => Handler>>,
): (method: string, handler: Handler) => void {
  const set = server.setRequestHandler.bind(server) as (method: string, handler: Handler) => void;
  server.setRequestHandler = ((method: string, handler: Handler) =>
    set(method, wrapped[method]?.(handler) ?? handler)) as typeof server.setRequestHandler;
  return set;
}

/** Refuses a call without the ticket. The page knows the code, and asks for another ticket. */
function notForAgents(name: string): PageResult {
  const message = `${name} is for the page that ${OPENER} shows to the person, and not for an agent. Nothing was done.`;
  const structuredContent = { ok: false, code: 'UNAUTHORIZED', message };
  return { content: [{ type: 'text', text: message }], structuredContent, isError: true };
}

function offered<Capabilities extends { resources?: unknown }>(
  all: Capabilities,
  isApp: boolean,
): Capabilities {
  const { resources, ...others } = all;
  return isApp ? all : (others as Capabilities);
}

/** Clients of 2025 say it once, in `initialize`; those of 2026 with every request. */
function showsApps({ server }: McpServer, context: ServerContext): boolean {
  const envelope = context.mcpReq.envelope as
    | { [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities }
    | undefined;
  return isApp(envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities());
}

function isApp(capabilities: ClientCapabilities | undefined): boolean {
  const { mimeTypes } = Object(capabilities?.extensions?.[EXTENSION]) as { mimeTypes?: unknown };
  return Array.isArray(mimeTypes) && mimeTypes.includes(MIME);
}
