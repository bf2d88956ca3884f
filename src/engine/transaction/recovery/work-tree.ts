/** The work tree that a record is about, as the workspace of this process sees it: its own, or another of the repository. */

import { createFile, exists, removeIfThere } from '../../../fs/durable.ts';
import { systemWords } from '../../../fs/failures.ts';
import { errno, type Fs, isPassing, orNull } from '../../../fs/fs.ts';
import { IndexReader } from '../../../git/index/reader.ts';
import { parentOf, resolvePath } from '../../../git/paths.ts';
import type { Repository } from '../../../git/repository/repository.ts';
import { worktreeMade as madeOf } from '../../../git/repository/worktrees.ts';
import type { Context } from '../../context.ts';
import type { Frame } from '../journal/frames.ts';
import type { ChangeRecord } from '../journal/record.ts';

/** A context in the work tree that a record is about. */
export interface WorkTreeContext extends Context {
  /** Why its files cannot be looked at from here, where they cannot. */
  unseen?: string | undefined;
}

/** Groups the frames of a journal by the workspace folder and the work tree that they are about, each group in their order. */
export function byPlace<F extends Frame<ChangeRecord>>(frames: readonly F[]): F[][] {
  const groups = new Map<string, F[]>();
  for (const frame of frames) {
    const key = JSON.stringify([frame.data.worktree, frame.data.prefix]);
    groups.set(key, [...(groups.get(key) ?? []), frame]);
  }
  return [...groups.values()];
}

/**
 * `null` for a work tree that is gone: its files are nobody's, its refs and objects are the repository's. Gone is what git's own
 * entry says; a folder that is not there or may not be looked at may be so only for this process, or for now.
 */
export async function contextOfWorkTree(
  context: Context,
  { worktree, worktreeMade, prefix }: ChangeRecord,
): Promise<WorkTreeContext | null> {
  const { fs, repo } = context;
  const isOwn = worktree === repo.worktree;
  const gitDir = worktree === null ? repo.commonDir : `${repo.commonDir}/worktrees/${worktree}`;
  const made = worktree === null ? null : await madeOf(fs, gitDir);
  if (worktree !== null && (made === null || (worktreeMade ?? made) !== made)) return null;
  const { found, unseen } = isOwn
    ? { found: repo, unseen: undefined }
    : await workTree(repo, worktree, gitDir);
  const why = unseen ?? (await whyUnseen(fs, found.workDir));
  const root = found.workDir && prefix ? `${found.workDir}/${prefix.slice(0, -1)}` : found.workDir;
  // Somebody deleted the workspace's folder in the work tree.
  if (why === undefined && root && !(await fs.lstat(root))) return null;
  const store = why === undefined ? context.storeAt(root, gitDir) : context.store;
  if (isOwn && prefix === context.prefix) return { ...context, store, unseen: why };
  const index = new IndexReader(fs, `${gitDir}/index`, bytes => context.codec.sha1(bytes));
  return { ...context, repo: found, prefix, index, store, unseen: why };
}

/** Tells why a folder cannot be looked at. Also a work tree that this process has open may be removed. */
async function whyUnseen(fs: Fs, folder: string | null): Promise<string | undefined> {
  if (folder === null) return undefined;
  const look = fs.lstat(`${folder}/.`).then(stat => (stat ? undefined : NOT_THERE));
  return look.catch(error =>
    isPassing(error) ? Promise.reject(error) : systemWords(errno(error) ?? 'unknown'),
  );
}

const NOT_THERE = 'its folder is not there, or not seen from here';

/** The linked work tree with this id, or the main one, and why its folder cannot be looked at. */
async function workTree(
  repo: Repository,
  id: string | null,
  gitDir: string,
): Promise<{ found: Repository; unseen: string | undefined }> {
  const { fs } = repo;
  if (id === null) return { found: mainWorkTree(repo), unseen: undefined };
  const found = { ...repo, gitDir, workDir: null, worktree: id, bare: false };
  try {
    const bytes = await orNull(fs.readFile(`${gitDir}/gitdir`));
    const dotGit = bytes && resolvePath(gitDir, new TextDecoder().decode(bytes).trimEnd());
    const back = dotGit && (await orNull(fs.readFile(dotGit)));
    // Another repository may have its work tree at that path, as seen from here.
    const isOwn = back && new TextDecoder().decode(back).trimEnd().endsWith(`/worktrees/${id}`);
    return {
      found: { ...found, workDir: dotGit ? parentOf(dotGit) : null },
      unseen: isOwn ? undefined : NOT_THERE,
    };
  } catch (error) {
    if (isPassing(error)) throw error;
    return { found, unseen: systemWords(errno(error) ?? 'unknown') };
  }
}

/** Seen from a linked work tree: the folder around `.git`, or the one that the config names. */
function mainWorkTree(repo: Repository): Repository {
  const { commonDir, config } = repo;
  const bare = config.bool('core.bare', false);
  const workDir = bare ? null : resolvePath(commonDir, config.get('core.worktree') ?? '..');
  return { ...repo, gitDir: commonDir, workDir, worktree: null, bare };
}

/** The ending of the file in tmp/ that is there while the index has not followed. */
const FOLLOW = '-follow';

/*
 * The person's index follows a branch on which something landed. An empty file in tmp/ says that this is still to be done:
 * without it, a repair after the landing would undo what the person did to the index since.
 */

/** Says that the index has yet to follow. `temp` begins the names of the change. Answers the ending of the file that it made. */
export async function markToFollow({ fs }: Pick<WorkTreeContext, 'fs'>, temp: string): Promise<string> {
  await createFile(fs, temp + FOLLOW, new Uint8Array(), { sync: false });
  return FOLLOW;
}

/** True when the index has yet to follow the branch after a kill. */
export function isToFollow({ fs, folder }: WorkTreeContext, { name }: ChangeRecord): Promise<boolean> {
  return exists(fs, `${folder}/tmp/${name}${FOLLOW}`);
}

/** Brings the index in step with what the branch holds now, whoever made the commit; index.lock must be held. */
export async function follow(
  place: WorkTreeContext,
  { ref, landing, name }: Pick<ChangeRecord, 'ref' | 'landing' | 'name'>,
  temp: string,
): Promise<void> {
  if (!landing) return;
  const { followBranch } = await import('../../../land/index.ts');
  await followBranch(place, { ref, ...landing }, temp);
  await removeIfThere(place.fs, `${place.folder}/tmp/${name}${FOLLOW}`);
}
