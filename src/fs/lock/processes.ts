/** The engine's questions to the machine about processes: who this one is, and what can be told of another one. */

import { toHex } from '../../bytes.ts';

export interface ProcessIdentity {
  pid: number;
  host: string;
  /** Changes with each start of the machine; `null` where it cannot be read. */
  boot: string | null;
  /** The namespaces in which `pid` and `started` count, unique within one boot; `null` where they cannot be told. */
  space: string | null;
  /** When the process started, in a unit of the platform's own; '' where it cannot be told. A pid used again differs. */
  started: string;
}

/**
 * The kind of disk that a folder lies on, as this process sees it. `local`: a disk or memory that one kernel has
 * mounted. `layered`: an overlay, where one file may be two. `other`: a network, a shared folder of a virtual machine,
 * or unknown.
 */
export type Disk = 'local' | 'layered' | 'other';

export interface Processes {
  readonly self: ProcessIdentity;
  /** 24 hex digits that nobody else has, not even a clone of this virtual machine. */
  newToken(): string;
  diskOf(folder: string): Disk;
  /**
   * True when the process runs, false when it is surely gone, `null` when this process cannot tell. `disk` is where the
   * lock lies as both see it: on a shared disk the same names may be those of another machine.
   */
  isAlive(owner: ProcessIdentity, disk: Disk): boolean | null;
  /** The processes that this one was started by, the nearest first, as far as that can be told. */
  ancestors?(): ReadonlyArray<Pick<ProcessIdentity, 'pid' | 'started'> & { name: string }>;
  /**
   * True while a process lives that `pid`, or one that it started, has started since this moment, in milliseconds since 1970;
   * this process, and those that it was started by, do not count. `null` where that cannot be told.
   */
  startedBelow?(pid: number, since: number): boolean | null;
  /**
   * When processes began, in milliseconds since 1970, that work in this folder and that nobody waits for: who started them has
   * ended. `null` where that cannot be told.
   */
  orphansIn?(folder: string): readonly number[] | null;
  /** When this machine started, in milliseconds since 1970; `null` where that cannot be told. */
  bootTime(): number | null;
  /** The sockets in a folder; `null` where there are none. Loaded when they are first asked for. */
  openSockets(folder: string): Promise<SocketFolder | null>;
  /** True for a process that ends after one call: it prepares nothing that others might ask of it later. */
  readonly brief: boolean;
  /** The number of files that this process may have open at once, where the system says so. */
  readonly mostFiles?: number | undefined;
  /** True when nobody outside of this program can reach the file system: then nothing is written for others. */
  readonly alone: boolean;
  /** These files are removed when the process ends by itself. Answers how to take that back. */
  removeAtExit(paths: readonly string[]): () => void;
}

/**
 * The outcome of a connection to a socket in a folder that processes share, and what the other side said in a moment, if it did. `open`: accepted, or somebody
 * listens and has no room for more; the kernel itself says so, also across namespaces, and of a process that is stopped. `refused`: there is a socket and nobody listens. `unreachable`: no socket, or not
 * for this process.
 */
export interface Reached {
  contact: 'open' | 'refused' | 'unreachable';
  said: string;
}

export interface SocketId {
  dev: string;
  ino: string;
}

export interface SocketFolder {
  /**
   * Listens under a name in the folder, which appears when somebody can be accepted. Who connects is told a line. `null` where
   * that fails.
   */
  listen(name: string, greeting: () => string): SocketId | null;
  /** The socket of that name as it lies there now. */
  idOf(name: string): SocketId | null;
  ask(name: string): Promise<Reached>;
  close(): void;
}

/** By file system: two workspaces on the same one are of the same process. */
const others = new WeakMap<object, Processes>();

/** Returns the processes for a file system that is not the disk: nobody else reaches it, so no lock is written into it. */
export function processesOf(given: object): Processes {
  const known = others.get(given) ?? onlyProcess();
  others.set(given, known);
  return known;
}

/** Makes the processes of a file system that one program alone can see: another run of it cannot be alive. */
export function onlyProcess(): Processes {
  const boot = randomToken();
  const self: ProcessIdentity = { pid: 0, host: '', boot, space: null, started: '' };
  return {
    self,
    newToken: randomToken,
    diskOf: () => 'other',
    isAlive: owner => owner.boot === boot,
    bootTime: () => null,
    openSockets: async () => null,
    brief: false,
    alone: true,
    removeAtExit: () => () => {},
  };
}

export function randomToken(): string {
  return toHex(crypto.getRandomValues(new Uint8Array(12)));
}
