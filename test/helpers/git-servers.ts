/** Real git servers on this machine alone: a folder, git http-backend behind node's http, and a stand-in for ssh. */

import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { at, type Sandbox, sandbox } from './real-git.ts';

/** An empty bare repository that may be pushed to, with further values of its config. */
export function bareServer(config: Readonly<Record<string, string>> = {}): Sandbox {
  const top = sandbox('server.git');
  top.git('init', '-q', '--bare', '-b', 'main');
  for (const [key, value] of Object.entries({ 'http.receivepack': 'true', ...config }))
    top.git('config', key, value);
  return at(top.dir);
}

/** Makes a hook of the server; `script` is for sh. */
export function serverHook(server: Sandbox, name: string, script: string): void {
  mkdirSync(join(server.dir, 'hooks'), { recursive: true });
  const path = join(server.dir, 'hooks', name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
}

export interface HttpServer {
  /** Without user and password. */
  url: string;
  /** Method and path of each request that came. */
  readonly requests: string[];
}

export interface HttpOptions {
  /** Basic authentication that is asked for, as `user:password`. */
  auth?: string;
  /** Milliseconds before each request is looked at, as if the server were far away. */
  delay?: number;
  /** Allows pages of other origins (CORS), with these headers. */
  cors?: boolean;
  /** Looks at each request first; true when it answered. */
  before?: (request: IncomingMessage, response: ServerResponse) => boolean;
}

/** Serves the bare repository over HTTP until the test ends. */
export async function httpServer(server: Sandbox, options: HttpOptions = {}): Promise<HttpServer> {
  const requests: string[] = [];
  const http = createServer(async (request, response) => {
    requests.push(`${request.method} ${request.url}`);
    if (options.delay) await new Promise(resolve => setTimeout(resolve, options.delay));
    if (options.cors && answersCors(request, response)) return;
    if (options.before?.(request, response)) return;
    if (options.auth !== undefined && !isAllowed(request, options.auth)) {
      response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="git"' }).end('who are you?\n');
      return;
    }
    backend(server.path('..'), request, response);
  });
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/server.git`, requests };
}

/** As a server does that lets pages of anybody in; true for the question that a browser asks before. */
function answersCors(request: IncomingMessage, response: ServerResponse): boolean {
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Access-Control-Allow-Headers', 'Authorization, Content-Type, Git-Protocol');
  if (request.method === 'OPTIONS') response.writeHead(204).end();
  return request.method === 'OPTIONS';
}

function isAllowed(request: IncomingMessage, auth: string): boolean {
  return request.headers.authorization === `Basic ${Buffer.from(auth).toString('base64')}`;
}

/** One request by git's own CGI program. */
function backend(root: string, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, search } = new URL(request.url!, 'http://localhost');
  const header = (name: string): string => String(request.headers[name] ?? '');
  const env = {
    PATH: process.env.PATH,
    GIT_PROJECT_ROOT: root,
    GIT_HTTP_EXPORT_ALL: '1',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    PATH_INFO: pathname,
    QUERY_STRING: search.slice(1),
    REQUEST_METHOD: request.method,
    CONTENT_TYPE: header('content-type'),
    HTTP_CONTENT_ENCODING: header('content-encoding'),
    GIT_PROTOCOL: header('git-protocol'),
    REMOTE_ADDR: '127.0.0.1',
    ...(request.headers['content-length'] ? { CONTENT_LENGTH: header('content-length') } : {}),
  };
  const cgi = spawn('git', ['http-backend'], { env, stdio: ['pipe', 'pipe', 'ignore'] });
  request.pipe(cgi.stdin);
  cgi.stdin.on('error', () => {});
  const chunks: Buffer[] = [];
  cgi.stdout.on('data', chunk => chunks.push(chunk));
  cgi.on('close', () => {
    const all = Buffer.concat(chunks);
    const end = all.indexOf('\r\n\r\n');
    const headers = all
      .subarray(0, end)
      .toString()
      .split('\r\n')
      .map(line => line.split(/: /, 2));
    const status = headers.find(([name]) => name === 'Status')?.[1];
    response.statusCode = status ? Number.parseInt(status, 10) : 200;
    for (const [name, value] of headers) if (name !== 'Status' && value) response.setHeader(name!, value);
    response.end(all.subarray(end + 4));
  });
}

/** A program to name in GIT_SSH_COMMAND: it runs the command of the other side on this machine. */
export function sshStandIn(box: Sandbox): string {
  const path = join(box.dir, '..', 'ssh-stand-in');
  writeFileSync(
    path,
    '#!/bin/sh\nwhile :; do case "$1" in -o|-p) shift 2;; -*) shift;; *) break;; esac; done\nshift\nexec sh -c "$*"\n',
  );
  chmodSync(path, 0o755);
  return path;
}
