/** For which turn of a session a step of the program is done, where that can be told: by AsyncLocalStorage of Node. */

export interface TurnStore {
  run<T>(turn: OpenTurn, work: () => T): T;
  getStore(): OpenTurn | undefined;
}

/** A turn that is under way, and the one that it is within. */
export interface OpenTurn {
  queue: object;
  isOpen: boolean;
  outer: OpenTurn | undefined;
}
