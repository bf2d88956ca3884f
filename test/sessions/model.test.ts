/**
 * Random sequences of edits, outside changes, undo, redo, revert, rollback and restarts against a simple model: a
 * file is a row of slots far enough apart that no merge touches two, an edit sets one slot, and taking an edit back
 * sets the slot to what it was, or is a conflict when somebody set it since.
 */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Session } from '../../src/index.ts';
import { codeOf, filesEqual, ownRepo, type Place, personRepo } from '../helpers/person-repo.ts';

const FILES = ['a.txt', 'b.txt'];
const SLOTS = 4;

type Move =
  | { kind: 'edit' | 'outside'; file: number; slot: number }
  | { kind: 'undo' | 'redo' | 'restart' | 'commit' }
  | { kind: 'revert'; back: number }
  | { kind: 'rollback'; back: number };

const move: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('edit' as const), file: fc.nat(1), slot: fc.nat(SLOTS - 1) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('outside' as const), file: fc.nat(1), slot: fc.nat(SLOTS - 1) }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('undo' as const, 'redo' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('restart' as const, 'commit' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom('revert' as const, 'rollback' as const), back: fc.nat(5) }),
  },
);

interface Change {
  file: number;
  slot: number;
  before: string;
  after: string;
}

/** One thing that the session did, and that undo takes back as a whole. */
interface Done {
  commit: string;
  /** The number of the newest text when it was made. */
  counter: number;
  changes: Change[];
  undone: boolean;
  /** What this revert took back; it counts again when the revert itself is taken back. */
  reverted?: Done;
}

class Model {
  readonly slots = FILES.map(() => Array.from({ length: SLOTS }, (_, i) => `slot ${i}`));
  readonly done: Done[] = [];
  /** Edits that redo puts back, the next one last. */
  redo: Done[] = [];
  readonly texts = new Set<string>();

  text(file: number): string {
    return this.slots[file]!.map(slot => `-----\n-----\n${slot}\n-----\n-----\n`).join('');
  }

  /** Takes changes back, newest first; false (and nothing happens) when one of them was overwritten. */
  takeBack(changes: readonly Change[]): Change[] | null {
    const trial = this.slots.map(row => [...row]);
    const made: Change[] = [];
    for (const { file, slot, before, after } of changes) {
      const now = trial[file]![slot]!;
      if (now === before) continue;
      if (now !== after) return null;
      trial[file]![slot] = before;
      made.push({ file, slot, before: after, after: before });
    }
    this.slots.splice(0, FILES.length, ...trial);
    return made;
  }
}

const reversed = (changes: readonly Change[]): Change[] =>
  [...changes].reverse().map(one => ({ ...one, before: one.after, after: one.before }));

class Run {
  readonly repo: Place;
  readonly model = new Model();
  session: Session;
  #counter = 0;

  constructor(repo: Place, session: Session) {
    this.repo = repo;
    this.session = session;
  }

  async step(one: Move): Promise<void> {
    const before = FILES.map((_, file) => this.model.text(file));
    if (one.kind === 'edit') await this.#edit(one.file, one.slot);
    else if (one.kind === 'outside') this.#outside(one.file, one.slot);
    else if (one.kind === 'restart') this.session = await this.repo.session('s1');
    else if (one.kind === 'commit')
      this.repo.git('commit', '-qam', `hand ${++this.#counter}`, '--allow-empty');
    else if (one.kind === 'undo') await this.#undo();
    else if (one.kind === 'redo') await this.#redo();
    else if (one.kind === 'revert') await this.#revert(one.back);
    else if (one.kind === 'rollback') await this.#rollback(one.back);
    for (const [file, path] of FILES.entries()) {
      expect([one, this.repo.read(path)]).toEqual([one, this.model.text(file)]);
      // A text that a person wrote over before the engine came by was never the engine's to keep.
      if (one.kind === 'outside' || before[file] === this.model.text(file)) continue;
      this.model.texts.add(before[file]!);
      this.model.texts.add(this.model.text(file));
    }
    // What a person wrote and nothing has recorded yet is a fault of no commit.
    const { faults } = (await this.session.verify()).data;
    expect([one, faults]).toEqual([one, []]);
  }

  #record(commit: string, changes: Change[], clearsRedo = true): void {
    this.model.done.push({ commit, counter: this.#counter, changes, undone: false });
    if (clearsRedo) this.model.redo = [];
  }

  async #edit(file: number, slot: number): Promise<void> {
    const before = this.model.slots[file]![slot]!;
    const after = `edit ${++this.#counter}.`;
    const { data } = await this.session.edit('str_replace', {
      path: FILES[file]!,
      old_str: before,
      new_str: after,
    });
    this.model.slots[file]![slot] = after;
    this.#record(data.commit!, [{ file, slot, before, after }]);
  }

