/**
 * Random work of sessions that move between hosts of one trail, against a model: each session has slots of its own in shared
 * documents, so whatever is merged, its edits, undos, redos, reverts and rollbacks alone decide what stands in them.
 */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Session } from '../../src/index.ts';
import { using } from '../helpers/clones.ts';
import { bareServer } from '../helpers/git-servers.ts';
import { codeOf, type Place } from '../helpers/person-repo.ts';
import type { Sandbox } from '../helpers/real-git.ts';
import { create, faultsOf, hostsOf, sync, treesOf } from '../sync/hosts.ts';

const FILES = ['a.txt', 'b.txt'];
const SLOTS = 2;
const HOSTS = ['one', 'two', 'three'];

type WorkMove =
  | { kind: 'edit'; who: number; file: number; slot: number }
  | { kind: 'undo'; who: number }
  | { kind: 'redo'; who: number }
  | { kind: 'revert'; who: number; back: number }
  | { kind: 'rollback'; who: number; back: number }
  | { kind: 'go'; who: number; host: number };
type HostMove =
  | { kind: 'sync'; host: number }
  | { kind: 'gc'; host: number }
  | { kind: 'verify'; host: number };
type Move = WorkMove | HostMove;

const who = fc.nat(1);
const host = fc.nat(HOSTS.length - 1);
const kind = <Kind extends Move['kind']>(name: Kind): fc.Arbitrary<Kind> => fc.constant(name);
const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: kind('edit'), who, file: fc.nat(1), slot: fc.nat(1) }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('undo'), who }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('redo'), who }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('revert'), who, back: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('rollback'), who, back: fc.nat(3) }) },
  { weight: 3, arbitrary: fc.record({ kind: kind('go'), who, host }) },
  { weight: 3, arbitrary: fc.record({ kind: kind('sync'), host }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('gc'), host }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('verify'), host }) },
);

interface Done {
  commit: string;
  /** The slot that an edit set; a rollback sets all. */
  place: { file: number; slot: number } | null;
  /** All slots of the session. */
  before: string[][];
  after: string[][];
  undone: boolean;
}

/** What one session did, on whichever host. */
class Worker {
  readonly name: string;
  readonly slots: string[][];
  readonly done: Done[] = [];
  redo: Done[] = [];
  host = 0;

  snapshot(): string[][] {
    return this.slots.map(row => [...row]);
  }

  set(slots: readonly string[][]): void {
    this.slots.splice(0, this.slots.length, ...slots.map(row => [...row]));
  }

  constructor(name: string) {
    this.name = name;
    this.slots = FILES.map(() => Array.from({ length: SLOTS }, (_, slot) => `${name} ${slot}`));
  }
}

class Run {
  readonly server: Sandbox;
  readonly hosts: Place[];
  readonly workers: Worker[];
  #counter = 0;

  constructor(server: Sandbox, hosts: Place[], workers: Worker[]) {
    this.server = server;
    this.hosts = hosts;
    this.workers = workers;
  }

  async step(one: Move): Promise<void> {
    if (one.kind === 'sync') await sync(this.hosts[one.host]!);
    else if (one.kind === 'gc') await using(this.hosts[one.host]!, at => at.gc());
    else if (one.kind === 'verify') expect(await faultsOf(this.hosts[one.host]!)).toEqual([]);
    else await this.#work(one, this.workers[one.who]!);
  }

