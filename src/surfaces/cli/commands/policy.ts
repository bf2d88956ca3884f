import { trailOptions } from '../../../table/options.ts';
import { UsageError } from '../../../table/usage.ts';
import { type CliCommand, defineCommand } from '../command.ts';
import { withEngine } from '../engine.ts';
import { EXIT } from '../exit-codes.ts';
import { answer } from '../run.ts';

export const command: CliCommand = defineCommand({
  details:
    'A policy is a JSON file that git config vedit.policy of the user or the system names, or .vedit/policy.json of the ' +
    'repository. All of them hold at once. Exits with 1 where the file may not change.',
  arguments: [
    ['<check>', 'the word check'],
    ['<file>', 'the file'],
  ],
  options: trailOptions,
  examples: [
    ['vedit policy check infra/main.tf', 'which rule of which policy stands against a change'],
    ['git config --global vedit.policy ~/.config/vedit/policy.json', 'the policy of the user'],
  ],
  async run(call) {
    const [word, file] = call.args;
    if (word !== 'check') throw new UsageError('policy has one thing to do: vedit policy check FILE');
    return withEngine(call, async ({ workspace, place }) => {
      const { message, data } = await workspace.policy({ path: place.path(file!) });
      await answer(call, { ok: true, message, data });
      return data.may_change ? EXIT.done : EXIT.refused;
    });
  },
});