  #outside(file: number, slot: number): void {
    this.model.slots[file]![slot] = `by hand ${++this.#counter}.`;
    this.repo.write(FILES[file]!, this.model.text(file));
  }

  async #undo(): Promise<void> {
    const open = this.model.done.filter(one => !one.undone).reverse();
    const taken = await this.#take(open, one => [...one.changes].reverse(), this.session.undo());
    for (const target of taken) {
      target.undone = true;
      if (target.reverted) target.reverted.undone = false;
      this.model.redo.push(target);
    }
  }

  async #redo(): Promise<void> {
    const open = [...this.model.redo].reverse();
    const taken = await this.#take(open, one => reversed([...one.changes].reverse()), this.session.redo());
    for (const target of taken) {
      target.undone = false;
      if (target.reverted) target.reverted.undone = true;
      this.model.redo.pop();
    }
  }

  /** The edits that the call must have gone over: up to the first that is still in the files. */
  async #take(open: Done[], changes: (one: Done) => Change[], call: Promise<unknown>): Promise<Done[]> {
    const code = await codeOf(call);
    const passed: Done[] = [];
    for (const one of open) {
      const made = this.model.takeBack(changes(one));
      if (made === null || made.length > 0) {
        expect(code).toBe(made === null ? 'CONFLICT' : null);
        return made === null ? [] : [...passed, one];
      }
      passed.push(one);
    }
    // Nothing of all that is in the files: the newest may be recorded as what it is.
    expect([null, 'NO_CHANGE']).toContain(code);
    return code === null ? passed.slice(0, 1) : [];
  }

  async #revert(back: number): Promise<void> {
    const target = this.model.done.at(-1 - back);
    if (!target) return;
    const made = target.undone ? [] : this.model.takeBack([...target.changes].reverse());
    const answer = await this.session.revert(target.commit).catch(error => error);
    if (made === null) expect(answer.code).toBe('CONFLICT');
    else if (made.length === 0 && (target.undone || answer.code)) expect(answer.code).toBe('NO_CHANGE');
    else {
      target.undone = true;
      if (target.reverted) target.reverted.undone = false;
      this.#record(answer.data.commit, made.length > 0 ? made : reversed(target.changes));
      this.model.done.at(-1)!.reverted = target;
    }
  }

  async #rollback(back: number): Promise<void> {
    const target = this.model.done.at(-1 - back);
    if (!target) return;
    const before = this.model.slots.map(row => [...row]);
    const answer = await this.session.rollback(target.commit).catch(error => error);
    if (answer.code) {
      expect(['CONFLICT', 'NO_CHANGE', 'INVALID_INPUT']).toContain(answer.code);
      return;
    }
    // What a rollback makes is read from the files; that what a person wrote since then survives is what is checked here.
    const changes: Change[] = [];
    for (const [file, path] of FILES.entries()) {
      const now = this.repo
        .read(path)
        .split('\n')
        .filter(line => line !== '-----' && line !== '');
      for (const [slot, after] of now.entries()) {
        const was = before[file]![slot]!;
        if (was === after) continue;
        if (was.startsWith('by hand')) expect(Number(was.slice(8))).toBeLessThanOrEqual(target.counter);
        changes.push({ file, slot, before: was, after });
        this.model.slots[file]![slot] = after;
      }
    }
    this.#record(answer.data.commit, changes);
  }
}

/** RUNS=2000 looks longer. */
const RUNS = Number(process.env.RUNS ?? 12);

describe.each([
  ['beside the branch', personRepo],
  ['on the branch', ownRepo],
])('any sequence of edits and ways back, %s', (_where, makeRepo) => {
  it('leaves the files as the model says, and every text in history', {
    timeout: RUNS * 20_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(move, { minLength: 5, maxLength: 25 }), async moves => {
        const model = new Model();
        const repo = makeRepo(Object.fromEntries(FILES.map((path, file) => [path, model.text(file)])));
        const run = new Run(repo, await repo.session('s1'));
        for (const one of moves) await run.step(one);
        for (const path of FILES)
          await run.session.edit('str_replace', {
            path,
            old_str: '-----\n-----\n',
            new_str: '=====\n-----\n',
            replace_all: true,
          });
        expect((await run.session.verify()).data.faults).toEqual([]);
        expect(repo.git('fsck', '--strict')).toBe('');
        const ref = makeRepo === ownRepo ? 'main' : 'vedit/main';
        expect(filesEqual(repo, ref)).toBe(true);
        const known = new Set(repo.git('rev-list', '--objects', '--no-object-names', ref).split('\n'));
        for (const text of run.model.texts)
          expect(known.has(repo.pipe(text, 'hash-object', '--stdin').toString().trim())).toBe(true);
      }),
      { numRuns: RUNS, endOnFailure: false },
    );
  });
});
