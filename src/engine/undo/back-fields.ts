/** Options of ways back in history: the fields of the tools, and the options of the library that they are. */

import * as z from 'zod';
import { EditError } from '../../errors.ts';
import { fieldName } from '../../wording.ts';
import { type CheckOptions, camelCased, optionsCheck, type ToolFieldsOf } from '../calls/call-options.ts';
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
  /** Only files that are gone, or as HEAD has them: nobody's text is touched. So it is where no commit is given, too. */
  missing?: boolean | undefined;
}

const { dry_run, edit_id, call_id, reason, allow_secret } = commonFields;

export const wayBackFields: ToolFieldsOf<WayBackOptions> = {
  base: () =>
    option.text(
      'The newest commit when you decided this. Refused as STALE if what it would do changed since.',
    ),
  version: () =>
    option.text('The version of the file when you decided this. Refused as STALE if it is another now.'),
  ...{ dry_run, edit_id, call_id, reason, allow_secret },
};

const whichFields: ToolFieldsOf<Omit<BackOptions, keyof WayBackOptions>> = {
  count: () => option.positive('How many edits; default 1.'),
  scope: () =>
    z.enum(['session', 'trail']).optional().describe('Your own edits (default), or anybody’s on the trail.'),
  path: () => option.text('Only edits of this file or folder.'),
};

export const backFields: ToolFieldsOf<BackOptions> = { ...whichFields, ...wayBackFields };

export const undoFields: ToolFieldsOf<UndoOptions> = {
  ...whichFields,
  turn: () => option.text('All edits of this turn, or latest.'),
  rest: () => option.flag('Of a turn: what can be undone.'),
  ...wayBackFields,
};

/** The fields of rollback beside the commit. */
export const rollbackFields: ToolFieldsOf<RollbackOptions> = {
  paths: () => option.texts('Only these files or folders.'),
  with_others: () => option.flag('Also what other sessions edited since: with ~N that is refused otherwise.'),
  ...wayBackFields,
};

/** The fields of restore beside the files and the commit. */
export const restoreFields: ToolFieldsOf<RestoreOptions> = {
  missing: () => option.flag('Only files that are gone, or as HEAD has them: so it is without `from`, too.'),
  ...wayBackFields,
};

export const checkWayBack: CheckOptions<WayBackOptions> = optionsCheck(camelCased(wayBackFields), {
  reason: 'tests fail',
});

export const checkBack: CheckOptions<BackOptions> = optionsCheck(camelCased(backFields), { count: 2 });

const undoOptions: CheckOptions<UndoOptions> = optionsCheck(camelCased(undoFields), { turn: 'latest' });

/** Throws INVALID_INPUT also for what goes with a turn alone, or not with one. */
export const checkUndo: CheckOptions<UndoOptions> = (call, options) => {
  const given = undoOptions(call, options);
  const { turn, rest, count } = given;
  if (turn === undefined ? rest === undefined : count === undefined) return given;
  const [field, words] =
    turn === undefined
      ? ([
          'rest',
          `${fieldName('rest')} is about a turn: name it with ${fieldName('turn')} too, or leave it out`,
        ] as const)
      : ([
          'count',
          `a turn is undone as a whole: leave ${fieldName('count')} or ${fieldName('turn')} out`,
        ] as const);
  throw new EditError('INVALID_INPUT', `${call}: ${words}. Nothing was done.`, { fields: [field] });
};

export const checkRollback: CheckOptions<RollbackOptions> = optionsCheck(camelCased(rollbackFields), {
  paths: ['src'],
});

export const checkRestore: CheckOptions<RestoreOptions> = optionsCheck(camelCased(restoreFields), {
  missing: true,
});
