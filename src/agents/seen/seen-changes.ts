/** Files that a look names, as they are, all of one moment; what of them is not recorded yet, and whose it is. */

import type { DraftedChange } from '../../engine/change/planned.ts';
import { type Context, fromTrail, givenPath, toTrail } from '../../engine/context.ts';
import type { Move } from '../../engine/file-diffs.ts';
import { overFile } from '../../engine/files/conversion.ts';
import type { Snapshot } from '../../engine/files/snapshot.ts';
import type { CallWindow } from '../../engine/origins/activity.ts';
import { plainField } from '../../engine/origins/agent-events.ts';
import type { OwnCall } from '../../engine/origins/head-moves.ts';
import { type Evidence, whoseChanges } from '../../engine/origins/origins.ts';
import { EditError } from '../../errors.ts';
import type { Stat } from '../../fs/fs.ts';
import { renamesOf, type StoredHalf } from '../../history/renames.ts';
import type { StoredFile } from '../../stores/store.ts';

/**
 * Finds the files that hold something else than the trail. What git makes of them by a filter, or ignores, is none of these:
 * of a filter, their names are added to `filtered`.
 */
export async function unrecorded(
  snapshot: Snapshot,
  found: readonly Present[],
  as: 'edit' | 'outside',
  filtered: Set<string>,
): Promise<DraftedChange[]> {
  const changes: DraftedChange[] = [];
  for (const { path, file } of found) {
    if (path === null) continue;
    const entry = await snapshot.recorded(path);
    if (entry?.mode === '160000') continue;
    // Of a folder that a file stands for now, the files that went are changes of their own.
    const recorded = entry?.mode === '40000' ? null : entry;
    if (await snapshot.conversion.isRecorded(path, file, recorded)) continue;
    const forbidden = await forbiddenAs(snapshot, path, file, recorded !== null);
    if (forbidden === 'FILTERED_PATH') filtered.add(toTrail(snapshot.context, path));
    if (forbidden !== null) continue;
    const then = recorded && (await recordedAs(snapshot, recorded));
    const isText = file !== null && file.mode !== '120000';
    const now = isText ? await snapshot.conversion.recorded(path, file, overFile(then)) : file;
    const before = as === 'edit' ? then : now;
    changes.push({ path, before, after: file, recorded: { before, after: now }, inPlace: true });
  }
  return changes;
}

async function forbiddenAs(
  { context, conversion }: Snapshot,
  path: string,
  file: StoredFile | null,
  isKnown: boolean,
): Promise<string | null> {
  const check = async (): Promise<void> => {
    if (!isKnown) await context.guards.checkNew(toTrail(context, path));
    if (file) await conversion.check(path);
  };
  return check().then(
    () => null,
    error => (error instanceof EditError ? error.code : ''),
  );
}

async function recordedAs(
  { context }: Snapshot,
  { mode, oid }: { mode: string; oid: string },
): Promise<StoredFile> {
  const { content: bytes } = await context.objects.read(oid);
  const plain = mode === '120000' || mode === '100755' ? mode : '100644';
  return { bytes, mode: plain, version: oid };
}

/** Finds the changes that this call can have made, and no other session; `calls`: all that ran while they were made. */
export async function ownChanges(
  snapshot: Snapshot,
  changes: readonly DraftedChange[],
  { own, wasSeen }: { own: OwnCall; wasSeen: (path: string) => boolean },
): Promise<{ drafted: DraftedChange[]; calls: CallWindow[] }> {
  const { context, trail } = snapshot;
  const names = changes.map(({ path }) => toTrail(context, path));
  const whose = await whoseChanges(context, names, { tip: trail.parent, isListed: true });
  const drafted: DraftedChange[] = [];
  const calls = new Set<CallWindow>();
  for (const [n, change] of changes.entries()) {
    const evidence = whose.get(names[n]!)!;
    if (evidence.by !== 'during' || !isBySession(evidence, own)) continue;
    // What it held before is not known of a file that was there, and of which only the state was kept.
    if (change.recorded.before === null && wasSeen(names[n]!)) continue;
    drafted.push(change);
    for (const call of evidence.calls) calls.add(call);
  }
  return { drafted, calls: [...calls] };
}

