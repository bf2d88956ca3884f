/**
 * Works out what agents were doing, and when: events, the clock and which processes live go in; turns, windows of calls and connected
 * clients come out. A turn runs from the prompt to the stop, the next prompt, the end of the session or of its client, at most
 * 30 minutes after its last event. Pure.
 */

import { inOrder } from '../../sorted.ts';
import { type AgentEvent, inTime } from './agent-events.ts';

/** Nanoseconds since 1970, both included; `until` is `null` where it is not over. */
export interface Span {
  from: bigint;
  until: bigint | null;
}

export interface AgentTurn extends Span {
  agent: string;
  session: string;
  /** True when the session's hooks tell of each of its calls: what they did not tell of, it did not do. */
  announced: boolean;
}

/** The time in which a call may have changed files. */
export interface CallWindow extends Span {
  agent: string;
  session: string;
  call: string;
  tool: string;
  /** The only file that the call can change; `undefined`: any. */
  path: string | undefined;
}

/** A client whose server for the engine's tools runs. */
export interface ConnectedClient extends Span {
  agent: string;
  /** True when the client has hooks, so that its turns are known. */
  hooked: boolean;
}

export interface Activity {
  turns: AgentTurn[];
  calls: CallWindow[];
  clients: ConnectedClient[];
  /** True where what began while the call ran, and belongs to no program, still lives: it may have written since. */
  outlives(call: CallWindow): boolean;
  /** Events that are to be noted now: nobody else saw that a client ended, or that its commands did. */
  seen: AgentEvent[];
}

/** The machine's answers at this moment; `null` where it cannot tell. */
export interface Machine {
  now: bigint;
  /** `at`: when it surely lived. */
  isAlive(process: string, at: bigint): boolean | null;
  /** True while a process lives that `process`, or one that it started, has started since. */
  livesBelow(process: string, since: bigint): boolean | null;
  /** When processes began that work here and whose parents ended. */
  orphans(): readonly bigint[];
}

const MINUTE = 60_000_000_000n;
const TURN = 30n * MINUTE;
/** The longest window of a call, and the longest connection of a process that cannot be looked at. */
const DAY = 24n * 60n * MINUTE;

/** Works out the activity from the events of all sessions. */
export function activityOf(events: readonly AgentEvent[], machine: Machine): Activity {
  const sorted = events.toSorted(inTime);
  const seen: AgentEvent[] = [];
  const alive = livenessOf(sorted, machine, seen);
  const sessions = new Map<string, AgentEvent[]>();
  for (const event of sorted) {
    const own = sessions.get(event.session);
    if (own) own.push(event);
    else if (event.session !== '') sessions.set(event.session, [event]);
  }
  const read = [...sessions.values()].map(own => new SessionReader(own, machine, alive).read());
  const clients = clientsOf(sorted, alive, machine.now);
  return {
    turns: read.flatMap(({ turns }) => turns),
    calls: read.flatMap(({ calls }) => calls),
    clients,
    outlives: outlivesBy(machine),
    seen: [...seen, ...read.flatMap(({ quiet }) => quiet)],
  };
}

/** By which a moment that the kernel tells may be off. */
const SLACK = 1_000_000_000n;

function outlivesBy(machine: Machine): Activity['outlives'] {
  let orphans: readonly bigint[] | undefined;
  return ({ path, from, until }) => {
    if (path !== undefined) return false;
    orphans ??= machine.orphans();
    return orphans.some(at => at >= from - SLACK && (until === null || at <= until + SLACK));
  };
}

interface Liveness {
  isAlive(process: string, at: bigint): boolean | null;
  /** Returns when a process ended: now, where it is seen only now; `undefined`: it lives, or nobody can tell. */
  endOf(process: string, at: bigint): bigint | undefined;
}

/** Asks the machine once of each process. Ends that nobody saw before are added to `seen`. */
function livenessOf(events: readonly AgentEvent[], machine: Machine, seen: AgentEvent[]): Liveness {
  const ends = new Map<string, bigint>();
  for (const { kind, id, at } of events) if (kind === 'gone' && !ends.has(id)) ends.set(id, at);
  const known = new Map<string, boolean | null>();
  const isAlive = (process: string, at: bigint): boolean | null => {
    const before = known.get(process);
    if (before !== undefined) return before;
    const alive = machine.isAlive(process, at);
    known.set(process, alive);
    if (alive === false)
      seen.push({ ...NOBODY, tool: UNSEEN, kind: 'gone', id: process, client: process, at: machine.now });
    return alive;
  };
  const isEnded = (process: string, at: bigint): boolean => process !== '' && isAlive(process, at) === false;
  return {
    isAlive,
    endOf: (process, at) => ends.get(process) ?? (isEnded(process, at) ? machine.now : undefined),
  };
}

/** In place of a tool, of a client that did not say itself that it goes. */
const UNSEEN = 'unseen';

const NOBODY = { agent: '', session: '', tool: '' };

/** One session's events, the oldest first. */
class SessionReader {
  readonly #events: readonly AgentEvent[];
  readonly #machine: Machine;
  readonly #alive: Liveness;
  readonly #turns: AgentTurn[] = [];
  readonly #calls: CallWindow[] = [];
  readonly #quiet: AgentEvent[] = [];
  readonly #open = new Map<string, { window: CallWindow; isBehind: boolean; client: string }>();
  #turn: (AgentTurn & { last: bigint }) | null = null;
  #client = '';
  #isAnnounced = false;
  #isUnpaired = false;

  constructor(events: readonly AgentEvent[], machine: Machine, alive: Liveness) {
    this.#events = events;
    this.#machine = machine;
    this.#alive = alive;
  }