  async #work(one: WorkMove, worker: Worker): Promise<void> {
    if (one.kind === 'go') return this.#go(worker, one.host);
    if (one.kind === 'edit') await this.#edit(worker, one.file, one.slot);
    else if (one.kind === 'undo') await this.#undo(worker);
    else if (one.kind === 'redo') await this.#redo(worker);
    else if (one.kind === 'revert') await this.#revert(worker, one.back);
    else await this.#rollback(worker, one.back);
    await this.#check(worker);
  }

  /** The session goes on where all that it did has arrived. */
  async #go(worker: Worker, host: number): Promise<void> {
    await sync(this.hosts[worker.host]!);
    worker.host = host;
    await sync(this.hosts[host]!);
    await this.#check(worker);
  }

  #call<T>(worker: Worker, work: (session: Session) => Promise<T>): Promise<T> {
    return using(this.hosts[worker.host]!, at => work(at.session({ id: worker.name, agent: worker.name })));
  }

  async #edit(worker: Worker, file: number, slot: number): Promise<void> {
    const before = worker.snapshot();
    const text = `${worker.name} ${slot} ${++this.#counter}`;
    const input = { path: FILES[file]!, old_str: `${before[file]![slot]}\n`, new_str: `${text}\n` };
    const { data } = await this.#call(worker, session => session.edit('str_replace', input));
    worker.slots[file]![slot] = text;
    this.#done(worker, data.commit!, { file, slot }, before);
  }

  #done(worker: Worker, commit: string, place: Done['place'], before: string[][]): void {
    worker.done.push({ commit, place, before, after: worker.snapshot(), undone: false });
    worker.redo = [];
  }

  async #undo(worker: Worker): Promise<void> {
    const open = worker.done.filter(one => !one.undone).at(-1);
    const code = await codeOf(this.#call(worker, session => session.undo()));
    expect(code).toBe(open ? null : 'NO_CHANGE');
    if (!open) return;
    open.undone = true;
    worker.set(open.before);
    worker.redo.push(open);
  }

  async #redo(worker: Worker): Promise<void> {
    const last = worker.redo.pop();
    const code = await codeOf(this.#call(worker, session => session.redo()));
    expect(code).toBe(last ? null : 'NO_CHANGE');
    if (!last) return;
    last.undone = false;
    worker.set(last.after);
  }

  /** Takes out of the middle what nothing was built on. */
  async #revert(worker: Worker, back: number): Promise<void> {
    const target = worker.done.at(-1 - back);
    if (!target?.place) return;
    const { file, slot } = target.place;
    const fits = !target.undone && worker.slots[file]![slot] === target.after[file]![slot];
    const answer = await this.#call(worker, session => session.revert(target.commit)).catch(error => error);
    if (!fits) {
      expect(['CONFLICT', 'NO_CHANGE']).toContain(answer.code);
      return;
    }
    expect(answer.code).toBeUndefined();
    const before = worker.snapshot();
    worker.slots[file]![slot] = target.before[file]![slot]!;
    // What an undo finds below it is not looked into further.
    worker.done.length = 0;
    this.#done(worker, answer.data.commit, null, before);
  }

  /** A rollback takes back what others did since then, too; here only those that take back own edits alone are made. */
  async #rollback(worker: Worker, back: number): Promise<void> {
    const target = worker.done.filter(one => !one.undone).at(-1 - back);
    if (!target) return;
    const roll = (dryRun: boolean) =>
      this.#call(worker, session => session.rollback(target.commit, { dryRun })).catch(error => error);
    const { code, data } = await roll(true);
    if (code) {
      expect(['CONFLICT', 'NO_CHANGE']).toContain(code);
      return;
    }
    const others = this.workers.filter(one => one !== worker);
    if (others.some(({ name }) => new RegExp(`^[-+]${name} `, 'm').test(data.diff))) return;
    const answer = await roll(false);
    expect(answer.code).toBeUndefined();
    const before = worker.snapshot();
    worker.set(target.after);
    this.#done(worker, answer.data.commit, null, before);
  }

  #texts(worker: Worker): Promise<string[]> {
    return this.#call(worker, async session => {
      const texts: string[] = [];
      for (const path of FILES) {
        const { lines } = (await session.blame({ path })).data;
        texts.push(lines.map(({ text }) => text).join('\n'));
        for (const { text, session: by } of lines)
          for (const one of this.workers)
            if (text.startsWith(`${one.name} `) && /\d \d+$/.test(text))
              expect([text, by]).toEqual([text, one.name]);
      }
      return texts;
    });
  }

  async #check(worker: Worker): Promise<void> {
    const texts = await this.#texts(worker);
    const own = texts.map(text => text.split('\n').filter(line => line.startsWith(`${worker.name} `)));
    expect(own).toEqual(worker.slots);
  }

  async end(): Promise<void> {
    for (let round = 0; round < 2; round++) for (const one of this.hosts) await sync(one);
    expect(treesOf([this.server, ...this.hosts]).size).toBe(1);
    for (const one of this.hosts) {
      expect(await faultsOf(one)).toEqual([]);
      expect(one.git('fsck', '--strict', '--no-dangling')).not.toMatch(/error|missing/);
    }
    for (const worker of this.workers) await this.#check(worker);
    const { data } = await using(this.hosts[0]!, at => at.session().log());
    const logged = new Set(data.entries.map(({ commit }) => commit));
    for (const worker of this.workers) for (const { commit } of worker.done) expect(logged).toContain(commit);
  }
}

const RUNS = process.env.VEDIT_LONG ? 60 : 4;

it('gives each session its own edits back, wherever they came in', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(move, { minLength: 8, maxLength: 24 }), async moves => {
      const server = bareServer();
      const [one, two] = await hostsOf(server, ['one', 'two']);
      const hosts = [one!, two!, ...(await hostsOf(server, ['three'], { bare: false }))];
      const workers = [new Worker('ann'), new Worker('ben')];
      const between = '-\n--\n---\n----\n';
      for (const [file, path] of FILES.entries())
        await create(
          one!,
          path,
          workers.flatMap(({ slots }) => slots[file]!.map(slot => `${slot}\n${between}`)).join(''),
        );
      for (const host of hosts) await sync(host);
      workers[1]!.host = 1;
      const run = new Run(server, hosts, workers);
      for (const one of moves) await run.step(one);
      await run.end();
    }),
    { numRuns: RUNS, seed: Number(process.env.VEDIT_SEED ?? 5), endOnFailure: false },
  );
}, 3_600_000);
