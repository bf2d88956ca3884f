/** A file without what agents wrote in some hunks that a person wrote in too: their lines go, the person's stay. */

import type { StoredFile } from '../../stores/store.ts';
import { fileOfRows, rowsOf, toldBytes } from '../../trail/history/file-rows.ts';
import { isMark } from '../../trail/history/status.ts';
import { type Holding, TakeOut } from '../../trail/history/take-out.ts';
import { UNRECORDED } from '../../trail/history/taken-files.ts';
import { type FileHistory, fileHistories } from '../../trail/history/versions.ts';
import type { WovenRow } from '../../trail/history/weave.ts';
import { readEntry } from '../../trail/walk.ts';
import type { Snapshot } from '../files/snapshot.ts';
import type { Author } from './accepted/people.ts';
import type { Side } from './accepted/side.ts';
import type { UnreviewedFile, UnreviewedHunk } from './hunks/unreviewed.ts';

/** The file as git would record it, or the changes that hold the lines of agents. */
export type WithoutAgents = { file: Pick<StoredFile, 'bytes' | 'mode'> } | { held: Author[] };

/** Answers `null` where the history of the file does not tell whose its lines are. */
export async function withoutAgents(
  snapshot: Snapshot,
  file: UnreviewedFile,
  hunks: readonly UnreviewedHunk[],
): Promise<WithoutAgents | null> {
  const { context, trail } = snapshot;
  const query = { tip: trail.tip && trail.parent, ownOnly: !trail.checkedOut };
  const histories = await fileHistories(context.objects, query, [file.path]);
  const history = histories.find(({ names }) => names.at(-1) === file.path);
  const present = rowsIn(file.path, file.present);
  if (!history || !file.present.file) return null;
  const { weave } = history;
  weave.step({ id: UNRECORDED, kind: 'outside' }, present);
  const accepted = weave.place(rowsIn(file.path, file.accepted)).held;
  const takeOut = new TakeOut(weave);
  for (const { change, agents } of hunks) {
    if (!change) return null;
    const region = regionOf(history, change.newStart, change.newEnd);
    const ids = new Set([...agents].map(one => one?.commit ?? UNRECORDED));
    const held = takeAll(
      takeOut,
      history,
      ids,
      (row, isPut) => region.has(row) && !(isPut && accepted.has(row)),
    );
    if (held === null) return null;
    if (held.length > 0) return { held: await authorsOf(snapshot, held) };
  }
  const made = fileOfRows(takeOut.rows.map(({ token }) => token));
  if (!made || 'oid' in made) return null;
  return { file: { bytes: await toldBytes(made), mode: file.present.file.mode } };
}

/** Newest first; `null`: one of them is not in the history. */
function takeAll(
  takeOut: TakeOut,
  { weave: { steps } }: FileHistory,
  ids: ReadonlySet<string>,
  within: (row: WovenRow, isPut: boolean) => boolean,
): Holding[] | null {
  const known = new Set(steps.map(({ id }) => id));
  if ([...ids].some(id => !known.has(id))) return null;
  const newest = [...steps].reverse().filter(({ id }) => ids.has(id));
  for (const { id } of newest) {
    const { held } = takeOut.take(id, 'out', within)!;
    if (held.length > 0) return held;
  }
  return [];
}

/** All rows of the weave between the lines around these of the present text; 0-based, end exclusive. */
function regionOf({ weave }: FileHistory, start: number, end: number): ReadonlySet<WovenRow> {
  const lines = weave.live.filter(row => !isMark(row));
  const region = new Set<WovenRow>();
  const after = lines[end] ?? null;
  for (let row = lines[start - 1]?.next ?? null; row && row !== after; row = row.next) region.add(row);
  if (start === 0)
    for (const row of weave.rows()) {
      if (row === after) break;
      if (!isMark(row)) region.add(row);
    }
  return region;
}

function rowsIn(path: string, { file }: Side): string[] {
  return file ? rowsOf(path, { mode: file.mode, oid: file.version }, file.bytes) : [];
}

async function authorsOf({ context }: Snapshot, held: readonly Holding[]): Promise<Author[]> {
  const ids = [...new Set(held.map(({ step }) => step.id))];
  return Promise.all(ids.map(id => (id === UNRECORDED ? null : readEntry(context.objects, id))));
}
