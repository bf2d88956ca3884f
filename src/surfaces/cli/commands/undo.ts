/** undo: takes back the newest edits, or one that is named. */

import { type Call, type CliCommand, defineCommand } from '../command.ts';
import { type BackOptions, backOptions, turnOption } from '../input/options.ts';
import { UsageError, wholeNumber } from '../input/usage.ts';
import { runWriter } from '../run.ts';

export const command: CliCommand = defineCommand({
  details:
    'An undo is a commit like any other, and can be redone. Without --session anybody’s newest edits are taken back, with ' +
    'it those of that session. What others changed since in other lines stays; where they changed the same lines, the undo is ' +
    'refused. With a commit it is vedit revert: that edit is taken back, whenever it was made.',
  arguments: [['[what]', 'how many edits, at most 999; default 1; or one edit: an id, or ~N', 'commit']],
  options: [
    ['--path <path>', 'only edits of this file or folder'],
    turnOption,
    ['--rest', 'with --turn: what can be taken back, where later changes hold a part'],
    ...backOptions,
  ],
  examples: [
    ['vedit undo', 'like Ctrl-Z'],
    ['vedit undo 3 -n', 'what taking back three would do'],
    ['vedit undo 1a2b3c4', 'that edit'],
    ['vedit undo --path src/auth.ts', 'the last edit of a file'],
    ['vedit undo --turn latest', 'all that an agent did for the last prompt'],
    ['vedit undo --session 7f3a', 'only what that session did'],
  ],
  async run(call) {
    const { path, turn, rest } = call.options;
    const [what] = call.args;
    if (what !== undefined && isCommit(what)) {
      if (turn !== undefined) throw new UsageError('a turn is taken back as a whole: name no edit with it');
      if (path !== undefined) throw new UsageError('one edit is taken back whole: leave --path out');
      return runWriter(call, 'revert', () => ({ commit: what }));
    }
    if (what !== undefined && !/^\d+$/.test(what))
      throw new UsageError(
        `give how many edits, or one edit by its id or ~N, not ${JSON.stringify(what)}; edits of a file: --path <path>`,
      );
    if (what !== undefined && turn !== undefined)
      throw new UsageError('a turn is taken back as a whole: leave the number out');
    const own = { ...(turn === undefined && { count: countIn(call) }), turn, rest, scope: scopeOf(call) };
    return runWriter(
      call,
      'undo',
      place => ({ ...own, path: path === undefined ? path : place.path(path) }),
      'back',
    );
  },
});

/** Nobody takes back a thousand edits, and an id may be all digits. */
function isCommit(what: string): boolean {
  return /^\d{4,}$/.test(what) || /^[~@]|^[0-9a-f]{4,40}([~^].*)?$/i.test(what);
}

/** The number of edits that undo and redo take. Throws UsageError. */
export function countIn({ args: [count = '1'] }: Call): number {
  return wholeNumber('N', count, 1);
}

/** A person means the whole history; one who names a session means that session's edits. */
export function scopeOf({ options }: Call<BackOptions>): 'trail' | 'session' {
  return options.session === undefined ? 'trail' : 'session';
}
