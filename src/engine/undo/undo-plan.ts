/**
 * Plans an undo or a redo of edits, all at once, by the formula (src/line/formula.ts): what it makes of their files, and which
 * later changes hold them.
 */

import { shellWord } from '../../c-quote.ts';
import { EditError } from '../../errors.ts';
import { namedFiles } from '../../history/read-steps.ts';
import { type FileStep, sameRecorded } from '../../history/steps.ts';
import { readEntryOrNull, type TrailEntry } from '../../history/walk.ts';
import { type BlockedFile, type FileContent, FilesBack, type FilesPlan } from '../../line/files-back.ts';
import type { StoredFile } from '../../stores/store.ts';
import { pathName, shortId } from '../../wording.ts';
import type { Planned } from '../change/planned.ts';
import { type Context, fromTrail } from '../context.ts';
import { overRecorded, plainMode } from '../files/conversion.ts';
import { movedTo } from '../files/outside.ts';
import { recordedFile, type Snapshot } from '../files/snapshot.ts';
import { recordedAt } from '../standing.ts';
import { editStatuses } from '../status/statuses.ts';
import { conflictError, NOTHING, type StepConflict, wholeFile } from './back-conflict.ts';
import { inWorkspace, placed, presentFile } from './back-files.ts';
import type { LaterLine } from './holders.ts';

/** Whether edits are taken out, or what was taken out before is put there again. */
export type Direction = 'out' | 'again';

/** The files as they shall be, and the places that later changes hold. */
interface Work {
  targets: Map<string, StoredFile | null>;
  conflicts: StepConflict[];
}

export class UndoPlan {
  /** The edits so far that change a file, or cannot be taken. */
  readonly edits: TrailEntry[] = [];
  readonly #snapshot: Snapshot;
  readonly #direction: Direction;
  readonly #isMeant: (path: string) => boolean;
  readonly #files: FilesBack;
  #plan: FilesPlan = { files: new Map(), held: [], moved: new Set() };
  /** The commits of the edits that were read. */
  readonly #known = new Set<string>();
  /** Worked out when it is first asked for after an edit was added. */
  #work: Promise<Work> | null = null;
  /** By its id, why an edit is passed over. */
  readonly #passed = new Map<string, string>();

