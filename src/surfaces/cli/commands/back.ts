/** The ways back in history: undo, redo, revert, restore, and rollback, the old name of `restore --all`. */

import { type Call, type CliCommand, defineCommand, type OptionsOf } from '../command.ts';
import { type BackOptions, backOptions, turnOption } from '../input/options.ts';
import { UsageError, wholeNumber } from '../input/usage.ts';
import { attempt, runWork, runWriter, writerInput } from '../run.ts';

const undo = defineCommand({
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

const redo = defineCommand({
  details: 'A new edit after an undo ends what can be put back.',
  arguments: [['[n]', 'how many edits; default 1']],
  options: backOptions,
  examples: [['vedit redo', 'the opposite of vedit undo']],
  async run(call) {
    const own = { count: countIn(call), scope: scopeOf(call) };
    return runWriter(call, 'redo', () => own, 'back');
  },
});

/** The number of edits that undo and redo take. Throws UsageError. */
function countIn({ args: [count = '1'] }: Call): number {
  return wholeNumber('N', count, 1);
}

/** A person means the whole history; one who names a session means that session's edits. */
function scopeOf({ options }: Call<BackOptions>): 'trail' | 'session' {
  return options.session === undefined ? 'trail' : 'session';
}

const revert = defineCommand({
  details:
    'All later edits stay: the edit is taken out by a three-way merge. Where later text depends on it, the revert is refused ' +
    'with the lines, and nothing is written. A revert is a commit like any other: vedit undo takes it back.',
  arguments: [['<rev>', 'the edit: an id, or ~N for N commits back']],
  options: backOptions,
  examples: [
    ['vedit revert 1a2b3c4', ''],
    ['vedit revert ~2 -n', 'what it would do'],
    ["vedit revert 1a2b3c4 -m 'the limit was right'", ''],
  ],
  run: call => runWriter(call, 'revert', () => ({ commit: call.args[0] })),
});

const withOthersOption = [
  '--with-others',
  'with --all, --session and ~N: also what other sessions edited since, which is refused otherwise',
] as const;

const restoreOptions = [
  ['--at <rev>', 'as they were in this commit: an id, or ~N for N commits back; default: the newest edit'],
  ['--from <rev>', ''],
  ['--all', 'all files that were edited since a commit, as in restore --all ~3'],
  ['--missing', 'only files that are gone or as HEAD has them; without paths: all of them'],
  withOthersOption,
  ...backOptions,
] as const;

const restore = defineCommand({
  details:
    'Several files are one commit: all of them, or none. A folder stands for the files in it that were edited through vedit. ' +
    'Without --at, and with --missing, only files that are gone or as HEAD has them come back, as after git reset --hard ' +
    'and git clean: what anybody else wrote in a file stays. With --at a file becomes what it was, and what others changed ' +
    'in it since the newest edit stays, or the restore is refused. With --all that is done for all files that were edited ' +
    'since the commit, and files that came since go. It is a commit like any other: history keeps everything since, secrets ' +
    'too, and vedit undo takes it back.',
  arguments: [['[paths...]', 'files, or folders; with --all the commit first', 'file']],
  options: restoreOptions,
  examples: [
    ['vedit restore src/auth.ts --at ~3', ''],
    ['vedit restore a.txt b.txt --at ~3', 'two files, one commit'],
    ['vedit restore --all ~3', 'everything that was edited in the last three commits'],
    ['vedit restore --all 1a2b3c4 src -n', 'what that would do, below src'],
    ['vedit restore --missing -n', 'what git reset --hard and git clean took, to look at first'],
    ['vedit restore src', 'what they took below src'],
  ],
  async run(call) {
    const { base, missing, versionOf, all, withOthers, from, at = from } = call.options;
    const { args } = call;
    if (all) return restoreAll(call);
    if (withOthers)
      throw new UsageError('--with-others is for --all: name the commit, as in restore --all ~3');
    if (args.length === 0 && !missing)
      throw new UsageError(
        'name the files or folders to restore, or give --all <commit>, or --missing for all that is gone',
      );
    if (args.length <= 1)
      return runWriter(call, 'restore', place => ({
        path: args.length === 0 ? '.' : place.path(args[0]!),
        from: at,
        missing,
      }));
    if (versionOf !== undefined)
      throw new UsageError('a version is one file’s: with --version-of name one file');
    return runWork(call, ({ session, place }) => {
      const paths = args.map(path => place.path(path));
      return attempt(() => session.restore(paths, at, { base, missing, ...writerInput(call.options) }));
    });
  },
});

/** All files that were edited since a commit, or those named, become what they were in it. Throws UsageError. */
async function restoreAll(call: Call<OptionsOf<typeof restoreOptions>>): Promise<number> {
  const { from, at = from, missing, withOthers } = call.options;
  const [commit, ...paths] = at === undefined ? call.args : [at, ...call.args];
  if (commit === undefined)
    throw new UsageError('--all needs the commit: an id, or ~N, as in restore --all ~3');
  if (missing) throw new UsageError('--all and --missing are different things: give one of them');
  const own = { commit, with_others: withOthers || scopeOf(call) === 'trail' };
  return runWriter(call, 'rollback', place => ({ ...own, paths: place.scopes(paths) }), 'back');
}

const rollback = defineCommand({
  details: 'vedit help restore says more.',
  arguments: [
    ['<rev>', 'a commit: an id, or ~N for N commits back'],
    ['[paths...]', 'only these files or folders'],
  ],
  options: [withOthersOption, ...backOptions],
  examples: [['vedit restore --all ~3', 'the last three commits']],
  run: call => restoreAll(call),
});

export const commands: Readonly<Record<string, CliCommand>> = { undo, redo, revert, restore, rollback };
