/**
 * Drafts what a plan changes, file by file: the exact bytes for the files, and for the trail what git would record of
 * them.
 */

import { EditError } from '../../errors.ts';
import { type Recorded, sameRecorded } from '../../history/steps.ts';
import type { StoredFile } from '../../stores/store.ts';
import { toTrail } from '../context.ts';
import { Conversion, overFile } from '../files/conversion.ts';
import { recordedFile, type Snapshot } from '../files/snapshot.ts';
import { isSetAside } from '../transaction/aside/asides.ts';
import type { Note } from '../transaction/aside/note.ts';
import { replacedFile } from './folders.ts';
import type { DraftedChange, InPlace, Planned } from './planned.ts';

/** Returns the entry of a tree for a file as git records it. */
export function entryOf(file: StoredFile | null): Recorded {
  return file && { mode: file.mode, oid: file.version };
}

/** Throws NO_CHANGE when every target is what is there already, FILTERED_PATH, ENCODING. */
export async function draftedChanges(snapshot: Snapshot, planned: Planned): Promise<DraftedChange[]> {
  if (planned.inPlace) return allInPlace(snapshot, planned.inPlace);
  const changes: DraftedChange[] = [];
  const coming = comingConversion(snapshot, planned);
  for (const [path, target] of planned.targets) {
    const before = await replacedFile(snapshot, path, planned.targets);
    const after = target && {
      bytes: target.bytes,
      mode: target.mode,
      version: await snapshot.context.codec.hash('blob', target.bytes),
    };
    if (before?.version === after?.version && before?.mode === after?.mode) continue;
    if (before && !(after && coming === snapshot.conversion)) await snapshot.conversion.check(path);
    if (after) await coming.check(path, after);
    const recorded = {
      before: before && snapshot.conversion.isPlain(before) ? before : await snapshot.asRecorded(path),
      after: after && (await recordedAfter(snapshot, coming, path, after, planned)),
    };
    const change = { path, before, after, recorded };
    const note = snapshot.aside(path);
    changes.push(note ? await asIs(snapshot, change, note) : change);
  }
  if (changes.some(({ recorded: { before, after } }) => !sameRecorded(entryOf(before), entryOf(after))))
    return changes;
  const why =
    changes.length === 0
      ? 'the files already are as this would make them'
      : 'git converts the line ends of these files (text, eol, core.autocrlf), so it would record what it has';
  throw new EditError('NO_CHANGE', `Nothing would change: ${why}.`, { paths: [...planned.targets.keys()] });
}

/**
 * Checks a path that is set aside, of which only what leaves the file as it is now can be done. Throws STORE_FAILED.
 */
async function asIs(
  { context, conversion }: Snapshot,
  change: DraftedChange,
  note: Note,
): Promise<DraftedChange> {
  const { path, recorded } = change;
  const file = await context.store.read(path);
  if (!(await conversion.isRecorded(path, file, entryOf(recorded.after)))) throw isSetAside(note, path);
  return { ...change, after: file, inPlace: true };
}

/** Returns the conversion by the attributes that there will be after the change, which may change them. */
function comingConversion(snapshot: Snapshot, { targets }: Planned): Conversion {
  const planned = new Map<string, string | null>();
  for (const [path, target] of targets) {
    if (!/(^|\/)\.gitattributes$/.test(path)) continue;
    planned.set(toTrail(snapshot.context, path), target && new TextDecoder().decode(target.bytes));
  }
  return planned.size > 0 ? new Conversion(snapshot.context, planned) : snapshot.conversion;
}

/** A file that is moved is recorded over what was recorded of it; a mode that was not changed on disk stays, too. */
async function recordedAfter(
  snapshot: Snapshot,
  coming: Conversion,
  path: string,
  after: StoredFile,
  { moves, targets }: Planned,
): Promise<StoredFile> {
  if (coming.isPlain(after)) {
    await coming.checkLineEnds(path, after, after);
    return after;
  }
  const from = moves.findLast(move => move.to === path)?.from;
  const source = from !== undefined && (await snapshot.file(from)) ? from : path;
  const old = await snapshot.file(source);
  const over = targets.get(path)?.over ?? (await snapshot.asRecorded(source));
  const recorded = await coming.recorded(path, after, overFile(over));
  await coming.checkLineEnds(path, after, recorded);
  return old?.mode === after.mode ? recorded : { ...recorded, mode: after.mode };
}

async function allInPlace(
  snapshot: Snapshot,
  { paths, as, told, drafted }: InPlace,
): Promise<DraftedChange[]> {
  if (drafted && drafted.length > 0) return [...drafted];
  const changes = told
    ? await (await import('./recorded-versions.ts')).recordedChange(snapshot, paths[0]!, told)
    : await changesInPlace(snapshot, paths, as);
  if (changes.length > 0) return changes;
  throw new EditError('NO_CHANGE', 'Nothing would change: the files are as they are recorded.', { paths });
}

/** Makes the changes from what the trail holds, as a checkout would have it, to what is in the files. */
async function changesInPlace(
  snapshot: Snapshot,
  paths: readonly string[],
  as: InPlace['as'],
): Promise<DraftedChange[]> {
  const { context, conversion } = snapshot;
  const changes: DraftedChange[] = [];
  for (const path of paths) {
    const file = await snapshot.file(path);
    const recorded = await snapshot.recorded(path);
    if (await conversion.isRecorded(path, file, recorded)) continue;
    if (file) await conversion.check(path);
    const then = recorded && (await recordedFile(context, path, recorded));
    const before = then && (await conversion.onto(path, file, overFile(then), then));
    const now = await snapshot.asRecorded(path);
    // What is nobody's edit is there before, for draft to record first.
    const kept = { before: as === 'edit' ? then : now, after: now };
    changes.push({ path, before, after: file, recorded: kept, inPlace: true });
  }
  return changes;
}
