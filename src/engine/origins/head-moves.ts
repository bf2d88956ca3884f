/** Tells which commits of HEAD the commands of agents made: by the log of HEAD, and what hooks say of their calls. */

import { parseCommit } from '../../git/objects/commit.ts';
import { readHeadLog } from '../../git/refs/reflog.ts';
import { readHead } from '../../git/refs/refs.ts';
import type { Context } from '../context.ts';
import type { CallWindow } from './activity.ts';
import { plainField } from './agent-events.ts';
import { readActivity } from './event-folder.ts';

/** Not a merge, whose text is of others. */
const COMMITTED = /^commit(?: \((?:amend|initial)\))?:/;
const PICKED = /\(pick\):/;

/** The call of a command, as its events name it. */
export interface OwnCall {
  session: string;
  call: string;
  /** Where HEAD stood when it began; `undefined`: not known, and told by the clock, in whole seconds. */
  head?: string | null | undefined;
}

/**
 * The newest commit of HEAD's history that a command did not make: what that has came with HEAD. Told by the log of HEAD: what git
 * calls a commit was made here, and so was what it picked anew, where the command had written that.
 */
export async function headOfOthers(context: Context, own: OwnCall): Promise<string | null> {
  const { repo, objects } = context;
  const since = await begunAt(context, own);
  const made = new Map<string, string | null>();
  const log = await readHeadLog(repo);
  const begun = own.head === undefined ? -1 : log.findLastIndex(one => one.new === own.head);
  for (const { old, new: commit, seconds, message } of log.slice(begun + 1))
    if (seconds >= since && (COMMITTED.test(message) || (PICKED.test(message) && (await isSince(commit)))))
      made.set(commit, old);
  let { oid: at } = await readHead(repo);
  for (let old = at && made.get(at); at !== null && old !== undefined; old = at && made.get(at)) {
    made.delete(at);
    at = old;
  }
  return at;

  async function isSince(commit: string): Promise<boolean> {
    return parseCommit((await objects.read(commit, 'commit')).content).author.seconds >= since;
  }
}

/** Returns when a command began, in seconds since 1970; one of which no begin was heard made no commits. */
async function begunAt(context: Context, { session, call }: OwnCall): Promise<number> {
  const { calls } = await readActivity(context);
  const own = calls.find(one => one.session === plainField(session) && one.call === plainField(call));
  return own ? Number(own.from / 1_000_000_000n) : Number.POSITIVE_INFINITY;
}

/**
 * The calls of agents that ran when HEAD came to this commit by a `git commit`; none where that is not known. The log has whole
 * seconds: when its newest line was written, its file tells.
 */
export async function callsThatCommitted(context: Context, head: string): Promise<CallWindow[]> {
  const { fs, repo } = context;
  const last = (await readHeadLog(repo)).at(-1);
  const at = (await fs.lstat(`${repo.gitDir}/logs/HEAD`))?.ctimeNs;
  if (last?.new !== head || at === undefined || !COMMITTED.test(last.message)) return [];
  const { calls } = await readActivity(context);
  return calls.filter(({ from, until }) => from <= at && (until === null || at <= until));
}
