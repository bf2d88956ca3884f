/** The commands that speak to a git server: their options, and the git that speaks. */

import type { RemoteOptions } from '../../../sync/remote.ts';
import type { Call, OptionsOf } from '../command.ts';
import { gitOf } from '../engine.ts';
import { trailOptions } from './options.ts';

const ownOptions = [
  ['--remote <name>', 'another remote than git config vedit.remote, origin, or the only one'],
] as const;

export const remoteOptions: readonly [...typeof ownOptions, ...typeof trailOptions] = [
  ...ownOptions,
  ...trailOptions,
];

type ServerCall = Call<OptionsOf<typeof remoteOptions>>;

/** The person's own git speaks to the server; it asks for a password only where they can answer. */
export async function serverInput({ options, terminal }: ServerCall): Promise<RemoteOptions> {
  return { git: await gitOf(terminal), remote: options.remote, mayAsk: terminal.canAsk };
}
