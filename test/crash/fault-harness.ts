/**
 * One operation in one place, run again and again under faults, each time from the same start. What the run, and the
 * next edit of a new process after it, have to leave is known from runs without a fault.
 */

import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Answer, DoneData } from '../../src/engine/answer.ts';
import type { Fs } from '../../src/fs/fs.ts';
import { onlyProcess, type Processes } from '../../src/fs/lock/processes.ts';
import { nodeFs } from '../../src/fs/node/node-fs.ts';
import { nativeCodec } from '../../src/git/native/codec.ts';
import { openOn, type Workspace } from '../../src/workspace/open.ts';
import type { Session } from '../../src/workspace/session.ts';
import { type Call, type Fault, type FaultFs, faultFs } from '../helpers/fault-fs.ts';
import type { Tree } from '../helpers/fault-log.ts';
import { at } from '../helpers/real-git.ts';
import { readImage, remembering, scratchFolder, writeImage } from './image.ts';
import type { Operation, Scenario } from './operations.ts';
import { type Snapshot, snapshotOf } from './snapshot.ts';

export interface Outcome {
  /** The commit that was acknowledged, or `null` when the call failed or died. */
  acknowledged: string | null;
  error: unknown;
  /** What the answer warned of. */
  warnings: readonly string[];
}

export interface State extends Outcome {
  fs: FaultFs;
  /** With `record`: how many changes were made when the answer was given. */
  answeredAfter: number;
}

/** What a run from the start leaves, and then the next edit. */
export interface Course {
  now: Snapshot;
  next: Snapshot;
}

let processes = 0;

/** A process of its own, to which every other one of the same file system has died. */
export function processOfBoot(boot: string): Processes {
  const all = onlyProcess();
  const self = { ...all.self, pid: ++processes, boot };
  const isAlive: Processes['isAlive'] = owner => owner.pid === self.pid;
  return { ...all, self, isAlive, alone: false, diskOf: () => 'local' };
}

export class FaultHarness {
  readonly scenario: Scenario;
  /** Which start of the machine it is: another one after a power cut. */
  boot = 'first';
  /** The same in every state: a linked worktree knows its absolute place. */
  readonly dir: string;
  readonly #top: string;
  template: Tree = new Map();
  /** Without the operation, and with it. */
  old!: Course;
  new!: Course;
  calls: readonly Call[] = [];

  private constructor(scenario: Scenario) {
    this.scenario = scenario;
    this.#top = scratchFolder();
    this.dir = join(this.#top, 'state');
  }

  static async of(scenario: Scenario): Promise<FaultHarness> {
    const harness = new FaultHarness(scenario);
    const { place, operation } = scenario;
    mkdirSync(harness.dir);
    place.make(harness.dir);
    await harness.#before(operation);
    harness.template = readImage(harness.dir);
    harness.old = await harness.#course();
    const { fs, acknowledged, error } = await harness.run();
    if (!acknowledged) throw error;
    harness.calls = fs.trace;
    harness.new = await harness.#course();
    return harness;
  }

  async #before({ before }: Operation): Promise<void> {
    const workspace = await this.open();
    await before?.(workspace.session({ id: 'victim', agent: 'victim' }), at(this.root));
    await workspace.close();
  }

  /** From the state on disk. */
  async #course(): Promise<Course> {
    const now = this.snapshot();
    const { acknowledged, error } = await this.next();
    if (!acknowledged) throw error;
    return { now, next: this.snapshot() };
  }

  get root(): string {
    return join(this.dir, this.scenario.place.root);
  }

  snapshot(tree: Tree = readImage(this.dir)): Snapshot {
    return snapshotOf(tree, this.scenario.place.gitDir);
  }

  /** Puts the start on the disk. */
  reset(): void {
    writeImage(this.template, this.dir);
  }

  /** Runs the operation from the start, under faults. */
  async run(...faults: Fault[]): Promise<State> {
    this.reset();
    return this.runOn(nodeFs(), ...faults);
  }

  /** The same on another file system, and on what is on disk. */
  async runOn(real: Fs, ...faults: Fault[]): Promise<State> {
    const fs = faultFs(remembering(real), ...faults);
    let answeredAfter = Number.POSITIVE_INFINITY;
    const outcome = await this.#answer('victim', fs, async session => {
      const answer = await this.scenario.operation.run(session);
      answeredAfter = fs.log?.entries.length ?? answeredAfter;
      return answer;
    });
    return { fs, answeredAfter, ...outcome };
  }

  /** The same call once more, by a new process, on what is on disk. */
  again(): Promise<Outcome> {
    return this.#answer('victim', remembering(nodeFs()), session => this.scenario.operation.run(session));
  }

  /** The next edit, by a new process. */
  async next(fs: Fs = nodeFs()): Promise<Outcome> {
    const input = { path: 'next.txt', file_text: 'next\n' };
    return this.#answer('next', remembering(fs), session => session.edit('create', input));
  }

  /** A new process that repairs, and then has nothing to do. */
  async repair(fs: Fs): Promise<Outcome> {
    const input = { path: 'next.txt', old_str: 'nowhere', new_str: '' };
    return this.#answer('repair', fs, session => session.edit('str_replace', input));
  }

  /** A workspace of a process of its own: nothing of another one is alive to it. */
  open(fs: Fs = remembering(nodeFs())): Promise<Workspace> {
    return openOn(
      { fs, codec: nativeCodec, processes: processOfBoot(this.boot) },
      {
        root: this.root,
        durability: this.scenario.place.durability,
        patience: { engine: 200, git: 100 },
        now: () => new Date('2026-01-01T12:00:00Z'),
      },
    );
  }

  async #answer(id: string, fs: Fs, call: (session: Session) => Promise<Answer<DoneData>>): Promise<Outcome> {
    let workspace: Workspace | null = null;
    try {
      workspace = await this.open(fs);
      const { data } = await call(workspace.session({ id, agent: id }));
      return { acknowledged: data.commit, error: null, warnings: data.warnings ?? [] };
    } catch (error) {
      return { acknowledged: null, error, warnings: [] };
    } finally {
      await workspace?.close().catch(() => {});
    }
  }

  close(): void {
    rmSync(this.#top, { recursive: true, force: true });
  }
}
