/**
 * What an agent puts back of what a person rejected, or takes out again: the same lines between the same neighbours are
 * refused, anything looser gets a note. A rejection lapses when a person writes at its place.
 */

import { EditError } from '../../../errors.ts';
import { cutLine, quoted } from '../../../text/words.ts';
import { walkRows } from '../../../trail/rows.ts';
import { readEntry, type TrailEntry, treeOf } from '../../../trail/walk.ts';
import { ifField, pathName } from '../../../wording.ts';
import { fromTrail, toTrail } from '../../context.ts';
import type { Editor } from '../../editor.ts';
import type { FileDiff } from '../../file-diffs.ts';
import type { Snapshot } from '../../files/snapshot.ts';
import { compare } from '../accepted/compare.ts';
import { isPersons } from '../accepted/people.ts';
import { bare, isDeletion, matchOf, takenOutAgain, takesOut } from './rejected-lines.ts';
import { type RejectedPlace, type Rejection, textAt } from './rejection-book.ts';

/** The change of an agent, before it is made. */
interface Wanted {
  editor: Editor;
  reason?: string | undefined;
  evenIfRejected?: boolean | undefined;
  /** True where the files hold it already, so that it can only be told of. */
  isDone: boolean;
}

export interface PutBack {
  notes: string[];
  /** Rejections in spite of which it is done. */
  overrides: string[];
}

const NOTHING: PutBack = { notes: [], overrides: [] };

/** Throws REJECTED. */
export async function checkPutBack(
  snapshot: Snapshot,
  fileDiffs: readonly FileDiff[],
  wanted: Wanted,
): Promise<PutBack> {
  const { context, shown } = snapshot;
  if (wanted.editor.person) return NOTHING;
  const known = await context.rejections.of(shown.ref);
  if (known.length === 0) return NOTHING;
  const found: PutBack = { notes: [], overrides: [] };
  for (const fileDiff of fileDiffs) await checkFile(snapshot, fileDiff, known, { wanted, found });
  return found;
}

async function checkFile(
  snapshot: Snapshot,
  fileDiff: FileDiff,
  known: readonly Rejection[],
  { wanted, found }: { wanted: Wanted; found: PutBack },
): Promise<void> {
  const { path, from, before, after, binary } = fileDiff;
  if (binary) return;
  const own = toTrail(snapshot.context, path);
  const old = toTrail(snapshot.context, from ?? path);
  const rejected = known.flatMap(one =>
    one.places.filter(place => place.path === own || place.path === old).map(place => ({ one, place })),
  );
  if (rejected.length === 0) return;
  const texts = [before?.bytes, after?.bytes].map(bytes => (bytes ? new TextDecoder().decode(bytes) : ''));
  const compared = compare(texts[0]!, texts[1]!);
  const put = compared.changes.flatMap(({ newStart, newEnd }) => range(newStart, newEnd));
  for (const { one, place } of rejected) {
    const isGone = isDeletion(place);
    const again = isGone ? takesOut(place, compared) : matchOf(place, compared.now, new Set(put));
    const standing = again && (await placeNow(snapshot, one, place));
    if (!standing) continue;
    const match = isGone ? takenOutAgain(place, compared, standing) : again;
    if (match === null) continue;
    if (match === 'like') found.notes.push(likeWords(path, one, place));
    else if (wanted.isDone)
      found.notes.push(
        `${rejectedWords(path, one, place)}, and it was ${isGone ? 'done again' : 'put back'}`,
      );
    else found.overrides.push(overridden(snapshot, path, { one, place }, wanted));
  }
}

function range(start: number, end: number): number[] {
  return Array.from({ length: end - start }, (_, at) => start + at);
}

/** Where the place is by now, 0-based in what the trail holds; `null` where the rejection has lapsed. */
export async function placeNow(
  snapshot: Snapshot,
  { commit }: Rejection,
  { path, start, end }: RejectedPlace,
): Promise<{ start: number; end: number; text: string } | null> {
  const { objects } = snapshot.context;
  let now = { start, end };
  let text = await textAt(objects, await treeOf(objects, commit), path);
  for (const entry of await entriesSince(snapshot, commit, path)) {
    const next = await textAt(objects, entry.tree, path);
    if (text === null || next === null || entry.meta?.unrejects === commit) return null;
    const followed = follow(text, next, now);
    if (followed.isTouched && isPersons(entry)) return null;
    [now, text] = [followed, next];
  }
  const present = await presentText(snapshot, path);
  if (text === null || present === null) return null;
  const followed = follow(text, present, now);
  return followed.isTouched ? null : { start: followed.start, end: followed.end, text: present };
}

