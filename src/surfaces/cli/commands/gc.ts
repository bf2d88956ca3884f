import { dryRunOption, trailOptions } from '../../../table/options.ts';
import { type CliCommand, defineCommand } from '../command.ts';
import { gitOf } from '../engine.ts';
import { runCall } from '../run.ts';
import { withProgress } from '../terminal/progress.ts';

export const command: CliCommand = defineCommand({
  details:
    'Runs git gc where loose objects or packs have added up. Each edit, or some that come together, leaves a pack, and git joins them: ' +
    'git gc --auto is started in the background now and then, unless gc.auto or maintenance.auto says no. It is safe beside edits. ' +
    'Histories are only deleted when asked for, and only those of work trees that are gone; what has edits that are on no branch stays.',
  options: [
    dryRunOption,
    [
      '--prune-trails <age>',
      'delete landed histories of work trees that are gone, and whose newest commit is older, such as 90d',
      'time',
    ],
    ['--unlanded', 'with --prune-trails: also those that have not landed'],
    ['--prompts', 'also forget what agents were asked, where vedit.prompts kept it'],
    ['--no-git', 'do not run git'],
    ...trailOptions,
  ],
  examples: [
    ['vedit gc', ''],
    ['vedit gc -n --prune-trails 90d', 'what would go'],
  ],
  run: call =>
    runCall(call, async ({ workspace }) => {
      const { dryRun, pruneTrails: pruneBefore, unlanded, prompts, git } = call.options;
      const runGit = git === false ? undefined : await gitOf(call.terminal);
      return withProgress(call.terminal, 'tidying up', () =>
        workspace.gc({ dryRun, pruneBefore, unlanded, prompts, git: runGit }),
      );
    }),
});
