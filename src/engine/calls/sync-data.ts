/** The answer of a sync of hosts. */

/** An own edit that did not fit into the server's text of a file. It stays in history, and its text is in `commit`. */
export interface SetAside {
  path: string;
  commit: string;
  subject: string;
  agent: string | null;
  session: string | null;
  /** The merge that put it aside. */
  merge: string;
}

export interface SyncData {
  remote: string;
  /** The own trail, and the ref on the server that the hosts share. */
  trail: string;
  ref: string;
  /** The newest commit, here and on the server; `null`: neither has one yet. */
  head: string | null;
  /** Commits of others that came in, and own ones that went up. */
  pulled: number;
  pushed: number;
  /** Merge commits that were made; none where the own trail only went on to the server's. */
  merges: string[];
  aside: SetAside[];
  /** Files of this work tree that changed with what came in. */
  paths: string[];
  /** The number of times that another host came first meanwhile. */
  outrun: number;
}
