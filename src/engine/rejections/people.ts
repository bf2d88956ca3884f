/** The authors of what a review shows: people, as opposed to agents. */

import { isPersons as isRecordedPersons } from '../../history/editors.ts';
import type { TrailEntry } from '../../history/walk.ts';

/** The session in the editor of a reviewer, who has none in the history: what people do by hand has no session. */
export const REVIEW_SESSION = 'review';

/** A commit of the trail or of the branch; `null`: what the files hold and nothing recorded yet. */
export type Author = TrailEntry | null;

/** True for what a person wrote, recorded or not. */
export function isPersons(author: Author): boolean {
  return author === null || isRecordedPersons(author);
}
