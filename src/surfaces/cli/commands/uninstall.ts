import type { OptionsOf } from '../../../table/use.ts';
import { type CliCommand, defineCommand } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { CLIENT_NAMES, CLIENTS } from '../install/clients.ts';
import {
  clientNamed,
  type Settling,
  scopeOf,
  settingsOptions,
  settle,
  tellChanges,
} from '../install/settle.ts';

const options = settingsOptions;

type Options = OptionsOf<typeof options>;

export const command: CliCommand = defineCommand({
  details:
    'Gives the settings back as they were before vedit install, byte for byte where nobody else changed them. The history stays, and ' +
    'so does vedit itself: docs/versions.md says how to leave for good.',
  arguments: [['[client]', `${CLIENT_NAMES.join(', ')}; default: all`, CLIENT_NAMES]],
  options,
  examples: [
    ['vedit uninstall', 'out of the settings of this project'],
    ['vedit uninstall claude-code --user', 'out of your own'],
    ['vedit uninstall -n', 'only show it'],
  ],
  async run(call) {
    const named = clientNamed(call.args[0]);
    const { locateRepository } = await import('../../../workspace/opening/locate.ts');
    const located = await locateRepository(call.folder).catch(() => null);
    const { local } = call.options as Options;
    const all = CLIENTS.filter(one => !local || one.local !== undefined);
    for (const client of named ? [named] : all) {
      const scope = scopeOf(call.options, client);
      const how: Settling = { client, scope, located, args: ['mcp'], remove: true, mayBe: async () => true };
      await tellChanges(call, how, await settle(call, how), false);
    }
    return EXIT.done;
  },
});
