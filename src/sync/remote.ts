/** The one remote that trails go to, the options of every call that speaks to it, and the transport that leads there. */

import type { FieldsOf } from '../engine/calls/call-options.ts';
import * as option from '../engine/calls/option.ts';
import type { Context } from '../engine/context.ts';
import { canUseGit, placeOf } from '../engine/use-git.ts';
import { EditError } from '../errors.ts';
import { lstatOf } from '../fs/fs.ts';
import { isOid } from '../git/objects/object.ts';
import { readHead } from '../git/refs/refs.ts';
import { preflight } from '../git/repository/preflight.ts';
import { quietGit, type RunGit } from '../git/run-git.ts';
import { Transport } from '../remote/transport.ts';
import { fieldName } from '../wording.ts';

/** Options of every call that speaks to a git server. */
export interface RemoteOptions {
  /** The git that speaks to the server, with the person's credentials; required: `await systemGit(process.env)`. */
  git?: RunGit | undefined;
  /** A remote of git's config; default: `git config vedit.remote`, else origin, else the only one. */
  remote?: string | undefined;
  /** Milliseconds for each question to the server; default: ten minutes. */
  timeout?: number | undefined;
  /** True where git may ask on the terminal for a password; default: no. */
  mayAsk?: boolean | undefined;
}

export const remoteFields: FieldsOf<RemoteOptions> = {
  git: option.callback<RunGit>,
  remote: option.text,
  timeout: option.positive,
  mayAsk: option.flag,
};

export interface OpenRemote {
  git: RunGit;
  name: string;
  transport: Transport;
}

interface OpenOptions extends RemoteOptions {
  signal?: AbortSignal | undefined;
  maxBytes?: number | undefined;
}

/** Opens the remote. Throws INVALID_INPUT without git or a remote, and as canUseGit. */
export async function openRemote(context: Context, options: OpenOptions): Promise<OpenRemote> {
  await preflight(context.repo);
  const { git, timeout, mayAsk, signal, maxBytes } = options;
  if (git === undefined || !(await sees(context, git))) throw needsGit(git !== undefined);
  const name = electedRemote(context, options.remote);
  const cwd = placeOf(context);
  const isTooMuch = maxBytes === undefined ? undefined : (dir: string) => checkSize(context, dir, maxBytes);
  return {
    git,
    name,
    transport: new Transport({ git, cwd, remote: name, timeout, mayAsk, signal, isTooMuch }),
  };
}

async function sees(context: Context, git: RunGit): Promise<boolean> {
  const { oid: commit } = await readHead(context.repo);
  if (await canUseGit(context, git, { ref: 'HEAD', commit })) return true;
  // Where the branch is the trail, edits move it while git is asked: then it sees a newer commit of here.
  return (await readHead(context.repo)).oid !== commit && seesCommit(context, git);
}

async function seesCommit(context: Context, git: RunGit): Promise<boolean> {
  const args = ['rev-parse', '--verify', '-q', 'HEAD'];
  const oid = (await quietGit(git)({ args, cwd: placeOf(context) }))?.stdout.trim() ?? '';
  return isOid(oid) && context.objects.has(oid);
}

function needsGit(isGiven: boolean): EditError {
  const message = isGiven
    ? 'There is no git here that sees this repository, and histories travel by git alone. Install git; a repository in memory, or in a browser, cannot be shared.'
    : 'Histories travel by git: give git: await systemGit(process.env).';
  return new EditError('INVALID_INPUT', message, { field: 'git', fields: ['git'] });
}

/** Chooses the remote. Throws INVALID_INPUT, naming the remotes that there are. */
function electedRemote({ repo: { config } }: Context, given: string | undefined): string {
  const names = new Set<string>();
  for (const key of config.keys()) {
    const name = /^remote\.(.+)\.url$/s.exec(key)?.[1];
    if (name !== undefined && /^[\w][\w./-]*$/.test(name)) names.add(name);
  }
  const wanted = given ?? config.get('vedit.remote');
  const chosen = wanted ?? (names.has('origin') ? 'origin' : names.size === 1 ? [...names][0]! : undefined);
  if (chosen !== undefined && names.has(chosen)) return chosen;
  const list =
    names.size === 0
      ? 'There is none: git remote add origin <address>'
      : `There are ${[...names].join(', ')}`;
  const message =
    wanted === undefined
      ? `Which remote do the histories go to? ${list}${names.size > 0 ? '; git config vedit.remote <name> chooses one' : ''}.`
      : `There is no remote ${JSON.stringify(wanted.slice(0, 80))} in git's config. ${list}.`;
  throw new EditError('INVALID_INPUT', message, { field: 'remote', fields: ['remote'], remotes: [...names] });
}

async function checkSize({ fs }: Context, objectsDir: string, limit: number): Promise<EditError | null> {
  let size = 0;
  const folder = `${objectsDir}/pack`;
  for (const name of await fs.readdir(folder)) size += Number((await lstatOf(fs, `${folder}/${name}`)).size);
  if (size <= limit) return null;
  const message = `The remote sends more than ${limit} bytes of history that is not here, and nothing was taken. If that is right, git fetch its branches first, or raise the limit (${fieldName('maxBytes')}).`;
  return new EditError('TOO_LARGE', message, { limit, size });
}
