/** Steps of taking back and putting back, taken one after the other on the files as they would then be. */

import { type ConflictRegion, EditError } from '../../errors.ts';
import type { StoredFile } from '../../stores/store.ts';
import { counted, listedSome } from '../../text/words.ts';
import { blobsOf, mergeStep } from '../../trail/history/merge-steps.ts';
import { type Recorded, type Step, sameRecorded } from '../../trail/steps.ts';
import { ifTool, pathName, toolName } from '../../wording.ts';
import { regionWords } from '../change/base/conflict-words.ts';
import { orNone } from '../change/cleared-folders.ts';
import type { Planned } from '../change/draft.ts';
import { type Context, fromTrail } from '../context.ts';
import { overRecorded, plainMode } from '../files/conversion.ts';
import { recordedFile, type Snapshot } from '../files/snapshot.ts';

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
  #isTaken = false;

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot;
  }

  /** True when a step so far found in a file what it is to take back, or cannot be taken. */
  get isInFiles(): boolean {
    return this.#conflicts.length > 0 || this.#isTaken;
  }

  /** True when all steps together leave the files as they are, and there is nothing to record of it. */
  get changesNothing(): boolean {
    const files = [...this.#places.values()];
    return (
      this.#conflicts.length + this.#settled.size === 0 && !files.some(one => differs(one.before, one.now))
    );
  }

  /** The steps of one commit. */
  async take(steps: readonly Step[]): Promise<void> {
    let changes = false;
    for (const step of steps) changes = (await this.#takeOne(step)) || changes;
    const [first] = steps;
    if (changes) this.#isTaken = true;
    if (!first || changes) return;
    const paths = steps.map(one => fromTrail(this.#snapshot.context, one.path));
    this.#passed.push(`${first.commit.slice(0, 12)} (${paths.join(', ')})`);
  }

  /** `word`: what to say of edits that the files tell nothing of; `null` to say nothing. */
  plan(word: 'undo' | 'redo' | null): Planned {
    if (this.#conflicts.length > 0) {
      const conflict = { paths: this.#conflicts.map(one => one.path), error: conflictError(this.#conflicts) };
      return { targets: new Map(), moves: [], conflict };
    }
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

/** `done`: what cannot be done to it from here. */
export function outsideWorkspace(path: string, done: 'changed' | 'merged' = 'changed'): EditError {
  return new EditError(
    'OUTSIDE_WORKSPACE',
    `${path} is outside this workspace, so it cannot be ${done} from here. Open the whole repository.`,
    { path },
  );
}

/** What could not be joined in one file. Lines are 1-based, of the present text. */
interface StepConflict {
  path: string;
  /** The commit that was to be taken back or put back. */
  commit: string;
  regions: ConflictRegion[];
  /** Of the present file, where the lines are those of it and not of what earlier steps would make of it. */
  version?: string;
  /** How the file as a whole stands against the step, where there is nothing to be joined. */
  note?: string;
}

/** The file after the step, or why it cannot be made. */
async function advance(
  snapshot: Snapshot,
  path: string,
  now: StoredFile | null,
  step: Step,
): Promise<{ file: StoredFile | null } | { conflict: StepConflict }> {
  const { context, conversion } = snapshot;
  const over = overRecorded(context, step.from);
  const from = step.from && (await recordedFile(context, path, step.from));
  const to = step.to && (await recordedFile(context, path, step.to));
  if (await conversion.isRecorded(path, now, step.from)) {
    return { file: to && keepingMode(await conversion.onto(path, now, over, to), from, now) };
  }
  if (await conversion.isRecorded(path, now, step.to)) return { file: now };
  const conflict = { path, commit: step.commit, regions: [] };
  if (!now || !from || !to) return { conflict: { ...conflict, note: wholeFile(path, now, to) } };
  const kept = await conversion.recorded(path, now, over);
  const next = await merged(context, path, { from, now: kept, to });
  if ('conflict' in next) return { conflict: { ...conflict, regions: next.conflict } };
  return { file: keepingMode(await conversion.onto(path, now, over, next.file), from, now) };
}

function wholeFile(path: string, now: StoredFile | null, to: StoredFile | null): string {
  if (!now) return `${pathName(path)} is gone now`;
  return to
    ? `${pathName(path)} is another file now: move it away to make room`
    : `${pathName(path)} was to be deleted: ${ifTool('delete', `use ${toolName('delete')}`, 'delete it')} to do that all the same`;
}

/** The mode on disk stays where the step does not change the recorded one. */
function keepingMode(file: StoredFile, from: StoredFile | null, now: StoredFile | null): StoredFile {
  return now && from?.mode === file.mode ? { ...file, mode: now.mode } : file;
}

/** The step from `from` to `to` on a file that others changed, each as it is recorded. */
async function merged(
  { objects }: Context,
  path: string,
  { from, now, to }: Readonly<Record<'from' | 'now' | 'to', StoredFile>>,
): Promise<{ file: StoredFile } | { conflict: ConflictRegion[] }> {
  const contents = new Map([from, now, to].map(file => [file.version, file.bytes]));
  const ref = ({ mode, version }: StoredFile) => ({ mode, oid: version });
  const step = { path, from: ref(from), to: ref(to) };
  const result = await mergeStep(blobsOf(objects, contents), ref(now), step);
  if ('conflict' in result) return result;
  const { mode, oid } = result.recorded!;
  const bytes = result.content ?? contents.get(oid)!;
  return { file: { bytes, mode: plainMode(mode), version: oid } };
}

/** Refuses the whole operation, naming every region that could not be joined. */
function conflictError(conflicts: readonly StepConflict[]): EditError {
  const words = conflicts.map(({ path, commit, regions }) => {
    const lines = regions.map(one =>
      one.end_line < one.start_line ? `at line ${one.start_line}` : `lines ${one.start_line}-${one.end_line}`,
    );
    const where = lines.length > 0 ? ` (${lines.join(', ')})` : '';
    return `${path}${where} was changed after ${commit.slice(0, 12)}`;
  });
  const byHand = conflicts.some(one => one.regions.length > 0) ? 'Edit those lines' : 'Change the file';
  const shown = conflicts.slice(0, SHOWN);
  const more = conflicts.length - SHOWN;
  const message = [
    `${listedSome(words, NAMED, '; ')}: going on would overwrite what came later. Nothing was written.`,
    ...shown.flatMap(shownConflict),
    ...(more > 0 ? [`[and ${counted(more, 'more conflict')}]`] : []),
    `${byHand} by hand, or undo the later change first.`,
  ].join('\n');
  return new EditError('CONFLICT', message, { conflicts });
}

function shownConflict({ path, regions, version, note }: StepConflict): string[] {
  if (note) return [`${note}.`];
  const at = version === undefined ? [] : [`${path} is at version "${version}".`];
  return [...regionWords(path, regions), ...at];
}

/** So many files are shown with their lines, and so many named. */
const SHOWN = 5;
const NAMED = 20;