  /** `isMeant`: whether a path, as the history records it, is about it; default: all are. */
  constructor(snapshot: Snapshot, direction: Direction, isMeant: (path: string) => boolean = () => true) {
    this.#snapshot = snapshot;
    this.#direction = direction;
    this.#isMeant = isMeant;
    const { context, trail } = snapshot;
    this.#files = new FilesBack({
      objects: context.objects,
      query: { tip: trail.tip && trail.parent, ownOnly: !trail.checkedOut },
      now: {
        head: trail.head,
        present: path => this.#recordedNow(path),
        movedTo: movedTo(snapshot),
      },
    });
  }

  /** Plans all of these edits at once, in place of those so far; `redone`: edits that are put there again beside. */
  async set(edits: readonly TrailEntry[], redone: readonly TrailEntry[] = []): Promise<this> {
    await this.read([...edits, ...redone]);
    const { files, held, moved } = await this.#files.plan(edits, this.#direction, redone);
    const meant = [...files].filter(([path]) => this.#isMeant(path));
    this.#plan = { files: new Map(meant), held: held.filter(({ path }) => this.#isMeant(path)), moved };
    this.#work = null;
    this.edits.splice(0, this.edits.length, ...edits);
    return this;
  }

  /** True when all edits together leave the files as they are. */
  get changesNothing(): boolean {
    return this.#plan.held.length + this.#plan.files.size === 0;
  }

  /** By id, the edits of which nothing is in the files, with what became of them. */
  get passedOver(): ReadonlyMap<string, string> {
    return this.#passed;
  }

  /**
   * Adds one edit, or passes it over where nothing would change by it: what a person did by hand is no undo. Throws as `read`.
   */
  async add(entry: TrailEntry): Promise<void> {
    await this.read([entry]);
    const plan = await this.#files.plan([...this.edits, entry], this.#direction);
    if (isSamePlan(plan, this.#plan)) {
      this.#passed.set(entry.commit, await this.#whyPassed(entry));
      return;
    }
    this.#plan = plan;
    this.#work = null;
    this.edits.push(entry);
  }

  /** Says why an edit is passed over: what a stash or another branch has will be there again. */
  async #whyPassed(entry: TrailEntry): Promise<string> {
    if (this.#direction === 'again') return 'nothing left';
    const { now, by } = (await editStatuses(this.#snapshot, [entry])).get(entry.commit)!;
    return now === 'away' ? `not here, but in ${by}` : 'nothing left';
  }

  /**
   * Reads the history of edits that will be added, once for all of them. Throws SPECIAL_FILE for a link that nobody has put
   * back, OUTSIDE_WORKSPACE, and as a path of the caller does.
   */
  async read(edits: readonly TrailEntry[]): Promise<void> {
    for (const entry of edits) {
      if (this.#known.has(entry.commit)) continue;
      const files = (await namedFiles(this.#snapshot.context.objects, entry)) ?? [];
      const changed = files.filter(one => this.#isMeant(one.path) && !sameRecorded(one.before, one.after));
      const steps = changed.map(({ path, before, after }): FileStep => {
        return this.#direction === 'out'
          ? { path, from: after, to: before }
          : { path, from: before, to: after };
      });
      await this.#assertLinksAreBack(entry.commit, steps);
      for (const step of steps) await this.#assertReadable(step);
      this.#known.add(entry.commit);
    }
    await this.#files.read(edits);
  }

  /** Works out the files, and says which edits are passed over. */
  async plan(): Promise<Planned> {
    const { targets, conflicts } = await this.#worked();
    if (conflicts.length > 0) {
      const paths = conflicts.map(one => one.path);
      return { targets: new Map(), moves: [], conflict: { paths, error: conflictError(conflicts) } };
    }
    const notes = [...this.#passed].map(([id, why]) => `${shortId(id)} is passed over: ${why}`);
    return { targets, moves: [], notes };
  }

  /** The places that later changes hold. */
  async held(): Promise<readonly StepConflict[]> {
    return (await this.#worked()).conflicts;
  }

  #worked(): Promise<Work> {
    this.#work ??= this.#workOut();
    return this.#work;
  }

  async #workOut(): Promise<Work> {
    const work: Work = { targets: new Map(), conflicts: [] };
    for (const one of this.#plan.held) work.conflicts.push(await this.#conflictOf(one));
    for (const [path, file] of this.#plan.files) await this.#put(path, file, work);
    return work;
  }

  /** Throws OUTSIDE_WORKSPACE, and as a path of the caller does: of a file that was moved, the old name may be withheld. */
  async #assertReadable({ path: recorded }: FileStep): Promise<void> {
    await presentFile(this.#snapshot, inWorkspace(this.#snapshot.context, recorded));
  }

  async #assertLinksAreBack(commit: string, steps: readonly FileStep[]): Promise<void> {
    const open: FileStep[] = [];
    for (const step of steps.filter(isOfLink)) {
      const path = inWorkspace(this.#snapshot.context, step.path);
      const now = await this.#snapshot.entryAsRecorded(path);
      if (!sameRecorded(now && { mode: now.mode, oid: now.version }, step.to)) open.push({ ...step, path });
    }
    if (open.length > 0)
      throw linksByHand(commit, open, { isAll: steps.every(isOfLink), isOut: this.#direction === 'out' });
  }

  async #recordedNow(recorded: string): Promise<FileContent | null> {
    if (!this.#isMeant(recorded)) return recordedAt(this.#snapshot, recorded);
    const path = inWorkspace(this.#snapshot.context, recorded);
    const file = (await presentFile(this.#snapshot, path)) && (await this.#snapshot.asRecorded(path));
    return file && { mode: file.mode, oid: file.version, content: file.bytes };
  }

  async #conflictOf({ path: recorded, commit, regions, deletes, by }: BlockedFile): Promise<StepConflict> {
    const { context } = this.#snapshot;
    const path = fromTrail(context, recorded)!;
    const now = await presentFile(this.#snapshot, path);
    const held: LaterLine[] = [];
    for (const { line, id } of by) held.push({ path, line, by: await readEntryOrNull(context.objects, id) });
    const version = now ? { version: now.version } : {};
    const whole = { regions: [], note: wholeFile(path, now, null) };
    return { path, commit, held, ...version, ...(now && !deletes ? { regions } : whole) };
  }

  async #put(recorded: string, file: FileContent | null, work: Work): Promise<void> {
    const { context, conversion } = this.#snapshot;
    const path = inWorkspace(context, recorded);
    const now = await presentFile(this.#snapshot, path);
    if (file && now && this.#plan.moved.has(recorded)) {
      const note = wholeFile(path, now, NOTHING);
      work.conflicts.push({ path, commit: this.edits[0]!.commit, regions: [], note });
      return;
    }
    const to = file && (await stored(context, path, file));
    const over = overRecorded(context, await this.#snapshot.recorded(path));
    const kept = now && (await conversion.recorded(path, now, over));
    const edits = new Set(this.edits.map(({ commit }) => commit));
    work.targets.set(path, await placed(this.#snapshot, path, { now, from: kept, to, edits }));
  }
}

function isSamePlan(one: FilesPlan, other: FilesPlan): boolean {
  if (one.held.length > 0 || one.files.size !== other.files.size) return false;
  return [...one.files].every(([path, file]) => {
    const known = other.files.get(path);
    return known !== undefined && sameRecorded(file, known);
  });
}

/** True for a link that a command made, changed or took; no edit writes one. */
function isOfLink({ from, to }: FileStep): boolean {
  return from?.mode === '120000' || to?.mode === '120000';
}

/** `isAll`: the edit changed nothing else. */
function linksByHand(
  commit: string,
  links: readonly FileStep[],
  { isAll, isOut }: { isAll: boolean; isOut: boolean },
): EditError {
  const [{ path }] = links as [FileStep];
  const source = `${shortId(commit)}${isOut ? '~1' : ''}`;
  const names = (of: (step: FileStep) => boolean): string[] =>
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
