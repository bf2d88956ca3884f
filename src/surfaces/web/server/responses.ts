/** Responses of the server, with the headers that every answer has. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { constants, gzipSync } from 'node:zlib';
import { objectIn } from '../../../json.ts';

const HEADERS: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};

/** Bytes of the body of a request: a reason and a message are shorter. */
const LONGEST_BODY = 256 * 1024;

/** Sends a page, or its compressed form, to a browser. */
export function sendPage(response: ServerResponse, page: string, policy: string): void {
  send(response, 200, { ...HEADERS, 'Content-Type': HTML, 'Content-Security-Policy': policy }, page);
}

export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  send(response, status, { ...HEADERS, 'Content-Type': JSON_TYPE }, JSON.stringify(value));
}

const HTML = 'text/html; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';
/** Shorter texts are one packet as they are. */
const SHORT = 1_400;

function send(response: ServerResponse, status: number, head: object, text: string): void {
  const isShort = text.length < SHORT || !/\bgzip\b/.test(String(response.req.headers['accept-encoding']));
  if (isShort) response.writeHead(status, { ...head }).end(text);
  else {
    const body = gzipSync(text, { level: constants.Z_BEST_SPEED });
    response.writeHead(status, { ...head, 'Content-Encoding': 'gzip' }).end(body);
  }
}

/** Refuses a request. The code is one of HTTP in words, such as `FORBIDDEN`. */
export function sendRefusal(response: ServerResponse, status: number, code: string, message: string): void {
  sendJson(response, { ok: false, code, message }, status);
}

/** Reads the JSON object of a request; `null` when it is too long or none. What is too long is not read to its end. */
export async function readJson(request: IncomingMessage): Promise<Record<string, unknown> | null> {
  if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')) return null;
  if (Number(request.headers['content-length'] ?? 0) > LONGEST_BODY) return null;
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > LONGEST_BODY) return null;
    chunks.push(chunk);
  }
  return objectIn(Buffer.concat(chunks).toString('utf8')) ?? null;
}