/** Oldest first. Empty where the commit is not on this trail (any more). */
async function entriesSince(snapshot: Snapshot, commit: string, path: string): Promise<TrailEntry[]> {
  const { context, trail } = snapshot;
  const found: string[] = [];
  for await (const rows of walkRows(context.objects, trail.tip, { ownOnly: !trail.checkedOut })) {
    for (const row of rows) {
      if (row.commit === commit) {
        const entries = found.reverse().map(oid => readEntry(context.objects, oid));
        return Promise.all(entries);
      }
      if (!row.isPlain || row.paths.includes(path)) found.push(row.commit);
    }
  }
  return [];
}

function follow(
  before: string,
  after: string,
  { start, end }: { start: number; end: number },
): { start: number; end: number; isTouched: boolean } {
  if (before === after) return { start, end, isTouched: false };
  const { changes } = compare(before, after);
  const touching = changes.filter(({ oldStart, oldEnd }) => oldStart <= end && oldEnd >= start);
  const grown = (some: typeof changes): number =>
    some.reduce((sum, one) => sum + one.newEnd - one.newStart - (one.oldEnd - one.oldStart), 0);
  const shift = grown(changes.filter(({ oldEnd }) => oldEnd < start));
  return {
    start: start + shift,
    end: end + shift + grown(touching),
    isTouched: touching.length > 0,
  };
}

async function presentText(snapshot: Snapshot, path: string): Promise<string | null> {
  const name = fromTrail(snapshot.context, path);
  const file = name === null ? null : await snapshot.asRecorded(name).catch(() => null);
  if (!file) return '';
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(file.bytes);
  } catch {
    return null;
  }
}

interface Rejected {
  one: Rejection;
  place: RejectedPlace;
}

/** Throws REJECTED unless the agent may and says why. */
function overridden(
  { context }: Snapshot,
  path: string,
  { one, place }: Rejected,
  { evenIfRejected, reason }: Wanted,
): string {
  const config = context.repo.config.get('vedit.rejected') ?? context.userConfig?.get('vedit.rejected');
  const isFinal = config === 'final';
  if (evenIfRejected && reason?.trim() && !isFinal) return one.commit;
  const next = isFinal
    ? 'Rejections are final here (git config vedit.rejected): do it in another way, or ask the person.'
    : evenIfRejected
      ? 'Say in reason why it has to be there all the same.'
      : `Do it in another way, or ask the person.${ifField('even_if_rejected', ' If it has to be there all the same, send even_if_rejected: true with a reason, which the person is shown.')}`;
  const words = `${rejectedWords(path, one, place)}. Nothing was changed. ${next}`;
  throw new EditError('REJECTED', words, {
    path,
    commit: one.commit,
    reviewer: one.reviewer,
    reason: one.reason,
    lines: (isDeletion(place) ? place.now : place.added).map(bare),
    ...(isDeletion(place) ? { taken_out: true as const } : {}),
    final: isFinal,
  });
}

/** So much of the lines, and of a reason, is quoted. */
const QUOTED = { lines: 160, reason: 400 };

export function reasonWords(reason: string): string {
  if (reason === '') return ', without a reason';
  return `: ${JSON.stringify(cutLine(reason.replace(/\s+/g, ' '), QUOTED.reason))}`;
}

export function quotedLines(lines: readonly string[]): string {
  return quoted(lines.map(bare).join('\n'), QUOTED.lines);
}

function rejectedWords(path: string, { commit, reviewer, reason }: Rejection, place: RejectedPlace): string {
  const { added, now } = place;
  const why = `(${commit.slice(0, 12)})${reasonWords(reason)}`;
  return isDeletion(place)
    ? `${reviewer} rejected that these lines of ${pathName(path)} were taken out ${why}. They are ${quotedLines(now)}`
    : `${reviewer} rejected these lines of ${pathName(path)} ${why}. They were ${quotedLines(added)}`;
}

function likeWords(path: string, { commit, reviewer, reason }: Rejection, place: RejectedPlace): string {
  const { added, now } = place;
  const why = `(${commit.slice(0, 12)})${reasonWords(reason)}`;
  return isDeletion(place)
    ? `${reviewer} rejected before that lines of ${pathName(path)} were taken out ${why}; they are ${quotedLines(now)}`
    : `${reviewer} rejected lines like these in ${pathName(path)} before ${why}; they were ${quotedLines(added)}`;
}
