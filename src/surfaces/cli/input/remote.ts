/** The commands that speak to a git server: their options, the git that speaks, and consent to what others will see. */

import type { Answer } from '../../../engine/answer.ts';
import type { RemoteOptions } from '../../../sync/remote-options.ts';
import type { Call, OptionsOf } from '../command.ts';
import { gitOf } from '../engine.ts';
import { type Attempt, attempt } from '../run.ts';
import { trailOptions } from './options.ts';

const ownOptions = [
  ['--remote <name>', 'another remote than git config vedit.remote, origin, or the only one'],
] as const;

/** Options by which a person allows others to see more than edits. */
export const consentOptions = [
  ['--with-outside', 'also text of people that was recorded as outside changes'],
  ['--with-unpushed-commits', 'also commits of HEAD that are on no branch of the remote'],
] as const;

export const remoteOptions: readonly [...typeof ownOptions, ...typeof trailOptions] = [
  ...ownOptions,
  ...trailOptions,
];

type ServerCall = Call<OptionsOf<typeof remoteOptions>>;

/**
 * The person's own git speaks to the server; it asks for a password only where they can answer. Where none is installed,
 * isomorphic-git does.
 */
export async function serverInput({ options, terminal }: ServerCall): Promise<RemoteOptions> {
  const { remote } = options;
  const git = await gitOf(terminal);
  const isThere = (await git({ args: ['--version'], cwd: terminal.cwd() })) !== null;
  if (isThere) return { git, remote, mayAsk: terminal.canAsk };
  const { isomorphicGit } = await import('../../../sync/isomorphic-git.ts');
  return { git: isomorphicGit(), remote };
}

export interface Consent {
  withOutside: true;
  withUnpushedCommits: true;
  /** The newest commits that were listed. */
  tips: string[];
}

/** Makes the call; where it is refused for what others would see, and a person allows that, once more with their consent. */
export async function attemptWithConsent<Data>(
  call: ServerCall,
  work: (consent: Partial<Consent>) => Promise<Answer<Data>>,
): Promise<Attempt<Data>> {
  const first = await attempt(() => work({}));
  const consent = await consentTo(call, first);
  return consent ? attempt(() => work(consent)) : first;
}

/** Asks what a person allows to be seen of what was refused; `null`: nothing, or nothing was asked. */
async function consentTo({ terminal, options }: ServerCall, result: Attempt): Promise<Consent | null> {
  if (result.ok || result.code !== 'INVALID_INPUT' || options.json || !terminal.canAsk) return null;
  const { counts, tips } = result.data as { counts?: object; tips?: string[] };
  if (counts === undefined || tips === undefined) return null;
  await terminal.tell('Whoever may read the remote would also see');
  for (const line of result.message.split('\n').slice(1, -1)) await terminal.tell(line);
  await terminal.tell('These cannot be left out: the ids of all later edits hold them.');
  if (!(await terminal.confirm('Publish them? [y/N] '))) return null;
  return { withOutside: true, withUnpushedCommits: true, tips };
}
