/** Steps of taking back and putting back, taken one after the other on the files as they would then be. */

import { EditError } from '../../errors.ts';
import type { StoredFile } from '../../stores/store.ts';
import { type Recorded, type Step, sameRecorded } from '../../trail/steps.ts';
import { fromTrail } from '../context.ts';
import type { Snapshot } from '../files/snapshot.ts';
import { advance, conflictError, type StepConflict } from './advance.ts';
import { orNone } from './cleared-folders.ts';
import type { Planned } from './draft.ts';

/** What is known of a path on the way. */
interface Place {
  before: StoredFile | null;
  now: StoredFile | null;
  /** What the first step found recorded, and what the last one leaves. */
  from: Recorded;
  to: Recorded;
}

export class WayBack {
  readonly #snapshot: Snapshot;
  readonly #places = new Map<string, Place>();
  readonly #conflicts: StepConflict[] = [];
  /** Commits whose steps changed no file, in words. */
  readonly #passed: string[] = [];
  readonly #settled = new Set<string>();

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot;
  }

  /** True when the steps so far change a file, or cannot be taken. */
  get changesFiles(): boolean {
    return this.#conflicts.length > 0 || [...this.#places.values()].some(one => differs(one.before, one.now));
  }

  /** The steps of one commit. */
  async take(steps: readonly Step[]): Promise<void> {
    let changes = false;
    for (const step of steps) changes = (await this.#takeOne(step)) || changes;
    const [first] = steps;
    if (!first || changes) return;
    const paths = steps.map(one => fromTrail(this.#snapshot.context, one.path));
    this.#passed.push(`${first.commit.slice(0, 12)} (${paths.join(', ')})`);
  }

  /** `word`: what to say of edits that the files tell nothing of; `null` to say nothing. Throws CONFLICT. */
  plan(word: 'undo' | 'redo' | null): Planned {
    if (this.#conflicts.length > 0) throw conflictError(this.#conflicts);
    const targets = new Map([...this.#places].map(([path, { now }]) => [path, now]));
    if (word === null) return { targets, moves: [] };
    const what = word === 'undo' ? 'counts as undone' : 'counts as put back';
    const notes = this.#passed.map(one => `${one} ${what}: the files were so already`);
    return { targets, moves: [], notes, settled: this.#settled };
  }

  /** True when the file changes. */
  async #takeOne(step: Step): Promise<boolean> {
    const path = fromTrail(this.#snapshot.context, step.path);
    if (path === null) throw outsideWorkspace(step.path);
    const before = await this.#present(path);
    const known = this.#places.get(path) ?? { before, now: before, from: step.from, to: step.to };
    const next = await advance(this.#snapshot, path, known.now, step);
    if ('conflict' in next) {
      const isPresent = known.now !== null && !differs(before, known.now);
      this.#conflicts.push({ ...next.conflict, ...(isPresent ? { version: known.now!.version } : {}) });
      return true;
    }
    const place = { ...known, now: next.file, to: step.to };
    this.#places.set(path, place);
    await this.#settle(path, place);
    return differs(known.now, place.now);
  }

  /** What was taken back by hand and by nothing else is recorded as taken back. */
  async #settle(path: string, { before, now, from, to }: Place): Promise<void> {
    const { conversion } = this.#snapshot;
    const isBehind = sameRecorded(await this.#snapshot.recorded(path), from) && !sameRecorded(from, to);
    const settled = !differs(before, now) && isBehind && (await conversion.isRecorded(path, now, to));
    if (settled) this.#settled.add(path);
    else this.#settled.delete(path);
  }

  async #present(path: string): Promise<StoredFile | null> {
    return (await this.#snapshot.resolve(path)) === path ? orNone(() => this.#snapshot.file(path)) : null;
  }
}

function differs(a: StoredFile | null, b: StoredFile | null): boolean {
  return a?.version !== b?.version || a?.mode !== b?.mode;
}

function outsideWorkspace(path: string): EditError {
  return new EditError(
    'OUTSIDE_WORKSPACE',
    `${path} is outside this workspace, so it cannot be changed from here. Open the whole repository.`,
    { path },
  );
}
