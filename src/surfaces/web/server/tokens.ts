/**
 * Tokens: whoever has one may see and do things. The address that is printed holds a ticket, which is given in for one
 * and is good for that once. Neither is in a cookie: cookies are sent to every port of this machine.
 */

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Tabs with a token; the oldest has to be opened anew. */
const BEARERS = 64;
const TICKETS = 16;

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
