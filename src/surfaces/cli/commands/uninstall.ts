import type { SettingsOptions } from '../../../table/programs.ts';
import type { Call } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { CLIENTS } from '../install/clients.ts';
import { clientNamed, type Settling, scopeOf, settle, tellChanges } from '../install/settle.ts';

export async function run(call: Call<SettingsOptions>): Promise<number> {
  const named = clientNamed(call.args[0]);
  const { locateRepository } = await import('../../../workspace/opening/locate.ts');
  const located = await locateRepository(call.folder).catch(() => null);
  const all = CLIENTS.filter(one => !call.options.local || one.local !== undefined);
  for (const client of named ? [named] : all) {
    const scope = scopeOf(call.options, client);
    const how: Settling = { client, scope, located, args: ['mcp'], remove: true, mayBe: async () => true };
    await tellChanges(call, how, await settle(call, how), false);
  }
  return EXIT.done;
}
