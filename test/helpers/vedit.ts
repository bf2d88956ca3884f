/** Runs the command line: inside the test with streams of its own, or as the real process. */

import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { main } from '../../src/surfaces/cli/main.ts';
import { repository, type Sandbox, sandbox } from './real-git.ts';

export const BIN: string = join(import.meta.dirname, '..', '..', 'bin', 'vedit.js');

export interface Ran {
  code: number;
  out: string;
  err: string;
}

export interface RunOptions {
  input?: string | Uint8Array;
  /** In place of the input: what a person types, whenever they do. */
  stdin?: Readable;
  env?: NodeJS.ProcessEnv;
  /** Which streams claim to be terminals. */
  tty?: ReadonlyArray<'in' | 'out' | 'err'>;
  /** Of standard output. */
  columns?: number;
  cwd?: () => string;
}

/** Nothing of the machine's or the user's config. */
export function cleanEnv(box: Sandbox, env: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const { PATH, XDG_CACHE_HOME } = process.env;
  return { PATH, XDG_CACHE_HOME, HOME: home(box), GIT_CONFIG_NOSYSTEM: '1', ...env };
}

/** A home folder beside the repository. */
export function home(box: Sandbox): string {
  const dir = join(box.dir, '..', 'home');
  mkdirSync(dir, { recursive: true });
  return dir;
}

/** One command line, in this process. */
export async function vedit(box: Sandbox, args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const { input, stdin, env, tty = [] } = options;
  const out: string[] = [];
  const err: string[] = [];
  const isTTY = (name: 'in' | 'out' | 'err'): object => (tty.includes(name) ? { isTTY: true } : {});
  const code = await main(args, {
    stdin: Object.assign(
      stdin ?? Readable.from(input === undefined ? [] : [Buffer.from(input)]),
      isTTY('in'),
    ),
    stdout: Object.assign(
      collector(out),
      isTTY('out'),
      options.columns === undefined ? {} : { columns: options.columns },
    ),
    stderr: Object.assign(collector(err), isTTY('err')),
    env: cleanEnv(box, env),
    cwd: options.cwd ?? (() => box.dir),
  });
  return { code, out: out.join(''), err: err.join('') };
}

function collector(parts: string[]): Writable {
  return new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      parts.push(String(chunk));
      done();
    },
  });
}

/** The one JSON object that a command answers with. */
export async function veditJson<T = Record<string, unknown>>(
  box: Sandbox,
  args: readonly string[],
  options?: RunOptions,
): Promise<{ ok: boolean; code?: string; message: string; data: T; exit: number }> {
  const { code: exit, out } = await vedit(box, [...args, '--json'], options);
  if (!/^[^\n]+\n$/.test(out)) throw new Error(`not one line: ${JSON.stringify(out)}`);
  return { ...JSON.parse(out), exit };
}

/** The real program. */
export async function bin(box: Sandbox, args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const child = spawn(process.execPath, [BIN, ...args], { cwd: box.dir, env: cleanEnv(box, options.env) });
  child.stdin.on('error', () => {});
  child.stdin.end(options.input ?? '');
  const [out, err] = [text(child.stdout), text(child.stderr)];
  const code = await new Promise<number>(resolve => child.once('close', status => resolve(status ?? -1)));
  return { code, out: await out, err: await err };
}

async function text(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** A person's repository with one commit: a.txt and src/b.txt. */
export function personRepo(): Sandbox {
  const box = repository();
  box.write('a.txt', 'one\ntwo\nthree\n');
  box.write('src/b.txt', 'x = 1\ny = 1\n');
  box.git('add', '.');
  box.git('commit', '-qm', 'first');
  return box;
}

/** A folder that is in no repository. */
export function plainFolder(): Sandbox {
  return sandbox('plain');
}

export function content(box: Sandbox, path: string): string {
  return readFileSync(box.path(path), 'utf8');
}
