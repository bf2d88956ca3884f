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
  arguments: [
    ['<file>', 'the file, with the line in src/auth.ts:12'],
    ['[line]', 'the number of the line, where it is not behind the file'],
  ],
  options: trailOptions,
  examples: [
    ['vedit why src/auth.ts 12', 'as src/auth.ts:12'],
    ['vedit why src/auth.ts:12 --json | jq -r .data.edit.turn', 'the turn, for vedit undo --turn'],
  ],
  run: call =>
    runCall(call, async ({ workspace, place }) => {
      const [file, line] = call.args;
      const { path, range } = parseFileRange(file!, call.folder, line && `${line},${line}`);
      if (!range || range[0] !== range[1])
        throw new UsageError(
          `name one line of a file, as in ${path}:12, not ${JSON.stringify(call.args.join(' '))}`,
        );
      return workspace.why({ path: place.path(path), line: range[0] });
    }),
});
