/** The two sides of a conflict, for those who decide: who did what to the files that cannot be merged. */

import { shownName } from '../../c-quote.ts';
import { editorName } from '../../engine/editor-name.ts';
import type { Snapshot } from '../../engine/files/snapshot.ts';
import { logEntry } from '../../engine/log-entry.ts';
import { type ConflictRegion, EditError } from '../../errors.ts';
import type { ObjectDatabase } from '../../git/objects/object-database.ts';
import { revList } from '../../git/rev-list.ts';
import { isSync } from '../../operations.ts';
import { regionWords } from '../../text/conflict-words.ts';
import { listedSome } from '../../text/words.ts';
import { changedPaths } from '../../trail/changed-paths.ts';
import type { Incoming } from '../../trail/history/incoming.ts';
import { readEntryOrNull, type TrailEntry } from '../../trail/walk.ts';
import { shortId } from '../../wording.ts';
import type { MergeConflict, SideEdit } from './conflict.ts';

/** The other trail, as far as a conflict tells of it. */
export interface OtherTrail {
  name: string;
  /** Its newest commit of what comes in. */
  commit: string;
  /** Says what else may be done about a conflict, as a sentence. */
  advice: string;
}

export interface Conflict {
  /** The path as the workspace names it. */
  path: string;
  recorded: string;
  regions: readonly ConflictRegion[];
  version?: string | undefined;
  note?: string;
  versions?: NonNullable<MergeConflict['versions']>;
}

/** The most edits of a side that are named for each file, and the most commits that are looked through for them. */
const NAMED = 5;
const LOOKED = 1_000;

/** Finds who did what to the files that cannot be merged, read when the first is asked about. */
export class Sides {
  readonly #snapshot: Snapshot;
  readonly #incoming: Incoming;
  readonly #about: OtherTrail;
  #read: Promise<{ mine: TrailEntry[]; other: TrailEntry[] }> | null = null;

  constructor(snapshot: Snapshot, incoming: Incoming, about: OtherTrail) {
    this.#snapshot = snapshot;
    this.#incoming = incoming;
    this.#about = about;
  }

  async describe({ recorded, ...one }: Conflict): Promise<MergeConflict> {
    const { mine, other } = await (this.#read ??= this.#entries());
    const { objects } = this.#snapshot.context;
    const [own, theirs] = [await editsOf(objects, mine, recorded), await editsOf(objects, other, recorded)];
    return { ...one, commit: this.#about.commit, mine: own, theirs };
  }

  /** Returns the refusal of what comes in and has no place here, whatever anybody decides. */
  async inTheWay(conflicts: readonly Conflict[]): Promise<EditError> {
    const lead = `There is no room here for what ${this.#about.name} has at`;
    const advice = 'Move what is in the way (git mv), or commit it, and merge again.';
    return this.conflictOf(conflicts, lead, advice);
  }

  /** Creates the CONFLICT error. `lead` comes before the names of the files, `advice` at the end. */
  async conflictOf(
    conflicts: readonly Conflict[],
    lead: string = 'Both sides changed the same lines of',
    advice: string = this.#about.advice,
  ): Promise<EditError> {
    const { name, commit } = this.#about;
    const told = await Promise.all(conflicts.map(one => this.describe(one)));
    const lines = told
      .slice(0, NAMED)
      .flatMap(one => [
        ...(one.note ? [`${shownName(one.path)}: ${one.note}.`] : regionWords(one.path, [...one.regions])),
        `here: ${sideWords(one.mine)}`,
        `${name}: ${sideWords(one.theirs)}`,
      ]);
    const message = [
      `${lead} ${listedSome(conflicts.map(({ path }) => shownName(path)))}. Nothing was merged.`,
      ...lines,
      advice,
    ].join('\n');
    const paths = conflicts.map(({ path }) => path);
    return new EditError('CONFLICT', message, { conflicts: told, paths, commit });
  }

  async #entries(): Promise<{ mine: TrailEntry[]; other: TrailEntry[] }> {
    const { context, trail } = this.#snapshot;
    const { commit } = this.#about;
    const { bases } = this.#incoming;
    const own = trail.parent ? [trail.parent] : [];
    const mine = await entriesOf(context.objects, trail.parent, [...bases, commit]);
    return { mine, other: await entriesOf(context.objects, commit, [...bases, ...own]) };
  }
}

async function entriesOf(
  objects: ObjectDatabase,
  from: string | null,
  exclude: readonly string[],
): Promise<TrailEntry[]> {
  if (from === null) return [];
  const found: TrailEntry[] = [];
  for (const oid of [...(await revList(objects, from, exclude))].slice(0, LOOKED)) {
    const entry = await readEntryOrNull(objects, oid);
    if (entry) found.push(entry);
  }
  return found.sort((a, b) => b.time - a.time);
}

/** Lists the edits of a file. A commit of a person, with plain git, counts as well. */
async function editsOf(
  objects: ObjectDatabase,
  entries: readonly TrailEntry[],
  path: string,
): Promise<SideEdit[]> {
  const found: SideEdit[] = [];
  for (const entry of entries) {
    if (found.length === NAMED) break;
    if (isSync(entry.meta?.op) || (await changedPaths(objects, entry, [path])).length === 0) continue;
    const { commit, subject, agent, session, author } = logEntry(entry);
    found.push({ commit, subject, agent, session, author });
  }
  return found;
}

function sideWords(edits: readonly SideEdit[]): string {
  const words = edits.map(one => `${shortId(one.commit)} ${one.subject} (${editorName(one)})`);
  return words.join('; ') || 'changed, not through vedit, or by a commit of the branch';
}
