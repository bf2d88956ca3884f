/**
 * The connections of the server. Whoever connects is a stranger until a request of theirs has a token: strangers have little
 * time and little room, in which the oldest makes place for the newest, so that none of them keeps the person out.
 */

import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Strangers at once; a browser opens six connections. */
const STRANGERS = 32;
/** The most connections at once of those who have a token. */
const KNOWN = 96;
/** Milliseconds that a stranger has, for headers, body and answer together. */
const STRANGER_MS = 10_000;

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
