/**
 * Sockets that lie as files in a folder which processes share. That one is accepted is what the kernel itself says of the
 * process behind it: also across namespaces of processes, users and networks, and when that process is stopped.
 */

/** An open connection. Texts are lines, without their ends. */
export interface Line {
  send(text: string): void;
  /** Called with what the other side sends, in order; what came before it was set is not lost. */
  onText(tell: (text: string) => void): void;
  /** Called once when the other side has gone. */
  onEnd(tell: () => void): void;
  close(): void;
}

/**
 * What came of a connection. `busy`: somebody listens and has no room for more. `refused`: there is a socket and nobody
 * listens. `unreachable`: no socket, or not for this process.
 */
export type Reached = Line | 'busy' | 'refused' | 'unreachable';

/** Identifies the file of a socket. */
export interface SocketId {
  dev: string;
  ino: string;
}

export interface SocketFolder {
  /** Listens under a name in the folder, which appears when somebody can be accepted. `null` where that fails. */
  listen(name: string, accept: (line: Line) => void): SocketId | null;
  /** The number of the descriptor that listens, for a child process to inherit; `null` where there is none. */
  descriptor(): number | null;
  /** The socket of that name as it lies there now. */
  idOf(name: string): SocketId | null;
  connect(name: string): Promise<Reached>;
  /** Resolves when what had arrived before was told. */
  turn(): Promise<void>;
  /** Ends listening and all connections. */
  close(): void;
}
