/**
 * Turns of the processes that want the same lock. Each listens on a socket; who waits tells the owner, and the owner, when
 * it lets go, wakes the one that has waited longest and hands it the list of the others, so that the line goes with the
 * lock and nobody has to get in line again. What is sent are lines of words:
 *
 *     owner <token> held|free|stuck <since>    the greeting of who listens; since: milliseconds since 1970
 *     want <token> <token>...                  the first is the sender, the others wait behind it
 *     go <token> <token>...                    the sender let go; your turn; the others wait behind you
 *
 * The lock alone decides who has it. A text that is lost, or made up by somebody, costs time: waiters look at the lock
 * now and then all the same.
 */

import { isToken } from './lock-file.ts';
import type { Line, SocketFolder, SocketId } from './sockets.ts';

export type Holding = 'held' | 'free' | 'stuck';

/** The state of a process, as a connection to its socket tells it. */
export type Contact = 'alive' | 'stuck' | 'refused' | 'unreachable';

/** So many may wait in line; more come back by themselves. */
const LONGEST_LINE = 1_000;

/** Milliseconds within which a socket that was not reached is not tried again. */
const RETRY = 500;

export class LockQueue {
  readonly #sockets: SocketFolder;
  readonly #token: string;
  readonly #holding: () => { state: Holding; since: number };
  readonly #lines = new Map<string, Line>();
  /** All who connected with this process. */
  readonly #accepted = new Set<Line>();
  readonly #tried = new Map<string, { at: number; found: Contact }>();
  /** Tokens of those who wait behind this process. */
  #queue: string[] = [];
  #waiting = false;
  /** True when it is this process's turn and it has not noticed yet. */
  #called = false;
  #wake: (() => void) | null = null;
  #inLineWith: string | null = null;
  #delivery: Promise<void> = Promise.resolve();
  /** Since when the owner holds the lock, as its greeting said. */
  readonly #since = new Map<string, number>();

  constructor(sockets: SocketFolder, token: string, holding: () => { state: Holding; since: number }) {
    this.#sockets = sockets;
    this.#token = token;
    this.#holding = holding;
  }

  /** `null` where this process cannot be woken. */
  listen(): SocketId | null {
    return this.#sockets.listen(this.#token, line => {
      this.#accepted.add(line);
      line.onEnd(() => this.#accepted.delete(line));
      const { state, since } = this.#holding();
      line.send(`owner ${this.#token} ${state} ${since}`);
      line.onText(text => this.#hear(line, text));
    });
  }

  /** True while somebody waits behind this process. */
  get isWanted(): boolean {
    return this.#queue.length > 0;
  }

  /** Lets in what others have sent. */
  hear(): Promise<void> {
    return this.#sockets.turn();
  }

  sinceOf(token: string): number | null {
    return this.#since.get(token) || null;
  }

  idOf(token: string): SocketId | null {
    return this.#sockets.idOf(token);
  }

