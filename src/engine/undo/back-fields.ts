/** Options of ways back in history. */

import * as z from 'zod';
import { EditError } from '../../errors.ts';
import { camelCased } from '../../spelling.ts';
import { fieldName } from '../../wording.ts';
import { type CheckOptions, type FieldsOf, optionsCheck } from '../calls/call-options.ts';
import * as option from '../calls/option.ts';
import { commonFields, type RequestOptions } from '../change/edit-input.ts';

export interface WayBackOptions extends RequestOptions {
  /** The commit that was the newest when this was decided. Refused as STALE if what it would do changed since. */
  base?: string | undefined;
  /** The version of a file that this changes. Refused as STALE if it is another now. */
  version?: string | undefined;
}

/** Options of undo and redo. */
export interface BackOptions extends WayBackOptions {
  /** The number of edits; default 1. */
  count?: number | undefined;
  /** The owner of the edits: this session, or anybody on the trail. Default: the session. */
  scope?: 'session' | 'trail' | undefined;
  /** Only edits of this file or folder; those that changed other files too are taken back whole. */
  path?: string | undefined;
}

export interface UndoOptions extends BackOptions {
  /** All that was done for one prompt, and not undone since: the id of the turn, the start of it, or `latest`. */
  turn?: string | undefined;
  /** Where later changes hold some edits of a turn, the others all the same. */
  rest?: boolean | undefined;
}

export interface RollbackOptions extends WayBackOptions {
  paths?: readonly string[] | undefined;
  /** Also where that takes back edits of other sessions and the commit is given as `~N`: refused otherwise. */
  withOthers?: boolean | undefined;
}

export interface RestoreOptions extends WayBackOptions {
  /** Files and folders. */
  path: string | readonly string[];
  /** The commit to take them from, as findCommit takes it, or a mark. */
  from?: string | undefined;
  /** Only files that are gone, or as HEAD has them: nobody's text is touched. So it is where no commit is given, too. */
  missing?: boolean | undefined;
}

const { dryRun, editId, callId, reason, allowSecret } = camelCased(commonFields);

export const wayBackFields: FieldsOf<WayBackOptions> = {
  base: option.text,
  version: option.text,
  ...{ dryRun, editId, callId, reason, allowSecret },
};

const backFields: FieldsOf<BackOptions> = {
  count: option.positive,
  scope: () => z.enum(['session', 'trail']).optional(),
  path: option.text,
  ...wayBackFields,
};

export const checkWayBack: CheckOptions<WayBackOptions> = optionsCheck(wayBackFields, {
  reason: 'tests fail',
});

export const checkBack: CheckOptions<BackOptions> = optionsCheck(backFields, { count: 2 });

const undoOptions: CheckOptions<UndoOptions> = optionsCheck(
  { ...backFields, turn: option.text, rest: option.flag },
  { turn: 'latest' },
);

/** Throws INVALID_INPUT also for what goes with a turn alone, or not with one. */
export const checkUndo: CheckOptions<UndoOptions> = (call, options) => {
  const given = undoOptions(call, options);
  const { turn, rest, count } = given;
  if (turn === undefined ? rest === undefined : count === undefined) return given;
  const [field, words] =
    turn === undefined
      ? [
          'rest',
          `${fieldName('rest')} is about a turn: name it with ${fieldName('turn')} too, or leave it out`,
        ]
      : ['count', `Leave ${fieldName('count')} or ${fieldName('turn')} out: a turn is undone as a whole`];
  throw new EditError('INVALID_INPUT', `${words}. Nothing was done.`, { fields: [field!] });
};

export const checkRollback: CheckOptions<RollbackOptions> = optionsCheck(
  { paths: option.texts, withOthers: option.flag, ...wayBackFields },
  { paths: ['src'] },
);

export const checkRestore: CheckOptions<RestoreOptions> = optionsCheck(
  {
    path: () => z.union([z.string(), z.array(z.string())]),
    from: option.text,
    missing: option.flag,
    ...wayBackFields,
  },
  { path: 'src', from: '~2' },
);
