/**
 * Guards the server: tells who may ask it anything at all, from the headers of a request. A page of another site, another server of this
 * machine and a name that somebody rebound to 127.0.0.1 all reach the port; none of them gets past here, whatever it knows. And
 * whoever connects is a stranger until a request of theirs has a token: strangers have little time and little room.
 */

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, Server } from 'node:http';
import type { Socket } from 'node:net';

export interface Refused {
  status: number;
  message: string;
}

const OWN: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

export interface Asked {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
}

/** Refuses a request, or returns `null` where it may go on. `allowed`: further names of this server, with or without a port. */
export function refused({ method, path, headers }: Asked, allowed: ReadonlySet<string>): Refused | null {
  const { host, origin } = headers;
  if (!isNamed(host, allowed)) return no(`This server is not ${shown(host)}: see --allow-host.`);
  if (origin !== undefined && !isOwnOrigin(origin, host!, allowed))
    return no(`Pages of ${shown(origin)} may not ask this server: see --allow-host.`);
  const isPage = method === 'GET' && path === '/';
  if (!isFromHere(headers, isPage)) return no('Other sites may not ask this server.');
  return null;
}

function no(message: string): Refused {
  return { status: 403, message };
}

function isNamed(host: string | undefined, allowed: ReadonlySet<string>): boolean {
  if (host === undefined) return false;
  const known = /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(:\d{1,5})?$/i.exec(host.toLowerCase());
  return known !== null && (OWN.has(known[1]!) || allowed.has(known[1]!) || allowed.has(known[0]));
}

/** Its own is the one that the request was sent to; behind a proxy that sends another Host, one that is allowed by name. */
function isOwnOrigin(origin: string, host: string, allowed: ReadonlySet<string>): boolean {
  const known = /^https?:\/\/([^/@?#\s]+)$/.exec(origin.toLowerCase());
  if (!known) return false;
  const [, named = ''] = known;
  return named === host.toLowerCase() || allowed.has(named) || allowed.has(named.replace(/:\d+$/, ''));
}

/** Tells whether this site asks. The empty page may be opened from anywhere, as by a link, but not inside another page. Old browsers say nothing. */
function isFromHere(headers: IncomingHttpHeaders, isPage: boolean): boolean {
  const site = headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin' || site === 'none') return true;
  return isPage && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
}

function shown(text: string | undefined): string {
  return text === undefined ? 'without a name' : JSON.stringify(text.slice(0, 100));
}

/** Strangers at once; a browser opens six connections. */
const STRANGERS = 32;
/** The most connections at once of those who have a token. */
const KNOWN = 96;
/** Milliseconds that a stranger has, for headers, body and answer together. */
const STRANGER_MS = 10_000;

/** The connections of the server. Among strangers the oldest makes place for the newest, so that none of them keeps the person out. */
export class Connections {
  /** The oldest first, each with the clock that ends it. */
  readonly #strangers = new Map<Socket, NodeJS.Timeout>();
  readonly #known = new Set<Socket>();

  constructor(server: Server) {
    server.maxConnections = STRANGERS + KNOWN + 1;
    server.on('connection', socket => this.#take(socket));
  }

  /** Notes that a request on this connection had a token. */
  know(socket: Socket): void {
    const clock = this.#strangers.get(socket);
    if (clock === undefined) return;
    clearTimeout(clock);
    this.#strangers.delete(socket);
    this.#known.add(socket);
    const [oldest] = this.#known;
    if (this.#known.size > KNOWN) oldest!.destroy();
  }

  #take(socket: Socket): void {
    const [oldest] = this.#strangers.keys();
    if (this.#strangers.size >= STRANGERS) oldest!.destroy();
    const clock = setTimeout(() => socket.destroy(), STRANGER_MS);
    clock.unref();
    this.#strangers.set(socket, clock);
    socket.once('close', () => {
      clearTimeout(clock);
      this.#strangers.delete(socket);
      this.#known.delete(socket);
    });
  }
}

/** Tabs with a token; the oldest has to be opened anew. */
const BEARERS = 64;
const TICKETS = 16;

/**
 * Tokens: whoever has one may see and do things. The address that is printed holds a ticket, which is given in for one
 * and is good for that once. Neither is in a cookie: cookies are sent to every port of this machine.
 */
export class Tokens {
  /** Hashes: what is compared tells nothing by the time that it takes. */
  #tickets: Buffer[] = [];
  #bearers: Buffer[] = [];

  /** Makes a ticket for an address. */
  ticket(): string {
    const ticket = random();
    this.#tickets = [...this.#tickets, hashOf(ticket)].slice(-TICKETS);
    return ticket;
  }

  /** Gives a bearer token for a ticket, which is then used up; `null` for one that is unknown or used. */
  enter(ticket: string): string | null {
    const hash = hashOf(ticket);
    const left = this.#tickets.filter(one => !timingSafeEqual(one, hash));
    if (left.length === this.#tickets.length) return null;
    this.#tickets = left;
    const bearer = random();
    this.#bearers = [...this.#bearers, hashOf(bearer)].slice(-BEARERS);
    return bearer;
  }

  /** Tells whether the header Authorization holds a token of this server. */
  isBearer(header: string | undefined): boolean {
    const [, token] = /^Bearer ([\w-]{43})$/.exec(header ?? '') ?? [];
    if (token === undefined) return false;
    const hash = hashOf(token);
    return this.#bearers.filter(one => timingSafeEqual(one, hash)).length > 0;
  }
}

function random(): string {
  return randomBytes(32).toString('base64url');
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
