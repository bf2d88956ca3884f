/**
 * Sockets by node:net, with its traps: a path over 100 bytes is cut silently, so names are reached through the open folder;
 * a closing server unlinks the path that it was bound to, so it is bound to a draft's; an error without a handler ends the
 * process; a socket that is not unref'd keeps it alive.
 */

import fs from 'node:fs';
import net from 'node:net';
import type { Reached, SocketFolder, SocketId } from '../lock/processes.ts';

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
  #server: net.Server | null = null;

  constructor(fd: number, prefix: string) {
    this.#fd = fd;
    this.#prefix = prefix;
  }

  listen(name: string, greeting: () => string): SocketId | null {
    const server = net.createServer(socket => {
      socket.unref();
      socket.on('error', () => {});
      // A side that reads no more is not waited for.
      socket.write(`${greeting()}\n`);
      socket.destroySoon();
    });
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

  idOf(name: string): SocketId | null {
    const stat = fs.lstatSync(`${this.#prefix}/${name}`, { bigint: true, throwIfNoEntry: false });
    return stat?.isSocket() ? { dev: String(stat.dev), ino: String(stat.ino) } : null;
  }

  ask(name: string): Promise<Reached> {
    return new Promise(resolve => {
      const socket = net.createConnection({ path: `${this.#prefix}/${name}` });
      let [isOpen, said] = [false, ''];
      const end = (contact: Reached['contact']): void => {
        clearTimeout(timer);
        resolve({ contact, said });
        socket.destroy();
      };
      const timer = setTimeout(() => end('open'), GREETING);
      socket.setEncoding('utf8');
      socket.once('connect', () => {
        isOpen = true;
      });
      socket.on('data', (chunk: string) => {
        said += chunk;
        if (said.includes('\n') || said.length > TOO_LONG) end('open');
      });
      socket.on('error', error => end(isOpen ? 'open' : failureOf((error as NodeJS.ErrnoException).code)));
      socket.once('end', () => end('open'));
    });
  }

  close(): void {
    if (this.#server) this.#server.close(() => fs.closeSync(this.#fd));
    else fs.closeSync(this.#fd);
  }
}

/** Milliseconds for a greeting. One that is stopped or busy accepts, and greets later. */
const GREETING = 50;

/** Characters that nobody of ours says. */
const TOO_LONG = 1_000;

function failureOf(code: string | undefined): Reached['contact'] {
  if (code === 'EAGAIN') return 'open';
  return code === 'ECONNREFUSED' ? 'refused' : 'unreachable';
}
