/** What a merge makes of the files: clean paths as they merge, the others decided by the caller or refused all together. */

import { type ConflictRegion, EditError } from '../../../errors.ts';
import { revList } from '../../../git/rev-list.ts';
import { listedSome } from '../../../text/words.ts';
import type { Incoming } from '../../../trail/history/incoming.ts';
import { blobsOf, type Merged, mergeStep } from '../../../trail/history/merge-steps.ts';
import type { Replay } from '../../../trail/history/replay.ts';
import { fileAt, type Recorded, type Step, sameRecorded } from '../../../trail/steps.ts';
import { readEntryOrNull, type TrailEntry } from '../../../trail/walk.ts';
import { pathName } from '../../../wording.ts';
import { regionWords } from '../../change/base/conflict-words.ts';
import type { Planned } from '../../change/draft.ts';
import { type Context, fromTrail } from '../../context.ts';
import { editorName } from '../../editor-name.ts';
import type { Snapshot } from '../../files/snapshot.ts';
import { outsideWorkspace, WayBack } from '../../history/way-back.ts';
import type { MergeConflict, SideEdit } from './conflict.ts';

/** Whose text a path gets that cannot be merged; `server`: theirs, with what of the own edits fits. */
export type Side = 'mine' | 'theirs' | 'server';

/** Asked for each path that cannot be merged; `null`: nobody decides. */
export type Decide = (path: string, tell: () => Promise<MergeConflict>) => Promise<Side | null> | Side | null;

export interface About {
  /** The other trail, and its newest commit of what comes in. */
  name: string;
  commit: string;
  decide: Decide;
  /** What else may be done about a conflict, as a sentence. */
  advice: string;
  /** The own edits made again on theirs; see Side. */
  replay?: (() => Promise<Replay>) | undefined;
}

interface Conflict {
  /** As the workspace names it. */
  path: string;
  recorded: string;
  regions: readonly ConflictRegion[];
  version?: string | undefined;
  note?: string;
}

/** Throws CONFLICT, naming both sides, and what a path that no edit could write is refused with. */
export async function planIncoming(snapshot: Snapshot, incoming: Incoming, about: About): Promise<Planned> {
  const way = new WayBack(snapshot);
  const sides = new Sides(snapshot, incoming, about);
  const conflicts: Conflict[] = [];
  const meta: { keeps: string[]; setsAside: string[] } = { keeps: [], setsAside: [] };
  const steps: Step[] = [];
  const settled = new Set<string>();
  for (const recorded of incoming.paths) {
    const one = await mergePath(snapshot, incoming, recorded);
    if (one === null) continue;
    const conflict = 'conflict' in one.merged ? conflictAt(one, recorded, one.merged.conflict) : null;
    const side = conflict && (await about.decide(one.path, async () => sides.told(conflict)));
    if (conflict && side === null) {
      conflicts.push(conflict);
      continue;
    }
    if (side !== null) meta.keeps.push(`${side} ${recorded}`);
    const to = await decided(snapshot, incoming, about, { ...one, recorded, side });
    meta.setsAside.push(...to.aside.map(commit => `${commit} ${recorded}`));
    if (sameRecorded(one.present, to.recorded) && sameRecorded(one.ours, to.recorded)) continue;
    // The file holds it already, and the trail shall say so.
    if (sameRecorded(one.present, to.recorded)) settled.add(one.path);
    if (!one.present) await snapshot.context.guards.checkNew(one.path);
    steps.push({ path: recorded, from: one.present, to: to.recorded, commit: about.commit });
  }
  if (conflicts.length > 0) throw await sides.conflictOf(conflicts);
  await way.take(steps).catch(error => tooLargeAt(snapshot, about.name, steps, error));
  const lists = Object.entries(meta).filter(([, list]) => list.length > 0);
  return { ...way.plan(null), settled, meta: Object.fromEntries(lists) };
}

/** A peer may have put anything into a tree: which file it is that cannot be read. */
async function tooLargeAt(
  { context: { objects } }: Snapshot,
  peer: string,
  steps: readonly Step[],
  error: unknown,
): Promise<never> {
  if (!(error instanceof EditError) || error.code !== 'TOO_LARGE') throw error;
  for (const { path, to } of steps) {
    const found = to === null ? null : await objects.read(to.oid).catch(one => one as EditError);
    if (!(found instanceof EditError) || found.code !== 'TOO_LARGE') continue;
    const message = `${pathName(path)} of ${peer} is too large to be merged, so nothing was: ${found.message}.`;
    throw new EditError('TOO_LARGE', message, { ...(found.data as { limit: number }), path });
  }
  throw error;
}

const WHOLE = 'one side has no such file, or a file that cannot be merged by lines';

function conflictAt(
  { path, present }: MergedPath,
  recorded: string,
  regions: readonly ConflictRegion[],
): Conflict {
  const note = regions.length > 0 ? {} : { note: WHOLE };
  return { path, recorded, regions, version: present?.oid, ...note };
}

interface MergedPath {
  path: string;
  /** What the file holds now, and what is recorded of it. */
  present: Recorded;
  ours: Recorded;
  merged: Merged;
}

