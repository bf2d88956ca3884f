import type { Workspace } from '../../../workspace/open.ts';
import { type Call, type CliCommand, defineCommand, type OptionsOf } from '../command.ts';
import { withEngine } from '../engine.ts';
import { EXIT } from '../exit-codes.ts';
import { trailOptions } from '../input/options.ts';
import { serverInput } from '../input/remote.ts';
import { UsageError } from '../input/usage.ts';
import { type Attempt, answer, attempt } from '../run.ts';
import { tellIfLong, withProgress } from '../terminal/progress.ts';

const options = [
  [
    '--expect <commit>',
    'an id noted earlier that must still be in the history; may be given several times',
    'each',
  ],
  ['--since <commit>', 'an id noted earlier, when all was sound: check only what is newer'],
  ['--remote [name]', 'compare what was fetched from a remote, or pushed to it, with what it has'],
  ...trailOptions,
] as const;

type Options = OptionsOf<typeof options>;

export const command: CliCommand = defineCommand({
  details:
    'Every commit of the history is read, compared with the one before it and with its own trailers; undo, redo, revert, rollback ' +
    'and restore are worked out again; files are compared with the newest commit, and those that differ are named, which is no fault. A history that was cut off, or rewritten with ' +
    'care, fits together all the same: note the id of the newest commit somewhere else, and expect it. With --since only what ' +
    'is newer than the noted commit is checked: that the commit is still in the history, each commit above it, and the files ' +
    'that these name. Objects below it that a disk has damaged since are not looked at. With --remote the histories that were fetched from a ' +
    'server, or published there, are compared with what it has now: one that was rewound, rewritten or deleted, or that cannot ' +
    'be one, is named, with the commit after which they part. Exits with 5 when a fault is found.',
  options,
  examples: [
    ['vedit verify', ''],
    ['vedit verify --expect 1a2b3c4d5e6f', 'also: is what I noted still there?'],
    ['vedit verify --since 1a2b3c4d5e6f', 'only what is newer than what I noted'],
    ['vedit verify --remote', 'did somebody rewrite what I fetched?'],
    ['vedit verify --json | jq .data.faults', ''],
  ],
  run: call =>
    withEngine(call, async ({ workspace }) => {
      const { terminal, options } = call;
      if (options.remote !== undefined) return verifyRemote(call, workspace);
      const result = await withProgress(terminal, 'checking the history', tell =>
        attempt(() =>
          workspace.verify({
            expect: options.expect,
            since: options.since,
            onCommit: count => tell(`${count} commits read`),
          }),
        ),
      );
      return answerSound(call, result);
    }),
});

async function verifyRemote(call: Call<Options>, workspace: Workspace): Promise<number> {
  const { expect, since, remote, ...options } = call.options;
  if (expect !== undefined || since !== undefined)
    throw new UsageError('--remote looks at a server: give it without --expect and --since');
  const named = remote === true ? {} : { remote: remote! };
  const input = await serverInput({ ...call, options: { ...options, ...named } });
  const result = await tellIfLong(call.terminal, 'asking the remote ...', () =>
    attempt(() => workspace.verifyRemote(input)),
  );
  return answerSound(call, result);
}

async function answerSound(call: Call<Options>, result: Attempt<{ sound: boolean }>): Promise<number> {
  const code = await answer(call, result);
  return result.ok && !result.data.sound ? EXIT.faulty : code;
}
