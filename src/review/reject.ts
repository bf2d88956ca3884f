/**
 * Rejecting: what an agent wrote is taken out of the file, and the accepted text stands there again. It is one commit on
 * the trail, of the reviewer, and to everything else what a person took back by hand.
 */

import type { Planned } from '../engine/change/planned.ts';
import { toTrail } from '../engine/context.ts';
import type { Person } from '../engine/editor.ts';
import { overRecorded } from '../engine/files/conversion.ts';
import type { Snapshot } from '../engine/files/snapshot.ts';
import { withChanges } from '../engine/rejections/compare.ts';
import { type Author, commitsSince, isPersons } from '../engine/rejections/people.ts';
import { holdersIn, holderWords } from '../engine/undo/holders.ts';
import { EditError } from '../errors.ts';
import type { StoredFile } from '../stores/store.ts';
import { encodeText, encodingOf } from '../text/document.ts';
import { listedSome } from '../text/words.ts';
import { pathName } from '../wording.ts';
import { type Review, reviewOn } from './accepted/accepted-text.ts';
import { type FoundHunks, findHunks } from './hunks/find-hunks.ts';
import { placeWords } from './hunks/place-words.ts';
import { otherHalf } from './hunks/renames.ts';
import type { UnreviewedFile, UnreviewedHunk } from './hunks/unreviewed.ts';
import type { RejectOptions } from './options.ts';
import { unreviewedFiles } from './unreviewed-files.ts';

/** The most edits named in a rejection, and in a refusal. */
const NAMED = { rejected: 200, refused: 20 };

/** Plans taking the hunks out of their files. Throws CONFLICT where later text builds on them, NO_CHANGE, INVALID_INPUT. */
export async function planReject(
  snapshot: Snapshot,
  reviewer: Person,
  { path, together = false, ...named }: RejectOptions,
): Promise<Planned> {
  const { context } = snapshot;
  const review = await reviewOn(snapshot, reviewer);
  const name = await snapshot.resolve(path);
  const found = await findHunks(review, toTrail(context, name), named);
  const other = named.alone ? null : await foundHalf(review, found, named.at);
  const all = other ? [found, other] : [found];
  if (!together) for (const one of all) assertAlone(one);
  const rejects = all
    .flatMap(({ hunks }) => hunks.flatMap(({ authors }) => [...authors]))
    .filter(one => one !== null && one.commit !== '' && !isPersons(one))
    .map(one => one!.commit);
  const targets = new Map<string, StoredFile | null>();
  for (const one of all) {
    const wanted = recordedWithout(one.file, one.hunks);
    targets.set(one.file.name, await onDisk(snapshot, one.file, wanted));
  }
  const meta = { rejects: [...new Set(rejects)].slice(0, NAMED.rejected) };
  return { targets, moves: [], word: 'reject', meta };
}

/** Finds the other half of a file that was renamed, with the edits that came to it since the review was read. */
async function foundHalf(
  review: Review,
  { file, hunks }: FoundHunks,
  at: string | undefined,
): Promise<FoundHunks | null> {
  const other = otherHalf(await unreviewedFiles(review), file, hunks);
  if (!other) return null;
  const { snapshot } = review;
  const newer = at === undefined ? null : await commitsSince(snapshot, await snapshot.commit(at));
  const authors = new Set(other.hunks.flatMap(hunk => [...hunk.authors]));
  const since = [...authors].filter(one => one !== null && (newer?.has(one.commit) ?? false));
  return { file: other, hunks: other.hunks, read: null, since };
}

/** Throws CONFLICT where edits came to the lines since they were read, or a person's own text stands amid them. */
function assertAlone(found: FoundHunks): void {
  const peoples = found.hunks
    .filter(({ mixed }) => mixed)
    .flatMap(({ authors, agents }) => [...authors].filter(one => !agents.has(one)));
  const by = found.since.length > 0 ? found.since : peoples;
  if (by.length > 0) throw builtOn(found, by);
}

type RecordedFile = Pick<StoredFile, 'bytes' | 'mode'> | null;

/** Returns the file as it has to be on disk for this to be recorded of it. */
async function onDisk(
  snapshot: Snapshot,
  file: UnreviewedFile,
  wanted: RecordedFile,
): Promise<StoredFile | null> {
  if (!wanted) return null;
  const { context, conversion } = snapshot;
  const version = await context.codec.hash('blob', wanted.bytes);
  const present = await snapshot.file(file.name);
  const over = overRecorded(context, await snapshot.recorded(file.name));
  return conversion.onto(file.name, present, over, { ...wanted, version });
}

/** Puts the accepted text in place of these hunks, and returns the file as it is recorded. */
function recordedWithout(
  { accepted, present, compared, hunks: all }: UnreviewedFile,
  hunks: readonly UnreviewedHunk[],
): RecordedFile {
  if (hunks.length === all.length && !accepted.file) return null;
  if (!compared || !present.file) return accepted.file;
  const rejected = new Set(hunks.map(({ change }) => change));
  const text = withChanges(
    compared,
    compared.changes.filter(change => !rejected.has(change)),
  );
  const bytes = encodeText(text, false, encodingOf(present.file.bytes));
  return { bytes, mode: present.file.mode };
}

/** Creates the refusal that names what builds on the hunks: a person's own text on their lines, edits made since they were read. */
function builtOn({ file, hunks }: FoundHunks, by: readonly Author[]): EditError {
  const holding = [...new Map(by.map(one => [one?.commit ?? '', one])).values()];
  const named = hunks.map(hunk => placeWords(hunk));
  const places = listedSome(named, 5);
  const message = [
    `${pathName(file.name)} ${places}: what is to be rejected is built on by`,
    ...holding.slice(0, NAMED.refused).map(one => `- ${holderWords(one)}`),
    'Nothing was done. Take that back first, or reject all of it together.',
  ].join('\n');
  return new EditError('CONFLICT', message, {
    path: file.name,
    version: file.present.file?.version ?? null,
    conflicts: [{ path: file.name, regions: hunks.map(hunk => regionOf(file, hunk)) }],
    builds_on: holdersIn(holding),
  });
}

function regionOf(
  { compared }: UnreviewedFile,
  { change, lines }: UnreviewedHunk,
): { start_line: number; end_line: number; present: string; wanted: string } {
  if (!change || !compared) return { ...lines, present: '', wanted: '' };
  const { old, now } = compared;
  const present = now.slice(change.newStart, change.newEnd).join('');
  return { ...lines, present, wanted: old.slice(change.oldStart, change.oldEnd).join('') };
}
