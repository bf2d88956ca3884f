/** A server of the live page on a repository, and requests that no browser would send. */

import { type IncomingHttpHeaders, type RequestOptions, request } from 'node:http';
import { onTestFinished } from 'vitest';
import { systemGit } from '../../../../src/git/native/system-git.ts';
import type { WatchOptions } from '../../../../src/surfaces/web/server/server.ts';
import { WatchServer } from '../../../../src/surfaces/web/server/server.ts';
import { type Place, personRepo } from '../../../helpers/person-repo.ts';

export const ADA = { name: 'Ada', email: 'ada@example.com' };

export interface Serving {
  repo: Place;
  server: WatchServer;
  port: number;
  /** A token to ask with. */
  bearer: string;
}

export interface Got {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  json: { ok?: boolean; code?: string; message?: string; [key: string]: unknown };
}

export const ticketOf = (address: string): string => address.slice(address.indexOf('=') + 1);

/** Ends with the test. */
export async function serve(options: Partial<WatchOptions> = {}, repo?: Place): Promise<Serving> {
  const place = repo ?? personRepo({ 'a.txt': 'one\ntwo\nthree\n' });
  const workspace = await place.open({ user: ADA });
  const git = await systemGit({ PATH: process.env.PATH });
  const server = new WatchServer({ workspace, person: ADA, git, ...options });
  const port = await server.listen();
  onTestFinished(async () => {
    await server.close();
    await place.close();
  });
  const entered = await ask(port, 'POST', '/api/enter', { body: { ticket: ticketOf(server.address()) } });
  return { repo: place, server, port, bearer: String(entered.json.bearer) };
}

export interface Ask {
  body?: unknown;
  bearer?: string;
  headers?: Record<string, string>;
}

/** One request as a program of this machine sends it, with any headers. */
export function ask(port: number, method: string, path: string, given: Ask = {}): Promise<Got> {
  const { body, bearer, headers } = given;
  const options: RequestOptions = {
    host: '127.0.0.1',
    port,
    method,
    path,
    agent: false,
    headers: {
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` }),
      ...headers,
    },
  };
  return new Promise((resolve, reject) => {
    const sent = request(options, response => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', chunk => {
        text += chunk;
      });
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode!, headers: response.headers, text, json: parsed(text) }),
      );
    });
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body));
  });
}

function parsed(text: string): Got['json'] {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
