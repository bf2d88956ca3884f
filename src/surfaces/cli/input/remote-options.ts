/** Options of the commands that speak to a git server. */

import type { RemoteOptions } from '../../../sync/remote-options.ts';
import type { Call, OptionsOf } from '../command.ts';
import { trailOptions } from './options.ts';

const ownOptions = [
  ['--remote <name>', 'another remote than git config vedit.remote, origin, or the only one'],
] as const;

export const remoteOptions: readonly [...typeof ownOptions, ...typeof trailOptions] = [
  ...ownOptions,
  ...trailOptions,
];

export type ServerCall = OptionsOf<typeof remoteOptions>;

/**
 * The person's own git speaks to the server; it asks for a password only where they can answer. Where none is installed,
 * isomorphic-git does.
 */
export async function serverInput({ options, terminal }: Call<ServerCall>): Promise<RemoteOptions> {
  const { systemGit } = await import('../../../land/git/system-git.ts');
  const git = await systemGit(terminal.env);
  const { remote } = options;
  const isThere = (await git({ args: ['--version'], cwd: terminal.cwd() })) !== null;
  if (isThere) return { git, remote, mayAsk: terminal.canAsk };
  const { isomorphicGit } = await import('../../../sync/isomorphic-git.ts');
  return { git: isomorphicGit(), remote };
}
