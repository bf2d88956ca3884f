/**
 * Plans an undo or a redo: edits are taken one after the other on the files as they would then be. An edit is taken
 * by its own lines (FilesTaken); of one that the history of its files does not have, each step is merged into the file.
 */

import { shellWord } from '../../c-quote.ts';
import { type ConflictRegion, EditError } from '../../errors.ts';
import type { StoredFile } from '../../stores/store.ts';
import { blobsOf, mergeStep } from '../../trail/history/merge-steps.ts';
import type { Direction } from '../../trail/history/take-out.ts';
import { type BlockedFile, type FileContent, FilesTaken } from '../../trail/history/taken-files.ts';
import { type Recorded, redoSteps, type Step, sameRecorded, undoSteps } from '../../trail/steps.ts';
import { readEntryOrNull, type TrailEntry } from '../../trail/walk.ts';
import { pathName, shortId } from '../../wording.ts';
import { orNone } from '../change/folders.ts';
import type { Planned } from '../change/planned.ts';
import { type Context, fromTrail } from '../context.ts';
import { overRecorded, plainMode } from '../files/conversion.ts';
import { recordedFile, type Snapshot } from '../files/snapshot.ts';
import { conflictError, NOTHING, type StepConflict, wholeFile } from './back-conflict.ts';
import type { LaterLine } from './holders.ts';

interface UndoneFile {
  before: StoredFile | null;
  now: StoredFile | null;
  /** The content that the first step found recorded, and the one that the last step leaves. */
  from: Recorded;
  to: Recorded;
}

/** Says where an edit is of which the files hold nothing; `null`: nowhere. */
type FindInOtherTrails = (entry: TrailEntry) => Promise<string | null>;