/** What the path shall hold, and the own edits that are put aside for it. */
async function decided(
  snapshot: Snapshot,
  incoming: Incoming,
  { replay }: About,
  { merged, path, recorded, present, ours, side }: MergedPath & { recorded: string; side: Side | null },
): Promise<{ recorded: Recorded; aside: string[] }> {
  if (!('conflict' in merged)) return { recorded: merged.recorded, aside: [] };
  if (side === 'mine') return { recorded: present, aside: [] };
  if (side !== 'server' || !replay) return { recorded: await incoming.theirs(recorded), aside: [] };
  const { objects } = snapshot.context;
  const replayed = await (await replay()).at(recorded);
  remember(objects, replayed);
  if (sameRecorded(present, ours)) return replayed;
  const onTop = await onUnsaved(snapshot, { path, present, ours, to: replayed.recorded });
  return 'conflict' in onTop ? replayed : { recorded: onTop.recorded, aside: replayed.aside };
}

/** What a path shall hold, on what it holds now, unsaved work too; `null` where nothing comes in. */
async function mergePath(
  snapshot: Snapshot,
  incoming: Incoming,
  recorded: string,
): Promise<MergedPath | null> {
  const { context, trail } = snapshot;
  const { objects } = context;
  const ours = trail.tree ? await fileAt(objects, trail.tree, recorded) : null;
  const merged = await incoming.merge(recorded, ours);
  if (!('conflict' in merged) && sameRecorded(merged.recorded, ours)) return null;
  const path = fromTrail(context, recorded);
  if (path === null) throw outsideWorkspace(recorded, 'merged');
  if ((await snapshot.resolve(path)) !== path) throw behindLink(path);
  const file = await snapshot.asRecorded(path);
  const present = file && { mode: file.mode, oid: file.version };
  if ('conflict' in merged) return { path, present, ours, merged };
  remember(objects, merged);
  if (sameRecorded(present, ours)) return { path, present, ours, merged };
  return {
    path,
    present,
    ours,
    merged: await onUnsaved(snapshot, { path, present, ours, to: merged.recorded }),
  };
}

/** Work that nobody recorded yet: the change records it first, and what comes in goes on top. */
async function onUnsaved(
  snapshot: Snapshot,
  { path, present, ours, to }: { path: string; present: Recorded; ours: Recorded; to: Recorded },
): Promise<Merged> {
  const { objects } = snapshot.context;
  const file = await snapshot.asRecorded(path);
  if (file) objects.remember({ oid: file.version, type: 'blob', content: file.bytes });
  const contents = new Map(file ? [[file.version, file.bytes]] : []);
  const onTop = await mergeStep(blobsOf(objects, contents), present, { path, from: ours, to });
  if (!('conflict' in onTop)) remember(objects, onTop);
  return onTop;
}

function remember(
  objects: Context['objects'],
  { recorded, content }: { recorded: Recorded; content?: Uint8Array },
): void {
  if (content && recorded) objects.remember({ oid: recorded.oid, type: 'blob', content });
}

function behindLink(path: string): EditError {
  const message = `${path} leads through a link here, and the other trail has a file there. Nothing was merged. Remove the link, or take edits of other files (edits, --edits).`;
  return new EditError('SPECIAL_FILE', message, { path });
}

/** So many edits of a side are named for each file, and so many commits are looked through for them. */
const NAMED = 5;
const LOOKED = 1_000;

/** Who did what to the files that cannot be merged, read when the first is asked about. */
class Sides {
  readonly #snapshot: Snapshot;
  readonly #incoming: Incoming;
  readonly #about: About;
  #read: Promise<{ mine: TrailEntry[]; other: TrailEntry[] }> | null = null;

  constructor(snapshot: Snapshot, incoming: Incoming, about: About) {
    this.#snapshot = snapshot;
    this.#incoming = incoming;
    this.#about = about;
  }

  async told({ recorded, ...one }: Conflict): Promise<MergeConflict> {
    const { mine, other } = await (this.#read ??= this.#entries());
    const { commit } = this.#about;
    return { ...one, commit, mine: editsOf(mine, recorded), theirs: editsOf(other, recorded) };
  }

  async conflictOf(conflicts: readonly Conflict[]): Promise<EditError> {
    const { name, commit, advice } = this.#about;
    const told = await Promise.all(conflicts.map(one => this.told(one)));
    const lines = told
      .slice(0, NAMED)
      .flatMap(one => [
        ...(one.note ? [`${one.path}: ${one.note}.`] : regionWords(one.path, [...one.regions])),
        `here: ${sideWords(one.mine)}`,
        `${name}: ${sideWords(one.theirs)}`,
      ]);
    const message = [
      `Both sides changed the same lines of ${listedSome(conflicts.map(({ path }) => path))}. Nothing was merged.`,
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
  objects: Parameters<typeof revList>[0],
  from: string | null,
  exclude: readonly string[],
): Promise<TrailEntry[]> {
  if (from === null) return [];
  const found: TrailEntry[] = [];
  for (const oid of [...(await revList(objects, from, exclude))].slice(0, LOOKED)) {
    const entry = await readEntryOrNull(objects, oid);
    if (entry?.meta) found.push(entry);
  }
  return found.sort((a, b) => b.time - a.time);
}

function editsOf(entries: readonly TrailEntry[], path: string): SideEdit[] {
  return entries
    .filter(({ meta }) => meta!.paths.includes(path))
    .slice(0, NAMED)
    .map(({ commit, subject, meta, author }) => ({
      commit,
      subject,
      agent: meta!.agent ?? null,
      session: meta!.session ?? null,
      author: author.name,
    }));
}

function sideWords(edits: readonly SideEdit[]): string {
  const words = edits.map(one => `${one.commit.slice(0, 12)} ${one.subject} (${editorName(one)})`);
  return words.join('; ') || 'changed outside the engine, or by a commit of the branch';
}