  read(): Pick<Activity, 'turns' | 'calls'> & { quiet: readonly AgentEvent[] } {
    for (const event of this.#events) this.#take(event);
    this.#closeLapsed(this.#machine.now);
    this.#closeOfDead();
    for (const call of [...this.#open.keys()]) this.#endOpen(call, null);
    if (this.#turn) this.#turns.push(this.#turn);
    const announced =
      this.#isAnnounced && !this.#isUnpaired && this.#events.some(({ kind }) => isBefore(kind));
    const turns = this.#turns.map(({ agent, session, from, until }) => {
      return { agent, session, from, until, announced };
    });
    return { turns, calls: this.#calls, quiet: this.#quiet };
  }

  #take(event: AgentEvent): void {
    const { kind, at } = event;
    this.#closeLapsed(at);
    if (event.client !== '' && event.client !== this.#client) {
      this.#closeOfDead(at);
      this.#client = event.client;
    }
    if (kind === 'start' || kind === 'prompt') this.#isAnnounced = true;
    if (kind === 'prompt' || kind === 'stop' || kind === 'end') this.#closeTurn(at);
    if (kind === 'prompt' || kind === 'after' || isBefore(kind)) this.#continueTurn(event);
    if (isBefore(kind)) this.#begin(event);
    if (kind === 'after') this.#finish(event);
  }

  #continueTurn({ agent, session, at }: AgentEvent): void {
    this.#turn ??= { agent, session, from: at, until: null, announced: false, last: at };
    this.#turn.last = at;
  }

  #begin({ kind, agent, session, id, tool, path, client, at }: AgentEvent): void {
    if (this.#open.has(id)) return;
    const window = { agent, session, call: id, tool, path, from: at, until: null };
    this.#open.set(id, { window, isBehind: kind === 'background', client });
  }

  /** Ends a call. A hook that could not read which call it is after says nothing of any. */
  #finish({ id, at }: AgentEvent): void {
    if (id === '') return;
    const open = this.#open.get(id);
    const isKnown = open !== undefined || this.#calls.some(({ call }) => call === id);
    if (!isKnown) this.#isUnpaired = true;
    if (!open || open.isBehind) return;
    this.#open.delete(id);
    this.#calls.push({ ...open.window, until: at });
  }

  /** 30 minutes after its last event a turn is over, whatever became of its client. */
  #closeLapsed(now: bigint): void {
    const end = this.#turn && this.#turn.last + TURN;
    if (end && end < now) this.#closeTurn(end);
  }

  #closeOfDead(most?: bigint): void {
    const turn = this.#turn;
    const end = turn ? this.#alive.endOf(this.#client, turn.last) : undefined;
    if (turn && end !== undefined && end >= turn.from)
      this.#closeTurn(most !== undefined && most < end ? most : end);
  }

  #closeTurn(at: bigint): void {
    if (!this.#turn) return;
    this.#turns.push({ ...this.#turn, until: at });
    this.#turn = null;
    for (const call of [...this.#open.keys()]) this.#endOpen(call, at);
  }

  /** Ends a call that is still open when its turn is over, or (`null`) when nothing more is known of it. */
  #endOpen(call: string, end: bigint | null): void {
    const { window, client } = this.#open.get(call)!;
    this.#open.delete(call);
    const limit = window.from + DAY;
    const until = end === null ? null : this.#quietAfter(window, client, end);
    const cut = until === null ? this.#machine.now > limit : until > limit;
    this.#calls.push({ ...window, until: cut ? limit : until });
  }

  /** When what the call started was seen to live no more, after its turn; `null`: it lives. */
  #quietAfter(window: CallWindow, client: string, end: bigint): bigint | null {
    if (window.path !== undefined || client === '') return end;
    const seen = this.#events.find(({ kind, at }) => kind === 'quiet' && at >= end)?.at;
    const gone = this.#alive.endOf(client, end);
    const ends = [seen, gone].filter(one => one !== undefined);
    if (ends.length > 0) return ends.filter(at => at >= end).sort(inOrder)[0] ?? end;
    const lives = this.#machine.livesBelow(client, window.from);
    if (lives === null) return end;
    if (lives === false && this.#quiet.length === 0)
      this.#quiet.push({
        ...this.#events.at(-1)!,
        kind: 'quiet',
        id: String(this.#machine.now),
        at: this.#machine.now,
      });
    return null;
  }
}

function isBefore(kind: AgentEvent['kind']): boolean {
  return kind === 'before' || kind === 'background';
}

function clientsOf(events: readonly AgentEvent[], alive: Liveness, now: bigint): ConnectedClient[] {
  const hooked = new Set(
    events.filter(({ kind }) => kind === 'start' || kind === 'prompt').map(({ client }) => client),
  );
  hooked.delete('');
  const gone = events.filter(({ kind, tool }) => kind === 'gone' && tool !== UNSEEN);
  const ends = new Map(gone.map(({ id, at }) => [id, at]));
  const found = new Map<string, ConnectedClient>();
  for (const { kind, agent, id, ancestors = [], at } of events) {
    if (kind !== 'connect') continue;
    // One that is gone, and nobody saw it go, was at work no longer than it was heard of.
    const end = ends.get(id) ?? (alive.endOf(id, at) === undefined ? null : at);
    const isLost = end === null && alive.isAlive(id, at) === null && now > at + DAY;
    const known = found.get(id);
    found.set(id, {
      agent: agent || (known?.agent ?? ''),
      hooked: (known?.hooked ?? false) || ancestors.some(one => hooked.has(one)),
      from: known?.from ?? at,
      until: isLost ? at + DAY : end,
    });
  }
  return [...found.values()];
}
