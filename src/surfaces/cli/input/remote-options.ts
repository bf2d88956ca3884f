/** Options of the commands that speak to a git server. */

import type { RemoteOptions } from '../../../workspace/sync/remote-options.ts';
import type { Call, OptionSpec } from '../command.ts';
import { type TrailOptions, trailOptions } from './options.ts';

export interface ServerCall extends TrailOptions {
  remote?: string;
}

export const remoteOptions: readonly OptionSpec[] = [
  {
    flags: '--remote <name>',
    description: 'another remote than git config vedit.remote, origin, or the only one',
  },
  ...trailOptions,
];

/** The person's own git speaks to the server; it asks for a password only where they can answer. */
export async function serverInput({ options, terminal }: Call<ServerCall>): Promise<RemoteOptions> {
  const { systemGit } = await import('../../../workspace/land/git/system-git.ts');
  return { git: await systemGit(terminal.env), remote: options.remote, mayAsk: terminal.canAsk };
}
