import { type CliCommand, defineCommand } from '../command.ts';
import { withEngine } from '../engine.ts';
import { EXIT } from '../exit-codes.ts';
import { trailOptions } from '../input/options.ts';
import { answer, attempt } from '../run.ts';
import { withProgress } from '../terminal/progress.ts';

export const command: CliCommand = defineCommand({
  details:
    'Every commit of the history is read, compared with the one before it and with its own trailers; undo, redo, revert, rollback ' +
    'and restore are worked out again; files are compared with the newest commit, and those that differ are named, which is no fault. A history that was cut off, or rewritten with ' +
    'care, fits together all the same: note the id of the newest commit somewhere else, and expect it. With --since only what ' +
    'is newer than the noted commit is checked: that the commit is still in the history, each commit above it, and the files ' +
    'that these name. Objects below it that a disk has damaged since are not looked at. Exits with 5 when a fault is found.',
  options: [
    [
      '--expect <commit>',
      'an id noted earlier that must still be in the history; may be given several times',
      'each',
    ],
    ['--since <commit>', 'an id noted earlier, when all was sound: check only what is newer'],
    ...trailOptions,
  ],
  examples: [
    ['vedit verify', ''],
    ['vedit verify --expect 1a2b3c4d5e6f', 'also: is what I noted still there?'],
    ['vedit verify --since 1a2b3c4d5e6f', 'only what is newer than what I noted'],
    ['vedit verify --json | jq .data.faults', ''],
  ],
  run: call =>
    withEngine(call, async ({ workspace }) => {
      const { terminal, options } = call;
      const result = await withProgress(terminal, 'checking the history', tell =>
        attempt(() =>
          workspace.verify({
            expect: options.expect,
            since: options.since,
            onCommit: count => tell(`${count} commits read`),
          }),
        ),
      );
      const code = await answer(call, result);
      return result.ok && !result.data.sound ? EXIT.faulty : code;
    }),
});