  /** Tells the state of a process by connecting to its socket. An open connection proves that it lives. */
  async reach(token: string): Promise<Contact> {
    if (this.#lines.has(token)) return 'alive';
    const last = this.#tried.get(token);
    if (last && performance.now() - last.at < RETRY) return last.found;
    this.#tried.delete(token);
    const found = await this.#connect(token);
    // Its greeting may have said more.
    const { found: told } = this.#tried.get(token) ?? { found };
    if (told === found) this.#tried.set(token, { at: performance.now(), found });
    return told;
  }

  /** Connects to a process. One that is stopped or busy accepts and greets later. */
  async #connect(token: string): Promise<Contact> {
    const line = await this.#sockets.connect(token);
    if (line === 'busy') return 'alive';
    if (line === 'refused' || line === 'unreachable') return line;
    this.#keep(token, line);
    line.onText(text => this.#hear(line, text));
    return 'alive';
  }

  /** Resolves when the process has greeted, or has had the time to. */
  async greeted(token: string): Promise<void> {
    for (let waited = 0; waited < GREETING && this.#lines.has(token) && !this.#since.has(token); waited += 5)
      await this.pause(5);
  }

  #keep(token: string, line: Line): void {
    if (this.#lines.get(token) === line) return;
    this.#lines.set(token, line);
    line.onEnd(() => {
      if (this.#lines.get(token) === line) this.#lines.delete(token);
      this.#tried.delete(token);
      if (this.#inLineWith === token) this.#rouse();
    });
  }

  #hear(line: Line, text: string): void {
    const [word, from, ...behind] = text.split(' ');
    if (!isToken(from)) return;
    if (word === 'owner') this.#hearOwner(from, behind);
    if (word !== 'want' && word !== 'go') return;
    this.#keep(from, line);
    const tokens = behind.filter(isToken);
    this.#add(word === 'want' ? [from, ...tokens] : tokens);
    // Two that are polite to each other would both wait.
    if (word === 'go' || from === this.#successor?.token) this.#successor = null;
    if (this.#waiting && word === 'go') {
      this.#called = true;
      this.#inLineWith = null;
    }
    if (this.#waiting && this.#successor === null) this.#rouse();
    if (this.#holding().state === 'held') this.#greetNext();
    // Who asks here saw a lock that is no more: it is its turn, and this process gets in line behind it.
    if (!this.#waiting && this.#holding().state !== 'held') this.pass();
  }

  #hearOwner(token: string, [state, since]: readonly string[]): void {
    this.#since.set(token, Number(since));
    if (state !== 'stuck') return;
    this.#lines.delete(token);
    this.#tried.set(token, { at: Number.POSITIVE_INFINITY, found: 'stuck' });
    if (this.#inLineWith === token) this.#rouse();
  }

  /** Tells all that this process holds nothing, whatever the lock says. */
  tellStuck(): void {
    for (const line of new Set([...this.#accepted, ...this.#lines.values()]))
      line.send(`owner ${this.#token} stuck 0`);
  }

  #add(tokens: readonly string[]): void {
    for (const token of tokens) {
      if (token === this.#token || this.#queue.includes(token)) continue;
      if (this.#queue.length < LONGEST_LINE) this.#queue.push(token);
    }
  }

  #rouse(): void {
    this.#wake?.();
  }

  /** From now on this process waits; `stopWaiting` when it has the lock, or gives up. */
  startWaiting(): void {
    this.#waiting = true;
  }

  stopWaiting(isTaken: boolean): void {
    this.#waiting = false;
    this.#called = false;
    this.#inLineWith = null;
    if (isTaken) this.#greetNext();
    else this.pass();
  }

  /** The next one will be woken without having to be connected with first. */
  #greetNext(): void {
    const [next] = this.#queue;
    if (next && !this.#lines.has(next)) void this.reach(next).catch(() => {});
  }

  /** Gets in line with the owner, once, together with those who wait behind this process. */
  async lineUp(owner: string): Promise<boolean> {
    if (this.#inLineWith === owner) return true;
    if ((await this.reach(owner)) !== 'alive') return false;
    const line = this.#lines.get(owner);
    if (!line) return false;
    this.#inLineWith = owner;
    line.send(['want', this.#token, ...this.#queue].join(' '));
    this.#queue = [];
    return true;
  }

  /** Waits to be called, or for the owner's end, at most so many milliseconds. True when it is this process's turn. */
  async pause(milliseconds: number): Promise<boolean> {
    if (!this.#called) {
      await new Promise<void>(resolve => {
        // What is unref'd does not keep a process alive that waits.
        const timer = setTimeout(resolve, milliseconds);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#wake = null;
    }
    const called = this.#called;
    this.#called = false;
    return called;
  }

  /** Wakes the first of those who wait behind this process and hands it the others. */
  pass(): void {
    if (this.#queue.length === 0) return;
    const queue = this.#queue;
    this.#queue = [];
    const [first, ...others] = queue;
    const line = this.#lines.get(first!);
    // At once, where that is possible: each moment that the lock is free is lost for all.
    if (line) this.#go(first!, line, others);
    else this.#delivery = this.#delivery.then(() => this.#deliver(queue));
  }

  async #deliver(queue: readonly string[]): Promise<void> {
    for (const [at, token] of queue.entries()) {
      const contact = await this.reach(token).catch(() => 'unreachable');
      const line = this.#lines.get(token);
      if (contact === 'alive' && line) return this.#go(token, line, queue.slice(at + 1));
    }
  }

  /** Hands the turn and the rest of the line to the next process; this one lines up behind all of them. */
  #go(to: string, line: Line, others: readonly string[]): void {
    line.send(['go', this.#token, ...others].join(' '));
    this.#successor = { token: to, until: performance.now() + POLITE };
  }

  #successor: { token: string; until: number } | null = null;

  /** The process that this one woke a moment ago, and that may not have taken the lock yet. */
  get successor(): string | null {
    const { token, until } = this.#successor ?? { token: null, until: 0 };
    return performance.now() < until ? token : null;
  }

  async close(): Promise<void> {
    await this.#delivery;
    this.#sockets.close();
  }
}

/** Milliseconds: for a greeting, and for one who was woken to take the lock. */
const GREETING = 200;
const POLITE = 20;