/** Other calls of the session may have run beside it: which of them it was is not known, but whose it is. */
function isBySession({ calls, isLate }: Evidence & { by: 'during' }, own: OwnCall): boolean {
  const [session, call] = [plainField(own.session), plainField(own.call)];
  return !isLate && calls.every(one => one.session === session) && calls.some(one => one.call === call);
}

/** Finds the files that were renamed, as git tells it. */
export async function movesIn(changes: readonly DraftedChange[]): Promise<Move[]> {
  const sides = changes.map(({ path, recorded: { before, after } }) => ({ path, before, after }));
  const half = (path: string, file: StoredFile): StoredHalf => ({
    path,
    oid: file.version,
    read: async () => file,
  });
  return [...(await renamesOf(sides, half))].map(([to, from]) => ({ from, to }));
}

/** One file as the private index keeps it; `stat` is `null` where there is none. */
export interface SeenFile {
  /** As the trail records it. */
  path: string;
  mode: string;
  oid: string;
  stat: Stat | null;
}

export interface Present {
  seen: SeenFile;
  /** As the workspace names it; `null`: it cannot be recorded. */
  path: string | null;
  file: StoredFile | null;
}

/** Stands for a content that nobody looks at: git's id of an empty file. */
const EMPTY_BLOB = 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391';

/** The most files, and the most bytes of text, that are recorded at once. */
const MOST_FILES: number = 5_000;
const MOST_BYTES: number = 64 * 1024 * 1024;

/** Reads the files as they are. `over`: those that are too many; `left`: how many changed while they were read, for the next look. */
export async function presentFiles(
  context: Context,
  paths: readonly string[],
): Promise<{ found: Present[]; over: string[]; left: number }> {
  const found: Present[] = [];
  const over: string[] = [];
  let [bytes, left] = [0, 0];
  for (const path of [...paths].sort()) {
    const isOver = found.length >= MOST_FILES || bytes >= MOST_BYTES;
    const present = isOver ? null : await presentFile(context, path);
    if (isOver) over.push(path);
    else if (!present) left++;
    else {
      found.push(present);
      bytes += present.file?.bytes.length ?? 0;
    }
  }
  return { found, over, left };
}

/** Returns the state of files whose content nobody reads. */
export async function statesOf({ fs, repo }: Context, paths: readonly string[]): Promise<SeenFile[]> {
  const found: SeenFile[] = [];
  for (const path of paths) {
    const stat = await fs.lstat(`${repo.workDir}/${path}`);
    if (stat?.type === 'file' || stat?.type === 'symlink') found.push(notRecorded(path, stat).seen);
  }
  return found;
}

async function presentFile(context: Context, path: string): Promise<Present | null> {
  const { fs, repo } = context;
  const place = `${repo.workDir}/${path}`;
  const stat = await fs.lstat(place);
  const type = stat?.type ?? null;
  if (type === 'other') return notRecorded(path, null);
  try {
    const name = fromTrail(context, path);
    if (name === null) return notRecorded(path, stat);
    const plain = givenPath(context, name);
    const file = type === 'directory' || !stat ? null : await context.store.entry!(plain);
    const after = await fs.lstat(place);
    if (after?.ctimeNs !== stat?.ctimeNs || after?.size !== stat?.size) return null;
    const seen = { path, mode: file?.mode ?? '100644', oid: file?.version ?? EMPTY_BLOB, stat: file && stat };
    return { seen, path: plain, file };
  } catch (error) {
    if (error instanceof EditError && error.code !== 'STORE_FAILED') return notRecorded(path, stat);
    throw error;
  }
}

/** Makes a file that is not recorded: its state alone tells whether it changed. */
function notRecorded(path: string, stat: Stat | null): Present {
  const mode = stat?.type === 'symlink' ? '120000' : '100644';
  return { seen: { path, mode, oid: EMPTY_BLOB, stat }, path: null, file: null };
}
