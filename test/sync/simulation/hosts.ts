/**
 * Hosts of one trail in virtual time. Texts are merged by the engine's own three-way merge, and pauses follow the engine's
 * own rule; the network, git and the server are numbers.
 */

import { MOST_RACES, pauseAfter, STILL_NEW } from '../../../src/remote/backoff.ts';
import { RoundBudget } from '../../../src/sync/hosts/loop.ts';
import { mergeFile } from '../../../src/text/diff/merge.ts';
import { fractions } from '../stories/fractions.ts';
import { type Process, VirtualTime } from './virtual-time.ts';

export interface World {
  hosts: number;
  documents: number;
  /** Milliseconds to the server and back. */
  roundTrip: number;
  /** Edits of each host in a second, and milliseconds from one sync of a host to the next. */
  rate: number;
  interval: number;
  seconds: number;
  seed?: number;
  /** Each edit waits until the server has it, and the next one is made then: `before-answer`. */
  waits?: boolean;
  /** So many times as long as the others the first host takes for all that it does. */
  slow?: number;
}

/** Round trips of git over HTTP (protocol 2), as four-hosts.ts counts them. */
const TRIPS = { list: 2, fetch: 3, push: 2 };
/** Milliseconds that git and the engine work for a question, a merge, and the server for a push: one at a time. */
const WORK = { question: 15, merge: 30, server: 20 };
const LINES = 60;

interface Edit {
  host: number;
  document: number;
  before: string;
  after: string;
  /** When it was made, and when the server had it. */
  made: number;
  there: number | null;
  isAside: boolean;
}

class Server {
  revision = 0;
  readonly documents: string[];
  pushes = 0;
  /** The one that is being worked on ends then. */
  busy = 0;

  constructor(documents: string[]) {
    this.documents = documents;
  }

  seen(): Seen {
    return { revision: this.revision, documents: [...this.documents] };
  }
}

/** What a host saw on the server. */
interface Seen {
  revision: number;
  documents: readonly string[];
}

class Host {
  readonly number: number;
  /** As of the last merge or push, and with the edits since. */
  base: string[];
  own: string[];
  revision = 0;
  pending: Edit[] = [];
  outrun = 0;
  gaveUp = 0;
  pulled = 0;
  /** As a factor. */
  pace = 1;
  readonly turns: RoundBudget = new RoundBudget();

  constructor(number: number, documents: readonly string[]) {
    this.number = number;
    this.base = [...documents];
    this.own = [...documents];
  }

  /** The server's texts come in: what merges is merged, else the own edits are made again, as trail/history/replay does. */
  merge(theirs: readonly string[]): void {
    for (const [n, text] of theirs.entries()) {
      const [base, own] = [this.base[n]!, this.own[n]!];
      if (text === base || text === own) continue;
      if (own === base) this.own[n] = text;
      else this.own[n] = merged(base, own, text) ?? this.#replay(n, text);
    }
    this.base = [...theirs];
  }

  #replay(document: number, text: string): string {
    let now = text;
    for (const edit of this.pending) {
      if (edit.document !== document || edit.isAside) continue;
      const next = merged(edit.before, now, edit.after);
      if (next === null) edit.isAside = true;
      else now = next;
    }
    return now;
  }
}

/** `null` where both sides changed the same lines. */
function merged(from: string, now: string, to: string): string | null {
  if (now === from) return to;
  if (to === from || now === to) return now;
  const file = (text: string): { bytes: Uint8Array; version: string } => ({
    bytes: Buffer.from(text),
    version: '',
  });
  const result = mergeFile('a.txt', file(from), file(now), file(to));
  return 'conflict' in result ? null : Buffer.from(result.content).toString();
}

export interface Outcome {
  edits: number;
  /** That the server has, of those that were made in the time; and how many were put aside. */
  there: number;
  aside: number;
  pushes: number;
  outrun: number;
  gaveUp: number;
  /** Seconds from an edit's answer until the server had it. */
  median: number;
  late: number;
  /** By host: edits that the server has, and syncs that were given up. */
  byHost: Array<{ there: number; gaveUp: number }>;
}

export class Simulation {
  readonly #world: World;
  readonly #time = new VirtualTime();
  readonly #random: () => number;
  readonly server: Server;
  readonly hosts: Host[];
  readonly edits: Edit[] = [];
  #isOver = false;

  constructor(world: World) {
    this.#world = world;
    this.#random = fractions(world.seed ?? 1);
    const text = Array.from({ length: LINES }, (_, n) => `line ${n}\n`).join('');
    const documents = Array.from({ length: world.documents }, () => text);
    this.server = new Server([...documents]);
    this.hosts = Array.from({ length: world.hosts }, (_, n) => new Host(n, documents));
  }

