/**
 * Rejecting: what an agent wrote is taken out of the file, and the accepted text stands there again. It is one commit on
 * the trail, of the reviewer, and to everything else what a person took back by hand.
 */

import type { Planned } from '../engine/change/planned.ts';
import { toTrail } from '../engine/context.ts';
import type { Person } from '../engine/editor.ts';
import type { Snapshot } from '../engine/files/snapshot.ts';
import { type Author, isPersons } from '../engine/rejections/people.ts';
import { placedRows } from '../engine/undo/back-files.ts';
import { holdersIn, holderWords } from '../engine/undo/holders.ts';
import { EditError } from '../errors.ts';
import { fileOfRows } from '../history/file-rows.ts';
import { type Row, textOf } from '../line/row.ts';
import type { StoredFile } from '../stores/store.ts';
import { listedSome } from '../text/words.ts';
import { pathName } from '../wording.ts';
import { authorsSince, type FoundHunks, findHunks } from './find-hunks.ts';
import { OpenFiles, type UnreviewedHunk } from './open-files.ts';
import type { RejectOptions } from './options.ts';
import { placeWords } from './place-words.ts';
import { otherHalves } from './renames.ts';
import { type Review, reviewOn } from './review.ts';
import type { ReviewedFile } from './reviewed-file.ts';

/** The most edits named in a rejection, and in a refusal. */
const NAMED = { rejected: 200, refused: 20 };

/** Plans taking the hunks out of their files. Throws CONFLICT where later text builds on them, NO_CHANGE, INVALID_INPUT. */
export async function planReject(
  snapshot: Snapshot,
  reviewer: Person,
  { path, together = false, ...named }: RejectOptions,
): Promise<Planned> {
  const review = await reviewOn(snapshot, reviewer);
  const name = await snapshot.resolve(path);
  const recorded = toTrail(snapshot.context, name);
  const open = await OpenFiles.open(review, [recorded]);
  const found = await findHunks(review, recorded, named, open);
  const all = named.alone ? [found] : [found, ...(await foundHalf(review, open, found, named.at))];
  if (!together) for (const one of all) await assertAlone(open, one);
  const authors = await Promise.all(all.map(({ file, hunks }) => open.authorsIn(file.path, hunks)));
  const edits = authors.flat().flatMap(one => (one?.commit && !isPersons(one) ? one.commit : []));
  const targets = new Map<string, StoredFile | null>();
  for (const { file, hunks } of all) targets.set(file.name, await fileWithout(snapshot, file, hunks));
  const meta = { rejects: [...new Set(edits)].slice(0, NAMED.rejected) };
  return { targets, moves: [], word: 'reject', meta };
}

/** Finds the other half of a file that was renamed, with the edits that came to it since the review was read. */
async function foundHalf(
  review: Review,
  open: OpenFiles,
  { file, hunks }: FoundHunks,
  at: string | undefined,
): Promise<FoundHunks[]> {
  if (hunks[0] !== file.hunks[0] || file.hunks.length > 1) return [];
  const [other] = otherHalves(await open.unreviewed(), [file]);
  if (!other) return [];
  const newer = at === undefined ? [] : await authorsSince(review, open, other, at);
  return [{ file: other, hunks: other.hunks, read: null, since: newer.filter(one => one !== null) }];
}

/** Throws CONFLICT where edits came to the lines since they were read, or a person's own text stands amid them. */
async function assertAlone(open: OpenFiles, found: FoundHunks): Promise<void> {
  const others = found.hunks
    .filter(({ mixed }) => mixed)
    .flatMap(({ doers, agents }) => [...doers].filter(one => !agents.has(one)));
  const peoples = await open.authorsOf(found.file.path, others);
  const by = found.since.length > 0 ? found.since : peoples;
  if (by.length > 0) throw builtOn(found, by);
}

/** Puts the accepted rows of these hunks in place of the present ones, and returns the file as it has to be on disk for that. */
async function fileWithout(
  snapshot: Snapshot,
  file: ReviewedFile,
  hunks: readonly UnreviewedHunk[],
): Promise<StoredFile | null> {
  const { accepted, now, line, name } = file;
  const rejected = new Set(hunks.flatMap(({ rows }) => rows));
  if (!accepted && now.rows.every(row => rejected.has(row))) return null;
  const textAt = (row: Row): string | null =>
    rejected.has(row) ? (accepted ? row.accepted : null) : textOf(row);
  const made = fileOfRows(line.weave.rows().flatMap(row => textAt(row) ?? []));
  return placedRows(snapshot, name, made!);
}

/** Creates the refusal that names what builds on the hunks: a person's own text on their lines, edits made since they were read. */
function builtOn({ file, hunks }: FoundHunks, by: readonly Author[]): EditError {
  const holding = [...new Map(by.map(one => [one?.commit ?? '', one])).values()];
  const places = listedSome(
    hunks.map(hunk => placeWords(hunk)),
    5,
  );
  const message = [
    `${pathName(file.name)} ${places}: what is to be rejected is built on by`,
    ...holding.slice(0, NAMED.refused).map(one => `- ${holderWords(one)}`),
    'Nothing was done. Take that back first, or reject all of it together.',
  ].join('\n');
  return new EditError('CONFLICT', message, {
    path: file.name,
    version: file.version,
    conflicts: [{ path: file.name, regions: hunks.map(hunk => regionOf(file, hunk)) }],
    builds_on: holdersIn(holding),
  });
}

function regionOf(
  file: ReviewedFile,
  { rows, lines }: UnreviewedHunk,
): { start_line: number; end_line: number; present: string; wanted: string } {
  if (!file.places) return { ...lines, present: '', wanted: '' };
  const joined = (texts: Array<string | null>): string => texts.map(text => `${text}\n`).join('');
  const present = joined(file.now.among(rows).map(textOf));
  const wanted = joined(file.old.among(rows).map(row => row.accepted));
  return { ...lines, present, wanted };
}
