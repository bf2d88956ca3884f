/** Who wrote what a review shows: people, as opposed to agents. */

import { isPersons as isRecordedPersons } from '../../trail/editors.ts';
import { type TrailEntry, walkRows } from '../../trail/walk.ts';
import type { Snapshot } from '../files/snapshot.ts';

/** The session in the editor of a reviewer, who has none in the history: what people do by hand has no session. */
export const REVIEW_SESSION = 'review';

/** A commit of the trail or of the branch; `null`: what the files hold and nothing recorded yet. */
export type Author = TrailEntry | null;

/** Each once, however many lines are theirs. */
export type AuthorSet = ReadonlySet<Author>;

/** True for what a person wrote, recorded or not. */
export function isPersons(author: Author): boolean {
  return author === null || isRecordedPersons(author);
}

/** Collects the trail's commits since that one; all of them where it is not on the trail, or none is given. */
export async function commitsSince(
  { context, trail }: Snapshot,
  at: string | undefined,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const options = { ownOnly: !trail.checkedOut, limit: MOST_COMMITS };
  for await (const rows of walkRows(context.objects, trail.parent, options)) {
    for (const row of rows) {
      if (row.commit === at) return found;
      found.add(row.commit);
    }
  }
  return found;
}

const MOST_COMMITS = 100_000;
