/**
 * The refs of reviews: `refs/vedit-review/<reviewer>/<trail>`. Each leads to the commits of one reviewer on one trail; the
 * tree of the newest is the text that they accepted.
 */

import type { Person } from '../engine/editor.ts';
import type { ObjectDatabase } from '../git/objects/object-database.ts';
import { UndoState } from '../history/undo.ts';
import { readEntryOrNull, type TrailEntry } from '../history/walk.ts';
import { isAccept, isReviewed } from '../operations.ts';

export const REVIEW_PREFIX = 'refs/vedit-review/';

export function reviewRef(trail: string, { email, name }: Person): string {
  return `${REVIEW_PREFIX}${slug(email) || slug(name) || 'reviewer'}${endOf(trail)}`;
}

/** True for the ref of somebody's review of this trail. */
export function isReviewOf(trail: string, ref: string): boolean {
  const end = endOf(trail);
  return ref.endsWith(end) && !ref.slice(REVIEW_PREFIX.length, -end.length).includes('/');
}

/** True for the ref of what was said of a history, here or in another clone: nobody's review. */
export function isOfComments(ref: string): boolean {
  return ref.includes('/@comments/');
}

function endOf(trail: string): string {
  return `/${trail.replace(/^refs\//, '')}`;
}

function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
}

/** Yields the commits of a review, newest first. `read` decides what happens where one is missing: by default the walk ends. */
export async function* reviewCommits(
  objects: ObjectDatabase,
  tip: string | null,
  read: (objects: ObjectDatabase, oid: string) => Promise<TrailEntry | null> = readEntryOrNull,
): AsyncGenerator<TrailEntry> {
  for (let next = tip; next !== null; ) {
    const entry = await read(objects, next);
    if (!entry || !isReviewed(entry.meta?.op)) return;
    yield entry;
    next = entry.parents[0] ?? null;
  }
}

/** Yields the acceptances of a review that were not taken back, newest first. */
export async function* acceptances(objects: ObjectDatabase, tip: string | null): AsyncGenerator<TrailEntry> {
  const state = new UndoState();
  for await (const entry of reviewCommits(objects, tip)) {
    state.note(entry);
    if (isAccept(entry.meta!.op) && !state.isUndone(entry.commit)) yield entry;
  }
}
