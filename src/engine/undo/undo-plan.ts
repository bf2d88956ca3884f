/**
 * Plans an undo or a redo of edits, all at once, by the formula (src/line/formula.ts): what it makes of their files, and which
 * later changes hold them.
 */

import { shellWord } from '../../c-quote.ts';
import { EditError } from '../../errors.ts';
import type { RowsFile } from '../../history/file-rows.ts';
import { namedFiles } from '../../history/read-steps.ts';
import { type FileContent, type FileStep, sameRecorded } from '../../history/steps.ts';
import { readEntryOrNull, type TrailEntry } from '../../history/walk.ts';
import {
  type BlockedFile,
  type Direction,
  type FilesPlan,
  type FilesRead,
  planFiles,
} from '../../line/files-back.ts';
import { pathName, shortId } from '../../wording.ts';
import type { Planned } from '../change/planned.ts';
import { fromTrail } from '../context.ts';
import type { Snapshot } from '../files/snapshot.ts';
import { linesNow, recordedAt } from '../standing.ts';
import { editStatuses } from '../status/statuses.ts';
import { NOTHING, plannedBack, type StepConflict, type WayBackFiles, wholeFile } from './back-conflict.ts';
import { inWorkspace, placedRows, presentFile } from './back-files.ts';
import type { LaterLine } from './holders.ts';

/** Says whether a path, as the history records it, is meant. */
type IsMeant = (path: string) => boolean;

export class UndoPlan {
  /** The edits so far that change a file, or cannot be taken. */
  readonly edits: TrailEntry[] = [];
  /** The edits of which nothing is in the files, with what became of them. */
  readonly passedOver: Map<TrailEntry, string> = new Map();
  readonly #snapshot: Snapshot;
  readonly #direction: Direction;
  readonly #isMeant: IsMeant;
  /** The edits whose files were read. */
  readonly #known = new Map<string, TrailEntry>();
  #line: FilesRead = { files: [], events: [], named: new Map() };
  #plan: FilesPlan = { files: new Map(), held: [], moved: new Set() };

  constructor(snapshot: Snapshot, direction: Direction, isMeant: IsMeant = () => true) {
    this.#snapshot = snapshot;
    this.#direction = direction;
    this.#isMeant = isMeant;
  }

  /** Plans taking all of these edits out at once. */
  static async of(snapshot: Snapshot, edits: readonly TrailEntry[], isMeant?: IsMeant): Promise<UndoPlan> {
    const made = new UndoPlan(snapshot, 'out', isMeant);
    await made.read(edits);
    made.edits.push(...edits);
    made.#plan = made.#planOf(edits);
    return made;
  }

  /** True when all edits together leave the files as they are. */
  get changesNothing(): boolean {
    return this.#plan.held.length + this.#plan.files.size === 0;
  }

  /**
   * Adds one edit, or passes it over where nothing would change by it: what a person did by hand is no undo. Throws as `read`.
   */
  async add(entry: TrailEntry): Promise<void> {
    await this.read([entry]);
    const plan = this.#planOf([...this.edits, entry]);
    if (isSamePlan(plan, this.#plan)) this.passedOver.set(entry, await this.#whyPassed(entry));
    else {
      this.#plan = plan;
      this.edits.push(entry);
    }
  }

  /** Says why an edit is passed over: what a stash or another branch has will be there again. */
  async #whyPassed(entry: TrailEntry): Promise<string> {
    if (this.#direction === 'again') return 'nothing left';
    const { now, by } = (await editStatuses(this.#snapshot, [entry])).get(entry.commit)!;
    return now === 'away' ? `not here, but in ${by}` : 'nothing left';
  }

  /**
   * Reads the history of edits that will be added, once for all of them. Throws SPECIAL_FILE for a link that nobody has put
   * back, OUTSIDE_WORKSPACE, and as a path of the caller does: of a file that was moved, the old name may be withheld.
   */
  async read(edits: readonly TrailEntry[]): Promise<void> {
    const fresh = edits.filter(({ commit }) => !this.#known.has(commit));
    if (fresh.length === 0) return;
    for (const entry of fresh) {
      const files = (await namedFiles(this.#snapshot.context.objects, entry)) ?? [];
      const changed = files.filter(one => this.#isMeant(one.path) && !sameRecorded(one.before, one.after));
      const steps = changed.map(({ path, before, after }): FileStep => {
        return this.#direction === 'out'
          ? { path, from: after, to: before }
          : { path, from: before, to: after };
      });
      await this.#assertLinksAreBack(entry.commit, steps);
      for (const { path } of steps)
        await presentFile(this.#snapshot, inWorkspace(this.#snapshot.context, path));
      this.#known.set(entry.commit, entry);
    }
    const paths = [...this.#known.values()].flatMap(({ meta }) => meta?.paths ?? []);
    const present = (path: string): Promise<FileContent | null> => this.#recordedNow(path);
    this.#line = await linesNow(this.#snapshot, paths, {}, { present });
  }

  /** Works out the files, and says which edits are passed over. */
  async plan(): Promise<Planned> {
    const notes = [...this.passedOver].map(
      ([{ commit }, why]) => `${shortId(commit)} is passed over: ${why}`,
    );
    return plannedBack(await this.files(), { notes });
  }

  /** Works out the files as they shall be on disk, and the places that later changes hold. */
  async files(): Promise<WayBackFiles> {
    const work: WayBackFiles = { targets: new Map(), conflicts: [] };
    for (const one of this.#plan.held) work.conflicts.push(await this.#conflictOf(one));
    for (const [path, file] of this.#plan.files) await this.#put(path, file, work);
    return work;
  }

  #planOf(edits: readonly TrailEntry[]): FilesPlan {
    const commits = edits.map(({ commit }) => commit);
    const { files, held, moved } = planFiles(this.#line, commits, this.#direction);
    const meant = [...files].filter(([path]) => this.#isMeant(path));
    return { files: new Map(meant), held: held.filter(({ path }) => this.#isMeant(path)), moved };
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

  async #put(recorded: string, file: RowsFile | null, { targets, conflicts }: WayBackFiles): Promise<void> {
    const path = inWorkspace(this.#snapshot.context, recorded);
    const now = await presentFile(this.#snapshot, path);
    if (file && now && this.#plan.moved.has(recorded)) {
      const note = wholeFile(path, now, NOTHING);
      conflicts.push({ path, commit: this.edits[0]!.commit, regions: [], note });
      return;
    }
    const edits = new Set(this.edits.map(({ commit }) => commit));
    targets.set(path, file && (await placedRows(this.#snapshot, path, file, edits)));
  }
}

function isSamePlan(one: FilesPlan, other: FilesPlan): boolean {
  if (one.held.length > 0 || one.files.size !== other.files.size) return false;
  return [...one.files].every(([path, file]) => {
    const known = other.files.get(path);
    return known !== undefined && JSON.stringify(file) === JSON.stringify(known);
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
