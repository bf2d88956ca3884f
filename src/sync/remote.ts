/** The one remote that trails go to, and the transport that leads there. */

import type { Context } from '../engine/context.ts';
import { canUseGit, placeOf } from '../engine/use-git.ts';
import { EditError } from '../errors.ts';
import { lstatOf } from '../fs/fs.ts';
import { isOid } from '../git/objects/object.ts';
import { readHead } from '../git/refs/refs.ts';
import { preflight } from '../git/repository/preflight.ts';
import { quietGit, type RunGit } from '../git/run-git.ts';
import { SystemGitTransport } from '../remote/system-git.ts';
import type { Transport } from '../remote/transport.ts';
import { fieldName } from '../wording.ts';
import { IsomorphicGit } from './isomorphic-git.ts';
import type { RemoteOptions } from './remote-options.ts';

export interface OpenRemote {
  /** `null` where isomorphic-git speaks to the server. */
  git: RunGit | null;
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
  const { git } = options;
  return git instanceof IsomorphicGit
    ? openIsomorphic(context, git, options)
    : openSystem(context, git, options);
}

async function openIsomorphic(
  context: Context,
  { options }: IsomorphicGit,
  { remote, timeout, signal, maxBytes }: OpenOptions,
): Promise<OpenRemote> {
  const { fs, repo, objects } = context;
  const name = options.url === undefined ? electedRemote(context, remote) : (remote ?? 'origin');
  const { IsomorphicTransport } = await import('../remote/isomorphic/isomorphic-git.ts');
  const place = { fs, repo, objects, remote: name, timeout, signal, maxBytes };
  return { git: null, name, transport: new IsomorphicTransport(place, options) };
}

async function openSystem(
  context: Context,
  git: RunGit | undefined,
  options: OpenOptions,
): Promise<OpenRemote> {
  const { timeout, mayAsk, signal, maxBytes } = options;
  if (git === undefined || !(await sees(context, git))) throw needsGit(git !== undefined);
  const name = electedRemote(context, options.remote);
  const cwd = placeOf(context);
  const isTooMuch = maxBytes === undefined ? undefined : (dir: string) => checkSize(context, dir, maxBytes);
  const transport = new SystemGitTransport({ git, cwd, remote: name, timeout, mayAsk, signal, isTooMuch });
  return { git, name, transport };
}

/** By git, the repositories that it was seen to be right for: who syncs every second asks once. */
const seen = new WeakMap<RunGit, WeakSet<Context['repo']>>();

async function sees(context: Context, git: RunGit): Promise<boolean> {
  const known = seen.get(git) ?? new WeakSet();
  seen.set(git, known);
  if (known.has(context.repo)) return true;
  const { oid: commit } = await readHead(context.repo);
  let isUsable = await canUseGit(context, git, { ref: 'HEAD', commit });
  // Where the branch is the trail, edits move it while git is asked: then it sees a newer commit of here.
  if (!isUsable && (await readHead(context.repo)).oid !== commit) isUsable = await seesCommit(context, git);
  if (isUsable) known.add(context.repo);
  return isUsable;
}

async function seesCommit(context: Context, git: RunGit): Promise<boolean> {
  const args = ['rev-parse', '--verify', '-q', 'HEAD'];
  const oid = (await quietGit(git)({ args, cwd: placeOf(context) }))?.stdout.trim() ?? '';
  return isOid(oid) && context.objects.has(oid);
}

function needsGit(isGiven: boolean): EditError {
  const message = isGiven
    ? 'There is no git here that sees this repository. Install git, or give git: isomorphicGit({...}), which speaks http alone, also for a repository in memory.'
    : 'Trails travel by git: give git: await systemGit(process.env), or git: isomorphicGit({...}) where none is installed.';
  return new EditError('INVALID_INPUT', message, { field: 'git', fields: ['git'] });
}

/** Chooses the remote. Throws INVALID_INPUT, naming the remotes that there are. */
export function electedRemote({ repo: { config } }: Context, given: string | undefined): string {
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
