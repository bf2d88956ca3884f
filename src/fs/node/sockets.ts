/**
 * Sockets by node:net, with its traps: a path over 100 bytes is cut silently, so names are reached through the open folder;
 * a closing server unlinks the path that it was bound to, so it is bound to a draft's; an error without a handler ends the
 * process; a socket that is not unref'd keeps it alive.
 */

import fs from 'node:fs';
import net from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Line, Reached, SocketFolder, SocketId } from '../lock/sockets.ts';

const { O_RDONLY } = fs.constants;
const FOLDER = O_RDONLY | (fs.constants.O_DIRECTORY ?? 0) | (fs.constants.O_NOFOLLOW ?? 0);

/** Bytes of the path of a socket that every system takes, and of the longest name that is used here. */
const LONGEST_PATH = 100;
const LONGEST_NAME = 30;

/** `null` where the folder cannot hold sockets that have names. */
export function openSocketFolder(folder: string): SocketFolder | null {
  if (process.platform === 'win32') return null;
  try {
    const fd = fs.openSync(folder, FOLDER);
    const byDescriptor = process.platform === 'linux' && fs.existsSync(`/proc/self/fd/${fd}`);
    if (byDescriptor) return new NodeSocketFolder(fd, `/proc/self/fd/${fd}`);
    if (Buffer.byteLength(folder) + 1 + LONGEST_NAME <= LONGEST_PATH) return new NodeSocketFolder(fd, folder);
    fs.closeSync(fd);
  } catch {
    // The lease does without.
  }
  return null;
}

class NodeSocketFolder implements SocketFolder {
  /** Stays open as long as anything is bound below it. */
  readonly #fd: number;
  readonly #prefix: string;
  readonly #lines = new Set<NodeLine>();
  #server: net.Server | null = null;

  constructor(fd: number, prefix: string) {
    this.#fd = fd;
    this.#prefix = prefix;
  }

  listen(name: string, accept: (line: Line) => void): SocketId | null {
    const server = net.createServer(socket => accept(this.#line(socket)));
    server.on('error', () => {});
    const draft = `${this.#prefix}/${name}.new`;
    try {
      // Binds and listens before it returns. Exclusive: a process of a cluster listens itself.
      server.listen({ path: draft, exclusive: true });
      if (!server.listening) throw new Error('not listening');
      server.unref();
      fs.chmodSync(draft, 0o666);
      fs.renameSync(draft, `${this.#prefix}/${name}`);
      this.#server = server;
      return this.idOf(name);
    } catch {
      server.close();
      return null;
    }
  }

  /** Node has no name of its own for it; without it a child is known by its process id alone. */
  descriptor(): number | null {
    const { _handle: handle } = (this.#server ?? {}) as { _handle?: { fd?: number } };
    return handle?.fd !== undefined && handle.fd >= 0 ? handle.fd : null;
  }

  idOf(name: string): SocketId | null {
    const stat = fs.lstatSync(`${this.#prefix}/${name}`, { bigint: true, throwIfNoEntry: false });
    return stat?.isSocket() ? { dev: String(stat.dev), ino: String(stat.ino) } : null;
  }

  connect(name: string): Promise<Reached> {
    return new Promise(resolve => {
      const socket = net.createConnection({ path: `${this.#prefix}/${name}` });
      socket.once('connect', () => resolve(this.#line(socket)));
      socket.on('error', error => resolve(failureOf((error as NodeJS.ErrnoException).code)));
    });
  }

  /** Two turns: the first may be one whose time for reading is over. */
  async turn(): Promise<void> {
    await nextTurn();
    await nextTurn();
  }

  #line(socket: net.Socket): NodeLine {
    const line = new NodeLine(socket);
    this.#lines.add(line);
    line.onEnd(() => this.#lines.delete(line));
    return line;
  }

  close(): void {
    for (const line of this.#lines) line.close();
    if (this.#server) this.#server.close(() => fs.closeSync(this.#fd));
    else fs.closeSync(this.#fd);
  }
}

function failureOf(code: string | undefined): Reached {
  if (code === 'EAGAIN') return 'busy';
  return code === 'ECONNREFUSED' ? 'refused' : 'unreachable';
}

/** Characters of a line that nobody of ours sends. */
const TOO_LONG = 65_536;

class NodeLine implements Line {
  readonly #socket: net.Socket;
  readonly #waiting: string[] = [];
  readonly #ends: Array<() => void> = [];
  #tell: ((text: string) => void) | null = null;
  #rest = '';

  constructor(socket: net.Socket) {
    this.#socket = socket;
    socket.unref();
    socket.setEncoding('utf8');
    socket.on('error', () => {});
    socket.on('data', (chunk: string) => this.#read(chunk));
    socket.once('close', () => {
      for (const tell of this.#ends) tell();
    });
  }

  #read(chunk: string): void {
    const texts = (this.#rest + chunk).split('\n');
    this.#rest = texts.pop()!;
    if (this.#rest.length > TOO_LONG) this.#socket.destroy();
    for (const text of texts) {
      if (this.#tell) this.#tell(text);
      else this.#waiting.push(text);
    }
  }

  send(text: string): void {
    if (!this.#socket.destroyed) this.#socket.write(`${text}\n`);
  }

  onText(tell: (text: string) => void): void {
    this.#tell = tell;
    for (const text of this.#waiting.splice(0)) tell(text);
  }

  onEnd(tell: () => void): void {
    if (this.#socket.destroyed) tell();
    else this.#ends.push(tell);
  }

  close(): void {
    // What was sent goes out first; a side that reads no more is not waited for.
    this.#socket.destroySoon();
  }
}
