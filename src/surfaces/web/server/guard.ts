/**
 * Guards the server: tells who may ask it anything at all, from the headers of a request. A page of another site, another server of this
 * machine and a name that somebody rebound to 127.0.0.1 all reach the port; none of them gets past here, whatever it knows.
 */

import type { IncomingHttpHeaders } from 'node:http';

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