export class UndoPlan {
  readonly #snapshot: Snapshot;
  readonly conflicts: StepConflict[] = [];
  readonly #files = new Map<string, UndoneFile>();
  /** Commits whose steps changed no file, in words. */
  readonly #passed: string[] = [];
  /** By the id of an edit that the files do not have, where it is. */
  readonly #elsewhere = new Map<string, string>();
  readonly #settled = new Set<string>();
  /** Takes edits by their own lines, and says which later steps hold these. */
  readonly #byLines: FilesTaken;
  #isMerged = false;
  #isTaken = false;

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot;
    const { context, trail } = snapshot;
    this.#byLines = new FilesTaken({
      objects: context.objects,
      query: { tip: trail.tip && trail.parent, ownOnly: !trail.checkedOut },
      present: path => this.#recordedNow(path),
    });
  }

  /** True when a step so far found in a file what it is to take back, or cannot be taken. */
  get isInFiles(): boolean {
    return this.conflicts.length > 0 || this.#isTaken;
  }

  /** True when all steps together leave the files as they are, and there is nothing to record of it. */
  get changesNothing(): boolean {
    const files = [...this.#files.values()];
    return (
      this.conflicts.length + this.#settled.size === 0 && !files.some(one => differs(one.before, one.now))
    );
  }

  /**
   * Takes one edit out of the files, or puts it there again: straight where they are as it left them, else by its own lines.
   * An edit that is older than what is read of the history of its files is taken by a merge. False: nothing
   * of it is in the files and `elsewhere` says where it is, so that it is passed over.
   */
  async takeEdit(entry: TrailEntry, direction: Direction, elsewhere?: FindInOtherTrails): Promise<boolean> {
    const { objects } = this.#snapshot.context;
    const all = await (direction === 'out' ? undoSteps : redoSteps)(objects, entry);
    const steps = all.filter(step => !isOfLink(step));
    if (steps.length < all.length) await this.#assertLinksAreBack(all, direction);
    const isStraight = await this.#areStraight(steps);
    const byMerge = isStraight || this.#isMerged || steps.length < all.length;
    const taken = byMerge ? null : await this.#byLines.take(entry, direction);
    if (isStraight) this.#byLines.note(entry, direction);
    else if (!taken) this.#isMerged = true;
    if (!taken) {
      await this.mergeSteps(steps);
      return true;
    }
    for (const one of taken.held) await this.#noteBlocked(one, steps);
    for (const [path, file] of taken.files) await this.#put(path, file, steps);
    if (taken.held.length > 0 || taken.files.size > 0) {
      this.#isTaken = true;
      return true;
    }
    const at = (await elsewhere?.(entry)) ?? null;
    if (at === null) await this.#pass(steps);
    else this.#elsewhere.set(entry.commit, at);
    return at === null;
  }

  get passedOver(): string[] {
    return [...this.#elsewhere.keys()];
  }

  /** Throws SPECIAL_FILE for a link that nobody has put back yet, with the commands that put all such links back. */
  async #assertLinksAreBack(steps: readonly Step[], direction: Direction): Promise<void> {
    const open: Step[] = [];
    for (const step of steps.filter(isOfLink)) {
      const path = fromTrail(this.#snapshot.context, step.path);
      if (path === null) throw outsideWorkspace(step.path);
      const now = await this.#snapshot.entryAsRecorded(path);
      if (!sameRecorded(now && { mode: now.mode, oid: now.version }, step.to)) open.push({ ...step, path });
    }
    if (open.length > 0) throw linksByHand(open, steps.every(isOfLink), direction);
  }

  async #areStraight(steps: readonly Step[]): Promise<boolean> {
    for (const step of steps) {
      const path = fromTrail(this.#snapshot.context, step.path);
      if (path === null) return true;
      const now = this.#files.has(path) ? this.#files.get(path)!.now : await this.#present(path);
      if (this.#byLines.knows(step.path)) return false;
      if (!(await this.#snapshot.conversion.isRecorded(path, now, step.from))) return false;
    }
    return true;
  }

  async #recordedNow(recorded: string): Promise<FileContent | null> {
    const path = fromTrail(this.#snapshot.context, recorded);
    if (path === null) throw outsideWorkspace(recorded);
    const file = (await this.#present(path)) && (await this.#snapshot.asRecorded(path));
    return file && { mode: file.mode, oid: file.version, content: file.bytes };
  }

  async #noteBlocked({ path: recorded, regions, by }: BlockedFile, steps: readonly Step[]): Promise<void> {
    const { context } = this.#snapshot;
    const path = fromTrail(context, recorded)!;
    const step = steps.find(one => one.path === recorded) ?? steps[0]!;
    const { before, now } = await this.#fileOf(path, step);
    const held: LaterLine[] = [];
    for (const { line, step: later } of by)
      held.push({ path, line, by: await readEntryOrNull(context.objects, later.id) });
    const isWhole = !now || ((!step.from || !step.to) && step.path === recorded);
    const whole = { regions: [], note: wholeFile(path, now, step.to && NOTHING) };
    const version = now && !differs(before, now) ? { version: now.version } : {};
    this.conflicts.push({ path, commit: step.commit, held, ...version, ...(isWhole ? whole : { regions }) });
  }

  async #put(recorded: string, file: FileContent | null, steps: readonly Step[]): Promise<void> {
    const { context, conversion } = this.#snapshot;
    const path = fromTrail(context, recorded);
    if (path === null) throw outsideWorkspace(recorded);
    const step = steps.find(one => one.path === recorded) ?? steps[0]!;
    const undone = await this.#fileOf(path, step);
    const { now } = undone;
    const paths = steps.map(one => one.path);
    if (file && now && !this.#byLines.isOf(recorded, paths)) {
      const note = wholeFile(path, now, NOTHING);
      this.conflicts.push({ path, commit: step.commit, regions: [], note });
      return;
    }
    const to = file && (await stored(context, path, file));
    const over = overRecorded(context, await this.#snapshot.recorded(path));
    const kept = now && (await conversion.recorded(path, now, over));
    const next = to && keepingMode(await conversion.onto(path, now, over, to), kept, now);
    this.#files.set(path, { ...undone, now: next });
  }

  async #pass(steps: readonly Step[]): Promise<void> {
    for (const step of steps) {
      const path = fromTrail(this.#snapshot.context, step.path);
      if (path === null) continue;
      const file = { ...(await this.#fileOf(path, step)), to: step.to };
      this.#files.set(path, file);
      await this.#noteUndoneByHand(path, file);
    }
    this.#notePassed(steps);
  }

  #notePassed(steps: readonly Step[]): void {
    const [first] = steps;
    if (!first) return;
    const paths = steps.map(one => fromTrail(this.#snapshot.context, one.path));
    this.#passed.push(`${shortId(first.commit)} (${paths.join(', ')})`);
  }

  async #fileOf(path: string, step: Step): Promise<UndoneFile> {
    const known = this.#files.get(path);
    if (known) return known;
    const before = await this.#present(path);
    return { before, now: before, from: step.from, to: step.to };
  }

  /** The steps of one commit, each merged into the file as it is. */
  async mergeSteps(steps: readonly Step[]): Promise<void> {
    let changes = false;
    for (const step of steps) changes = (await this.#mergeOne(step)) || changes;
    if (changes) this.#isTaken = true;
    else this.#notePassed(steps);
  }

  /** `word`: what to say of edits that the files tell nothing of; `null` to say nothing. */
  plan(word: 'undo' | 'redo' | null): Planned {
    if (this.conflicts.length > 0) {
      const paths = this.conflicts.map(one => one.path);
      return { targets: new Map(), moves: [], conflict: { paths, error: conflictError(this.conflicts) } };
    }
    const targets = new Map([...this.#files].map(([path, { now }]) => [path, now]));
    if (word === null) return { targets, moves: [] };
    const what = word === 'undo' ? 'counts as undone' : 'counts as put back';
    const notes = [
      ...[...this.#elsewhere].map(([id, at]) => `${shortId(id)} is not here, but in ${at}: passed over`),
      ...this.#passed.map(one => `${one} ${what}: the files were so already`),
    ];
    return { targets, moves: [], notes, settled: this.#settled };
  }

  async #mergeOne(step: Step): Promise<boolean> {
    const path = fromTrail(this.#snapshot.context, step.path);
    if (path === null) throw outsideWorkspace(step.path);
    const known = await this.#fileOf(path, step);
    const { before } = known;
    const next = await advance(this.#snapshot, path, known.now, step);
    if ('conflict' in next) {
      const isPresent = known.now !== null && !differs(before, known.now);
      this.conflicts.push({ ...next.conflict, ...(isPresent ? { version: known.now!.version } : {}) });
      return true;
    }
    const file = { ...known, now: next.file, to: step.to };
    this.#files.set(path, file);
    await this.#noteUndoneByHand(path, file);
    return differs(known.now, file.now);
  }

  /** Records as taken back what was taken back by hand and by nothing else. */
  async #noteUndoneByHand(path: string, { before, now, from, to }: UndoneFile): Promise<void> {
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

/** True for a link that a command made, changed or took; no edit writes one. */
function isOfLink({ from, to }: Step): boolean {
  return from?.mode === '120000' || to?.mode === '120000';
}

/** `isAll`: the edit changed nothing else. */
function linksByHand(links: readonly Step[], isAll: boolean, direction: Direction): EditError {
  const [{ path, commit }] = links as [Step];
  const source = `${shortId(commit)}${direction === 'out' ? '~1' : ''}`;
  const names = (of: (step: Step) => boolean): string[] =>
    links.filter(of).map(({ path: name }) => (shellWord(name) === name ? pathName(name) : shellWord(name)));
  const [made, gone] = [names(({ to }) => to !== null), names(({ to }) => to === null)];
  const ways = [
    ...(made.length > 0 ? [`git restore --source=${source} -- ${made.join(' ')}`] : []),
    ...(gone.length > 0 ? [`rm ${gone.join(' ')}`] : []),
  ];
  const then = isAll ? '' : '. Then do the same again, for the other files of it';
  const words = `${shortId(commit)} changed a link, ${pathName(path)}, and only a command puts a link back. Nothing was changed. By hand: ${ways.join(' && ')}${then}`;
  return new EditError('SPECIAL_FILE', words, { path });
}

/** Throws SPECIAL_FILE for what is no regular file. */
async function stored(context: Context, path: string, file: FileContent): Promise<StoredFile> {
  if (file.content === null) return recordedFile(context, path, file);
  return { bytes: file.content, mode: plainMode(file.mode), version: file.oid };
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

/** The mode on disk stays where the step does not change the recorded one. */
function keepingMode(file: StoredFile, from: StoredFile | null, now: StoredFile | null): StoredFile {
  return now && from?.mode === file.mode ? { ...file, mode: now.mode } : file;
}

/** Merges the step from `from` to `to` into a file that others changed, each as it is recorded. */
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
  return { file: { bytes: result.content!, mode: plainMode(mode), version: oid } };
}
