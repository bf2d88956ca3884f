/**
 * Sockets that lie as files in a folder which processes share. That one is accepted is what the kernel itself says of the
 * process behind it: also across namespaces of processes, users and networks, and when that process is stopped.
 */

/**
 * The outcome of a connection, and what the other side said in a moment, if it did. `open`: accepted, or somebody
 * listens and has no room for more. `refused`: there is a socket and nobody listens. `unreachable`: no socket, or not
 * for this process.
 */
export interface Reached {
  contact: 'open' | 'refused' | 'unreachable';
  said: string;
}

/** Identifies the file of a socket. */
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
  /** Connects, hears what is said, and goes. */
  ask(name: string): Promise<Reached>;
  /** Ends listening. */
  close(): void;
}