  run(): Outcome {
    for (const host of this.hosts) {
      if (host.number === 0) host.pace = this.#world.slow ?? 1;
      if (!this.#world.waits) this.#time.start(this.#edit(host));
      this.#time.start(this.#syncs(host));
    }
    this.#time.run(this.#world.seconds * 1000);
    this.#isOver = true;
    return this.#outcome();
  }

  /** Goes on without edits until all hosts have what the server has; false where that takes more than ten minutes. */
  settle(): boolean {
    for (let second = 1; second <= 600; second++) {
      this.#time.run(this.#world.seconds * 1000 + second * 1000);
      const isSettled = (host: Host): boolean =>
        host.revision === this.server.revision && host.pending.length === 0;
      if (this.hosts.every(isSettled)) return true;
    }
    return false;
  }

  *#edit(host: Host): Process {
    while (!this.#isOver) {
      yield (1000 / this.#world.rate) * (0.5 + this.#random());
      if (!this.#isOver) this.#makeEdit(host);
    }
  }

  #makeEdit(host: Host): void {
    const document = Math.floor(this.#random() * this.#world.documents);
    const before = host.own[document]!;
    const lines = before.split('\n');
    lines[Math.floor(this.#random() * LINES)] = `host ${host.number} edit ${this.edits.length}`;
    const after = lines.join('\n');
    host.own[document] = after;
    const edit = {
      host: host.number,
      document,
      before,
      after,
      made: this.#time.now,
      there: null,
      isAside: false,
    };
    host.pending.push(edit);
    this.edits.push(edit);
  }

  *#syncs(host: Host): Process {
    const { waits, interval } = this.#world;
    yield interval * this.#random();
    for (;;) {
      if (waits && !this.#isOver) this.#makeEdit(host);
      if (waits) yield host.turns.pause(this.#random());
      const [begun, pulled, outrun] = [this.#time.now, host.pulled, host.outrun];
      yield* this.#sync(host);
      host.turns.note({
        hasPulled: host.pulled > pulled,
        rounds: 1 + host.outrun - outrun,
        took: this.#time.now - begun,
      });
      yield interval;
    }
  }

  /** As src/sync/hosts/sync.ts: list, fetch and merge what is new, push; and again where another host came first. */
  *#sync(host: Host): Process {
    const trip = this.#world.roundTrip * host.pace;
    const { server } = this;
    let now: Seen | null = null;
    for (let outrun = 0; ; ) {
      if (!now) {
        yield (TRIPS.list - 0.5) * trip;
        now = server.seen();
        yield 0.5 * trip + WORK.question * host.pace;
      }
      if (now.revision !== host.revision) {
        yield TRIPS.fetch * trip + WORK.question * host.pace;
        host.pulled += now.revision - host.revision;
        host.merge(now.documents);
        host.revision = now.revision;
        yield WORK.merge * host.pace;
      }
      if (host.pending.length === 0) return;
      const [texts, count] = [[...host.own], host.pending.length];
      yield (TRIPS.push - 0.5) * trip + WORK.question * host.pace;
      yield this.#queue();
      if (this.#push(host, texts, count)) return void (yield trip / 2);
      host.outrun++;
      const pause = pauseAfter(++outrun, this.#random(), MOST_RACES);
      if (pause === null) host.gaveUp++;
      if (pause === null) return;
      // Git asks again where the ref is after a push that was lost.
      yield TRIPS.list * trip;
      now = pause <= STILL_NEW ? server.seen() : null;
      yield trip / 2 + WORK.question * host.pace + pause;
    }
  }

  /** One push after the other. */
  #queue(): number {
    this.server.busy = Math.max(this.server.busy, this.#time.now) + WORK.server;
    return this.server.busy - this.#time.now;
  }

  #push(host: Host, texts: string[], count: number): boolean {
    const { server } = this;
    if (server.revision !== host.revision) return false;
    host.revision = ++server.revision;
    server.documents.splice(0, server.documents.length, ...texts);
    server.pushes++;
    host.base = [...texts];
    for (const edit of host.pending.splice(0, count)) edit.there = this.#time.now;
    return true;
  }

  #outcome(): Outcome {
    const sum = (of: (host: Host) => number): number => this.hosts.reduce((all, host) => all + of(host), 0);
    const waits = this.edits.flatMap(({ made, there }) => (there === null ? [] : [(there - made) / 1000]));
    waits.sort((a, b) => a - b);
    return {
      edits: this.edits.length,
      there: waits.length,
      aside: this.edits.filter(({ isAside }) => isAside).length,
      pushes: this.server.pushes,
      outrun: sum(host => host.outrun),
      gaveUp: sum(host => host.gaveUp),
      median: waits[waits.length >> 1] ?? Number.NaN,
      late: waits[Math.floor(waits.length * 0.95)] ?? Number.NaN,
      byHost: this.hosts.map(({ number, gaveUp }) => ({
        there: this.edits.filter(({ host, there }) => host === number && there !== null).length,
        gaveUp,
      })),
    };
  }
}
