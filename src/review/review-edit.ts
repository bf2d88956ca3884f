/** The edits behind a hunk of a review, as its readers are told of them. */

import { logEntry } from '../engine/log-entry.ts';
import { type Author, isPersons } from '../engine/rejections/people.ts';
import type { UnreviewedHunk } from './open-files.ts';

export interface ReviewEdit {
  /** The commit that made the edit; `null` for text that is in the files and not recorded yet. */
  commit: string | null;
  subject: string;
  /** The reason given with the edit; '' for none. */
  reason: string;
  session: string | null;
  agent: string | null;
  model: string | null;
  /** The id of what the agent did for one prompt. */
  turn: string | null;
  author: string;
  /** ISO 8601, UTC; '' for what is not recorded. */
  time: string;
  /** True for a person's own text. */
  person: boolean;
}

export function editsOf({ authors }: Pick<UnreviewedHunk, 'authors'>): ReviewEdit[] {
  const recorded = [...authors].filter(one => one !== null).sort((a, b) => b.time - a.time);
  return [...(authors.has(null) ? [NOT_RECORDED] : []), ...recorded.map(editOf)];
}

const NOT_RECORDED: ReviewEdit = {
  commit: null,
  subject: 'changed, not through vedit, and not recorded yet',
  reason: '',
  session: null,
  agent: null,
  model: null,
  turn: null,
  author: 'outside',
  time: '',
  person: true,
};

function editOf(entry: NonNullable<Author>): ReviewEdit {
  const { commit, subject, reason, session, agent, model, turn, author, time } = logEntry(entry);
  const recorded = commit === '' ? { commit: null, time: '' } : { commit, time };
  const about = { subject, reason, session, agent, model, turn, author };
  return { commit: recorded.commit, ...about, time: recorded.time, person: isPersons(entry) };
}
