import { trailOptions } from '../../../table/options.ts';
import { UsageError } from '../../../table/usage.ts';
import { type CliCommand, defineCommand } from '../command.ts';
import { parseFileRange } from '../input/names.ts';
import { runCall } from '../run.ts';

export const command: CliCommand = defineCommand({
  details:
    'The line is that of the file as it is now. Shown are the edit that wrote it, the agent or person, model, sub-agent, session and ' +
    'turn, what the agent was asked and the command that it ran (where vedit.prompts of git’s config keeps them), the ' +
    'reason, what became of the edit, and the commit of your branch that has it.',
  arguments: [['<file:line>', 'the file, and the number of the line, as in src/auth.ts:12']],
  options: trailOptions,
  examples: [
    ['vedit why src/auth.ts:12', ''],
    ['vedit why src/auth.ts:12 --json | jq -r .data.edit.turn', 'the turn, for vedit undo --turn'],
  ],
  run: call =>
    runCall(call, async ({ workspace, place }) => {
      const { path, range } = parseFileRange(call.args[0]!, call.folder);
      if (!range || range[0] !== range[1])
        throw new UsageError(
          `name one line of a file, as in ${path}:12, not ${JSON.stringify(call.args[0])}`,
        );
      return workspace.why({ path: place.path(path), line: range[0] });
    }),
});
