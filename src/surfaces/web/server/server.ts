/**
 * The server of the live page. It answers the empty page to whoever is let in by guard.ts, and everything else to holders of a
 * bearer token alone: data as JSON, actions by POST.
 */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { livePage } from '../page.ts';
import type { PageActor } from './actions.ts';
import { PageAnswers, refused as refusedWords } from './answers.ts';
import { Connections, refused, Tokens } from './guard.ts';
import { readJson, sendJson, sendPage, sendRefusal } from './responses.ts';

export interface WatchOptions extends PageActor {
  /** The port to listen on; default: a free one. */
  port?: number | undefined;
  /** Other names of this server, as proxies and tunnels have. */
  allowHosts?: readonly string[] | undefined;
  /** The page shows, and changes nothing. */
  readOnly?: boolean | undefined;
}

type Answering = (request: IncomingMessage, response: ServerResponse, url: URL) => Promise<void>;

export class WatchServer {
  readonly #options: WatchOptions;
  readonly #allowed: ReadonlySet<string>;
  readonly #tokens = new Tokens();
  readonly #answers: PageAnswers;
  readonly #server: Server;
  readonly #connections: Connections;
  #page: { page: string; policy: string } | null = null;
  /** When a page last asked for anything. */
  #asked = Date.now();

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#allowed = new Set(options.allowHosts?.map(one => one.toLowerCase()));
    this.#answers = new PageAnswers(options);
    this.#server = createServer(
      { maxHeaderSize: 16_384, requestTimeout: 20_000, headersTimeout: 10_000, keepAliveTimeout: 5_000 },
      (request, response) => void this.#answer(request, response),
    );
    this.#connections = new Connections(this.#server);
  }

  /** Begins to listen, on this machine alone; resolves with the port. */
  async listen(): Promise<number> {
    const { readOnly = false } = this.#options;
    this.#page = livePage({ readOnly });
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(this.#options.port ?? 0, '127.0.0.1', resolve);
    });
    this.#answers.prepare();
    return (this.#server.address() as AddressInfo).port;
  }

  /** Makes an address for one browser tab. The ticket in it works once, and is in a part that browsers send to nobody. */
  address(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}/#ticket=${this.#tokens.ticket()}`;
  }

  /** Milliseconds since a page asked for anything: one that somebody sees asks every second. */
  get idle(): number {
    return Date.now() - this.#asked;
  }

  async close(): Promise<void> {
    this.#answers.close();
    const closed = new Promise(resolve => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => {});
    const { method = '', headers } = request;
    const url = pathIn(request.url ?? '');
    const path = url?.pathname ?? '';
    const no = refused({ method, path, headers }, this.#allowed);
    if (no) return sendRefusal(response, no.status, 'FORBIDDEN', no.message);
    const route = url ? this.#route(method, path) : undefined;
    if (!route) return sendRefusal(response, 404, 'NOT_FOUND', 'There is nothing here.');
    const isOpen = path === '/' || path === '/api/enter';
    if (!isOpen) {
      if (!this.#tokens.isBearer(headers.authorization))
        return sendRefusal(response, 401, 'UNAUTHORIZED', 'Open the address that vedit watch printed.');
      this.#connections.know(request.socket);
      this.#asked = Date.now();
    }
    await route(request, response, url!).catch(error => this.#failed(response, error));
  }

  #route(method: string, path: string): Answering | undefined {
    const read: Answering = async (_, response, { searchParams }) => {
      const asked = Object.fromEntries(searchParams);
      sendJson(response, await this.#answers.ask(path.slice('/api/'.length), asked));
    };
    const routes: Readonly<Record<string, Answering>> = {
      'GET /': async (_, response) => sendPage(response, this.#page!.page, this.#page!.policy),
      'POST /api/enter': (request, response) => this.#enter(request, response),
      'POST /api/ticket': async (_, response) =>
        sendJson(response, { ok: true, ticket: this.#tokens.ticket() }),
      'GET /api/history': read,
      'GET /api/open': read,
      'GET /api/hunks': read,
      'GET /api/lines': read,
      'GET /api/image': read,
      'GET /api/events': read,
      'POST /api/act': (request, response) => this.#act(request, response),
    };
    return Object.hasOwn(routes, `${method} ${path}`) ? routes[`${method} ${path}`] : undefined;
  }

  async #enter(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const given = await readJson(request);
    const bearer = typeof given?.ticket === 'string' ? this.#tokens.enter(given.ticket) : null;
    if (bearer !== null) {
      this.#asked = Date.now();
      return sendJson(response, { ok: true, bearer });
    }
    const message = 'This address was used already, or is not one of this server.';
    sendRefusal(response, given ? 401 : 400, given ? 'UNAUTHORIZED' : 'INVALID_INPUT', message);
  }

  async #act(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.#options.readOnly)
      return sendRefusal(response, 403, 'READ_ONLY', 'This page only shows: vedit watch --read-only.');
    const asked = await readJson(request);
    if (!asked) {
      const message = 'Send a JSON object of at most 256 KiB, as application/json.';
      // What is left of a long body is not read.
      response.once('finish', () => request.destroy());
      return sendRefusal(response, 413, 'INVALID_INPUT', message);
    }
    const answer = await this.#answers.act(asked);
    if (answer) sendJson(response, answer);
    else sendRefusal(response, 400, 'INVALID_INPUT', 'There is no such action.');
  }

  /** Answers with a refusal of the library, where nothing was sent yet. */
  #failed(response: ServerResponse, thrown: unknown): void {
    if (response.headersSent) response.destroy();
    if (response.headersSent || response.destroyed) return;
    sendJson(response, refusedWords(thrown));
  }
}

/** Parses a path; `null` for anything else: an address in its place is meant for a proxy. */
function pathIn(asked: string): URL | null {
  try {
    return /^\/(?!\/)/.test(asked) ? new URL(asked, 'http://127.0.0.1') : null;
  } catch {
    return null;
  }
}
