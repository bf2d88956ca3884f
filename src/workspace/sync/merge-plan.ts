/** What a merge makes of the files: clean paths as they merge, the others decided by the caller or refused all together. */

import { type ConflictRegion, EditError } from '../../errors.ts';
import { revList } from '../../git/rev-list.ts';
import { listedSome } from '../../text/words.ts';
import type { Incoming } from '../../trail/history/incoming.ts';
import { blobsOf, type Merged, mergeStep } from '../../trail/history/merge-steps.ts';
import { fileAt, type Recorded, type Step, sameRecorded } from '../../trail/steps.ts';
import { readEntryOrNull, type TrailEntry } from '../../trail/walk.ts';
import { regionWords } from '../change/base/conflict-words.ts';
import type { Planned } from '../change/draft.ts';
import { fromTrail } from '../context.ts';
import { editorName } from '../editor-name.ts';
import type { Snapshot } from '../files/snapshot.ts';
import { outsideWorkspace, WayBack } from '../history/way-back.ts';

export interface Decision {
  keep: 'mine' | 'theirs' | undefined;
  /** Only these files; absent: all. As the workspace names them. */
  paths: readonly string[] | undefined;
}

export interface About {
  /** The other trail, and its newest commit of what comes in. */
  name: string;
  commit: string;
  decision: Decision;
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
  const conflicts: Conflict[] = [];
  const keeps: string[] = [];
  const steps: Step[] = [];
  for (const recorded of incoming.paths) {
    const one = await mergePath(snapshot, incoming, recorded);
    if (one === null) continue;
    const { path, present, merged } = one;
    const kept = 'conflict' in merged ? keptOf(about.decision, path) : undefined;
    if ('conflict' in merged && kept === undefined) {
      const regions = merged.conflict;
      conflicts.push({
        path,
        recorded,
        regions,
        version: present?.oid,
        ...(regions.length > 0 ? {} : { note: WHOLE }),
      });
      continue;
    }
    if (kept !== undefined) keeps.push(`${kept} ${recorded}`);
    const to =
      'conflict' in merged ? (kept === 'mine' ? present : await incoming.theirs(recorded)) : merged.recorded;
    if (sameRecorded(present, to)) continue;
    if (!present) await snapshot.context.guards.checkNew(path);
    steps.push({ path: recorded, from: present, to, commit: about.commit });
  }
  if (conflicts.length > 0) throw await conflictOf(snapshot, incoming, about, conflicts);
  await way.take(steps);
  return { ...way.plan(null), meta: keeps.length > 0 ? { keeps } : {} };
}

const WHOLE = 'one side has no such file, or a file that cannot be merged by lines';

/** What a path shall hold, on what it holds now, unsaved work too; `null` where nothing comes in. */
async function mergePath(
  snapshot: Snapshot,
  incoming: Incoming,
  recorded: string,
): Promise<{ path: string; present: Recorded; merged: Merged } | null> {
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
  if ('conflict' in merged) return { path, present, merged };
  if (merged.content && merged.recorded)
    objects.remember({ oid: merged.recorded.oid, type: 'blob', content: merged.content });
  if (sameRecorded(present, ours)) return { path, present, merged };
  // Work that nobody recorded yet: the change records it first, and what comes in goes on top.
  const contents = new Map(file ? [[file.version, file.bytes]] : []);
  if (file) objects.remember({ oid: file.version, type: 'blob', content: file.bytes });
  const onTop = await mergeStep(blobsOf(objects, contents), present, {
    path,
    from: ours,
    to: merged.recorded,
  });
  if (!('conflict' in onTop) && onTop.content && onTop.recorded)
    objects.remember({ oid: onTop.recorded.oid, type: 'blob', content: onTop.content });
  return { path, present, merged: onTop };
}

function keptOf({ keep, paths }: Decision, path: string): Decision['keep'] {
  return paths === undefined || paths.includes(path) ? keep : undefined;
}

function behindLink(path: string): EditError {
  const message = `${path} leads through a link here, and the other trail has a file there. Nothing was merged. Remove the link, or take edits of other files (edits, --edits).`;
  return new EditError('SPECIAL_FILE', message, { path });
}

/** So many edits of a side are named for each file, and so many commits are looked through for them. */
const NAMED = 5;
const LOOKED = 1_000;

interface SideEdit {
  commit: string;
  subject: string;
  agent: string | null;
  session: string | null;
  author: string;
}

async function conflictOf(
  snapshot: Snapshot,
  { bases }: Incoming,
  { name, commit }: About,
  conflicts: readonly Conflict[],
): Promise<EditError> {
  const { context, trail } = snapshot;
  const mine = await entriesOf(context.objects, trail.parent, [...bases, commit]);
  const other = await entriesOf(context.objects, commit, [...bases, ...(trail.parent ? [trail.parent] : [])]);
  const told = conflicts.map(({ recorded, ...one }) => ({
    ...one,
    commit,
    mine: about(mine, recorded),
    theirs: about(other, recorded),
  }));
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
    'Edit those lines here so that they are as on one side and merge again; or decide: keep "mine" or "theirs" (--keep mine|theirs [paths]) takes such files whole from one side; or take some edits only (edits, --edits <after>..<last>).',
  ].join('\n');
  return new EditError('CONFLICT', message, {
    conflicts: told,
    paths: conflicts.map(({ path }) => path),
    commit,
  });
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

function about(entries: readonly TrailEntry[], path: string): SideEdit[] {
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
