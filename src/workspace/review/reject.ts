/**
 * Rejecting: what an agent wrote is taken out of the file, and the accepted text stands there again. It is one commit on
 * the trail, of the reviewer, and to everything else what a person took back by hand.
 */

import { EditError, type ErrorData } from '../../errors.ts';
import type { StoredFile } from '../../stores/store.ts';
import { cutLine, listedSome } from '../../text/words.ts';
import { pathName } from '../../wording.ts';
import type { Planned } from '../change/draft.ts';
import { type Context, toTrail } from '../context.ts';
import type { Person } from '../editor.ts';
import { overRecorded } from '../files/conversion.ts';
import type { Snapshot } from '../files/snapshot.ts';
import { type Review, reviewOn } from './accepted/accepted-text.ts';
import { withChanges } from './accepted/compare.ts';
import { type Author, commitsSince, isPersons } from './accepted/people.ts';
import { type FoundHunks, findHunks } from './hunks/find-hunks.ts';
import { placeWords } from './hunks/place-words.ts';
import { otherHalf } from './hunks/renames.ts';
import type { UnreviewedFile, UnreviewedHunk } from './hunks/unreviewed.ts';
import { editOf } from './listing.ts';
import type { RejectOptions } from './options.ts';

/** So many edits are named in a rejection, and so many in a refusal. */
const NAMED = { rejected: 200, refused: 20 };

/** Throws CONFLICT where later text builds on the hunks, NO_CHANGE, INVALID_INPUT. */
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
  if (!together) for (const one of all) checkFree(one);
  const rejects = all
    .flatMap(({ hunks }) => hunks.flatMap(({ authors }) => [...authors]))
    .filter(one => one !== null && !isPersons(one))
    .map(one => one!.commit);
  const targets = new Map<string, StoredFile | null>();
  for (const { file, hunks } of all) targets.set(file.name, await without(context, snapshot, file, hunks));
  const meta = { rejects: [...new Set(rejects)].slice(0, NAMED.rejected) };
  return { targets, moves: [], word: 'reject', meta };
}

/** The other half of a file that was renamed, with what came to it since the commit that the review was read at. */
async function foundHalf(
  review: Review,
  { file, hunks }: FoundHunks,
  at: string | undefined,
): Promise<FoundHunks | null> {
  const other = await otherHalf(review, file, hunks);
  if (!other) return null;
  const { snapshot } = review;
  const newer = at === undefined ? null : await commitsSince(snapshot, await snapshot.commit(at));
  const authors = new Set(other.hunks.flatMap(hunk => [...hunk.authors]));
  const since = [...authors].filter(one => one !== null && (newer?.has(one.commit) ?? false));
  return { file: other, hunks: other.hunks, read: null, since };
}

/** The file with the accepted text in place of these hunks, as it is on disk. */
async function without(
  context: Context,
  snapshot: Snapshot,
  file: UnreviewedFile,
  hunks: readonly UnreviewedHunk[],
): Promise<StoredFile | null> {
  const wanted = recordedWithout(file, hunks);
  if (!wanted) return null;
  const version = await context.codec.hash('blob', wanted.bytes);
  const present = await snapshot.file(file.name);
  const over = overRecorded(context, await snapshot.recorded(file.name));
  return snapshot.conversion.onto(file.name, present, over, { ...wanted, version });
}

function recordedWithout(
  { accepted, present, compared, hunks: all }: UnreviewedFile,
  hunks: readonly UnreviewedHunk[],
): Pick<StoredFile, 'bytes' | 'mode'> | null {
  if (hunks.length === all.length && !accepted.file) return null;
  if (!compared || !present.file) return accepted.file;
  const rejected = new Set(hunks.map(({ change }) => change));
  const text = withChanges(
    compared,
    compared.changes.filter(change => !rejected.has(change)),
  );
  return { bytes: new TextEncoder().encode(text), mode: present.file.mode };
}

/** Throws CONFLICT naming what builds on the hunks: a person's own text in them, and edits made since they were read. */
function checkFree({ file, hunks, since }: FoundHunks): void {
  const people = hunks.filter(({ mixed }) => mixed).flatMap(({ authors }) => [...authors].filter(isPersons));
  const holding = [...new Map([...people, ...since].map(one => [one?.commit ?? '', one])).values()];
  if (holding.length === 0) return;
  const builds_on = holding.slice(0, NAMED.refused).map(asHolder);
  const places = listedSome(
    hunks.map(hunk => placeWords(hunk)),
    5,
  );
  const words = holding.slice(0, NAMED.refused).map(holderWords);
  const message = [
    `${pathName(file.name)} ${places}: what is to be rejected is built on by`,
    ...words.map(one => `- ${one}`),
    'Nothing was done. Take that back first, or reject all of it together.',
  ].join('\n');
  throw new EditError('CONFLICT', message, {
    path: file.name,
    version: file.present.file?.version ?? null,
    conflicts: [{ path: file.name, regions: hunks.map(hunk => regionOf(file, hunk)) }],
    builds_on,
  });
}

type Holder = NonNullable<ErrorData<'CONFLICT'>['builds_on']>[number];

function asHolder(author: Author): Holder {
  if (!author) return { commit: null, ...NOT_RECORDED };
  const { commit, subject, session, agent, author: name } = editOf(author);
  return { commit, subject, session, agent, author: name };
}

const NOT_RECORDED = { subject: 'not recorded yet', session: null, agent: null, author: 'outside' };

function holderWords(author: Author): string {
  const { commit, subject, agent, author: name } = asHolder(author);
  if (commit === null) return 'text written outside the engine, not recorded yet';
  return `${commit.slice(0, 12)} ${cutLine(subject, 100)} (${agent ?? name})`;
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
