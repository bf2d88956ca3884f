/**
 * Works out what agents were doing, and when: events, the clock and which processes live go in; turns, windows of calls and
 * connected clients come out. A turn runs from the prompt to the stop, the next prompt or the end of the session, at most 30 minutes
 * after its last event. Who is gone, and did not say so, was at work no longer than it was heard of. Pure.
 */

import { type AgentEvent, inTime, WRITES } from './agent-events.ts';

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
}

/** A client without hooks whose server for the engine's tools runs, and that wrote by it. */
export interface ConnectedClient extends Span {
  agent: string;
}

export interface Activity {
  turns: AgentTurn[];
  calls: CallWindow[];
  clients: ConnectedClient[];
  /** True where what began while the call ran, and belongs to no program, still lives: it may have written since. */
  outlives(call: CallWindow): boolean;
  /** Events that are to be noted now: nobody else saw that what a session started has ended. */
  seen: AgentEvent[];
}

/** The machine's answers at this moment; `null` where it cannot tell. */
export interface Machine {
  now: bigint;
  isAlive(process: string): boolean | null;
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
  const read = groups(sorted, ({ session }) => session).map(own => new SessionReader(own, machine));
  return {
    turns: read.flatMap(({ turns }) => turns),
    calls: read.flatMap(({ calls }) => calls),
    clients: clientsOf(sorted, machine),
    outlives: outlivesBy(machine),
    seen: read.flatMap(({ seen }) => seen),
  };
}

/** Groups events by a name; those of none are left out. */
function groups(events: readonly AgentEvent[], nameOf: (event: AgentEvent) => string): AgentEvent[][] {
  const found = new Map<string, AgentEvent[]>();
  for (const event of events) {
    const name = nameOf(event);
    const own = found.get(name);
    if (own) own.push(event);
    else if (name !== '') found.set(name, [event]);
  }
  return [...found.values()];
}

/** By which a moment that the kernel tells may be off. */
const SLACK = 1_000_000_000n;

function outlivesBy(machine: Machine): Activity['outlives'] {
  let orphans: readonly bigint[] | undefined;
  return ({ from, until }) => {
    orphans ??= machine.orphans();
    return orphans.some(at => at >= from - SLACK && (until === null || at <= until + SLACK));
  };
}

interface OpenCall {
  window: CallWindow;
  /** True for one that goes on when it has answered. */
  isBehind: boolean;
}

/** Reads one session's events, the oldest first. */
class SessionReader {
  readonly turns: AgentTurn[] = [];
  readonly calls: CallWindow[] = [];
  readonly seen: AgentEvent[] = [];
  readonly #events: readonly AgentEvent[];
  readonly #machine: Machine;
  readonly #open = new Map<string, OpenCall>();
  readonly #announced: boolean;
  #turn: { from: bigint; last: bigint } | null = null;

  constructor(events: readonly AgentEvent[], machine: Machine) {
    this.#events = events;
    this.#machine = machine;
    this.#announced = isAnnounced(events);
    for (const event of events) this.#take(event);
    this.#closeLapsed(machine.now);
    if (this.#turn && machine.isAlive(events.at(-1)!.client) === false) this.#closeTurn(this.#turn.last);
    if (this.#turn) this.turns.push(this.#turnUntil(null));
    for (const { window } of this.#open.values()) this.#push(window, null);
  }

  #take(event: AgentEvent): void {
    const { kind, id, at } = event;
    this.#closeLapsed(at);
    if (kind === 'prompt' || kind === 'stop' || kind === 'end') this.#closeTurn(at);
    if (kind === 'prompt' || kind === 'after' || isBefore(event))
      this.#turn = { from: this.#turn?.from ?? at, last: at };
    const open = this.#open.get(id);
    if (isBefore(event) && !open) {
      const { agent, session, tool } = event;
      const window = { agent, session, call: id, tool, from: at, until: null };
      this.#open.set(id, { window, isBehind: kind === 'background' });
    }
    if (kind !== 'after' || !open || open.isBehind) return;
    this.#open.delete(id);
    this.calls.push({ ...open.window, until: at });
  }

  /** 30 minutes after its last event a turn is over, whatever became of its client. */
  #closeLapsed(now: bigint): void {
    const end = this.#turn && this.#turn.last + TURN;
    if (end && end < now) this.#closeTurn(end);
  }

  #closeTurn(at: bigint): void {
    if (!this.#turn) return;
    this.turns.push(this.#turnUntil(at));
    this.#turn = null;
    for (const { window } of this.#open.values()) this.#push(window, this.#quietAfter(window, at));
    this.#open.clear();
  }

  #turnUntil(until: bigint | null): AgentTurn {
    const { agent, session } = this.#events[0]!;
    return { agent, session, from: this.#turn!.from, until, announced: this.#announced };
  }

  #push(window: CallWindow, until: bigint | null): void {
    const most = window.from + DAY;
    this.calls.push({ ...window, until: (until ?? this.#machine.now) > most ? most : until });
  }

  /** When what a call started, whose turn ended, was seen to live no more; `null`: it lives, or may have until now. */
  #quietAfter({ from }: CallWindow, end: bigint): bigint | null {
    const last = this.#events.at(-1)!;
    if (last.client === '') return end;
    const quiet = this.#events.find(({ kind, at }) => kind === 'quiet' && at >= end);
    if (quiet) return quiet.at;
    const lives = this.#machine.livesBelow(last.client, from);
    const { now } = this.#machine;
    if (lives === false && this.seen.length === 0)
      this.seen.push({ ...last, kind: 'quiet', id: String(now), at: now });
    return lives === null ? end : null;
  }
}

function isBefore({ kind }: AgentEvent): boolean {
  return kind === 'before' || kind === 'background';
}

/** A session's hooks tell of each call where they tell of its turns, and of no call only when it was over. */
function isAnnounced(events: readonly AgentEvent[]): boolean {
  const begun = new Set<string>();
  for (const event of events) {
    if (isBefore(event)) begun.add(event.id);
    // A hook that could not read which call it is after says nothing of any.
    if (event.kind === 'after' && event.id !== '' && !begun.has(event.id)) return false;
  }
  return begun.size > 0 && events.some(({ kind }) => kind === 'start' || kind === 'prompt');
}

/** Lists the clients without hooks that wrote, each from when it came: it has tools of its own, of which nobody tells. */
function clientsOf(events: readonly AgentEvent[], { isAlive, now }: Machine): ConnectedClient[] {
  const servers = groups(events, ({ kind, id }) => (kind === 'connect' || kind === 'gone' ? id : ''));
  return servers.flatMap(own => {
    const came = own.filter(({ kind }) => kind === 'connect');
    if (!came.some(({ tool }) => tool === WRITES)) return [];
    const [{ id, at: from }, last] = [came[0]!, came.at(-1)!.at];
    const lives = isAlive(id);
    const isLost = lives === null && now > last + DAY;
    const end = lives === false ? last : isLost ? last + DAY : null;
    const agent = came.findLast(one => one.agent !== '')?.agent ?? '';
    return [{ agent, from, until: own.find(({ kind }) => kind === 'gone')?.at ?? end }];
  });
}
