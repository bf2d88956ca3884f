/** Options of a push, and its answer. */

import type { Answer } from '../../engine/answer.ts';
import { type CheckOptions, optionsCheck } from '../../engine/calls/call-options.ts';
import * as option from '../../engine/calls/option.ts';
import { EditError } from '../../errors.ts';
import { REVIEW_PREFIX } from '../../review/review-ref.ts';
import { counted } from '../../text/words.ts';
import { optionWords, shortId } from '../../wording.ts';
import { type RemoteOptions, remoteFields } from '../remote.ts';
import type { Unpublished } from './unpublished.ts';

export interface PushOptions extends RemoteOptions {
  /** Publish also text of people that was recorded as outside changes. */
  withOutside?: boolean | undefined;
  /** Publish also commits of HEAD that are on no branch of the remote. */
  withUnpushedCommits?: boolean | undefined;
  /**
   * Publish also what people accepted of the trails: their accepted text, saved or not, and who they are. Others see it as
   * claims of this clone.
   */
  withReviews?: boolean | undefined;
  /** Take trails off the remote whose newest commit is 30 days old, and whose edits have landed. */
  prune?: boolean | undefined;
  /** Say what would be pushed; change nothing. */
  dryRun?: boolean | undefined;
  /** The newest commits that a dry run named: where the trails have others by now, nothing is pushed (STALE). */
  expect?: readonly string[] | undefined;
}

export const checkPush: CheckOptions<PushOptions> = optionsCheck(
  {
    ...remoteFields,
    withOutside: option.flag,
    withUnpushedCommits: option.flag,
    withReviews: option.flag,
    prune: option.flag,
    dryRun: option.flag,
    expect: option.texts,
  },
  { dryRun: true },
);

/** A trail of this clone, or a review of one (`refs/vedit-review/...`), and its ref on the remote. */
export interface PushedTrail {
  trail: string;
  /** The name on the remote; `null` where this clone gets its name with the push. */
  ref: string | null;
  /** Where it was on the remote; `null`: it was not there. */
  from: string | null;
  to: string;
  result: 'pushed' | 'up to date' | 'would be pushed';
}

export interface PushData extends Unpublished {
  remote: string;
  /** The name of this clone; `null` for a dry run before the first push. */
  clone: string | null;
  /** The name that it had: the folder is a copy of the clone of that name, or a trail was begun anew. */
  renamed_from?: string;
  trails: PushedTrail[];
  /** Refs that were taken off the remote (or would be), as their edits have landed. */
  pruned: string[];
  notes: string[];
  dry_run?: true;
}

/** The most commits of each kind that are named in words. */
const NAMED = 10;

/** Throws INVALID_INPUT where the push would show more than edits and nobody said that it may. */
export function checkConsent(
  shown: Unpublished,
  { withOutside, withUnpushedCommits }: PushOptions,
  tips: readonly string[],
): void {
  const missing = [
    ...(shown.counts.outside + shown.counts.unclaimed > 0 && !withOutside ? ['withOutside'] : []),
    ...(shown.counts.unpushed_commits > 0 && !withUnpushedCommits ? ['withUnpushedCommits'] : []),
  ];
  if (missing.length === 0) return;
  const message = [
    'Nothing was pushed: whoever may read the remote would also see',
    ...groupLines({ ...shown, edits: [] }),
    `They cannot be left out, because the ids of all later edits hold them. Ask the person. If they may be seen, say so: ${missing.map(one => optionWords(one, true)).join(', ')}.`,
  ].join('\n');
  throw new EditError('INVALID_INPUT', message, { fields: missing, field: missing[0]!, tips, ...shown });
}

/** The groups, each with the words for one and for more of its commits. */
const GROUPS = [
  ['edits', 'edit', 'edits'],
  [
    'outside',
    'text of a person, recorded as an outside change',
    'texts of people, recorded as outside changes',
  ],
  [
    'unclaimed',
    'text from outside that may be an agent’s, or a claim of one',
    'texts from outside that may be an agent’s, and claims of such',
  ],
  [
    'unpushed_commits',
    'commit of HEAD that is on no branch of the remote',
    'commits of HEAD that are on no branch of the remote',
  ],
] as const;

/** Returns the groups as lines, each with its newest commits. A group that lists none is left out. */
function groupLines(shown: Unpublished): string[] {
  return GROUPS.flatMap(([kind, one, more]) => {
    const [commits, count] = [shown[kind], shown.counts[kind]];
    if (commits.length === 0) return [];
    const named = commits.slice(0, NAMED).map(about => {
      return `  ${shortId(about.commit)} ${about.subject} (${about.author})`;
    });
    const left = count - Math.min(count, NAMED);
    return [`${counted(count, one, more)}:`, ...named, ...(left > 0 ? [`  [and ${left} more]`] : [])];
  });
}

export function pushWords(data: PushData): Answer<PushData> {
  const { remote, clone, trails, pruned, notes, renamed_from: old } = data;
  const moving = trails.filter(({ result }) => result === 'pushed' || result === 'would be pushed');
  const histories = moving.filter(({ trail }) => !trail.startsWith(REVIEW_PREFIX));
  const name = clone ?? '<a new name>';
  const lines = [
    ...(old === undefined
      ? []
      : [
          `The remote has something under the name ${old} that this clone did not make, so this folder is a copy, or a history was begun anew: it is ${name} ${data.dry_run ? 'with the push' : 'now'}.`,
        ]),
    ...(moving.length === 0 ? [`${remote} has all of it already.`] : groupLines(data)),
    ...moving.map(
      ({ trail, ref, to, result }) =>
        `${result}: ${trail} ${shortId(to)} -> ${remote} ${ref ?? '(under a new name of this clone)'}`,
    ),
    ...pruned.map(
      ref =>
        `${data.dry_run ? 'would be taken off' : 'taken off'}: ${remote} ${ref}, whose edits have landed`,
    ),
    ...(histories.length > 0 && !data.dry_run && clone !== null
      ? [
          `Others get ${counted(histories.length, 'history', 'histories')} with vedit fetch, as ${clone}/<branch>.`,
        ]
      : []),
    ...notes.map(note => `Note: ${note}`),
  ];
  return { message: lines.join('\n'), data };
}
