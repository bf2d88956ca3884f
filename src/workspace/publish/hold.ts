/**
 * Git's locks of one change: which they are, and taking them before the planning when native git was faster too
 * often. That makes progress certain; it is not the rule, because locks held during a whole edit make a person's git
 * commands fail.
 */

import { EditError } from '../../errors.ts';
import { createFile, syncFolder } from '../../git/durable.ts';
import { lockedByGit, tryGitLocks, type WantedLock } from '../../git/git-locks.ts';
import { draftJournal, publishJournal } from '../../git/journal.ts';
import { ZERO_OID } from '../../git/objects/object.ts';
import { refInTheWay } from '../../git/refs/in-the-way.ts';
import { refFolder, refPath } from '../../git/refs/refs.ts';
import { sleep } from '../../git/sleep.ts';
import { checkUnlinked } from '../../git/unlinked.ts';
import type { TrailHead } from '../../trail/head.ts';
import type { Context } from '../context.ts';

/** 8: the same locks in the same order as `git commit`, so that the two can never wait for each other in a circle. */
export function wantedLocks(context: Context, trail: TrailHead): WantedLock[] {
  const { repo, workFolder: folder } = context;
  const ref: WantedLock = { path: `${refPath(repo, trail.ref)}.lock`, staged: `${folder}/tmp/ref` };
  if (!trail.checkedOut || repo.bare) return [ref];
  const token = tokenPath(context);
  const index: WantedLock = { path: `${repo.gitDir}/index.lock`, staged: token };
  const head: WantedLock = { path: `${repo.gitDir}/HEAD.lock`, staged: token };
  return trail.ref === 'HEAD' ? [index, ref] : [index, head, ref];
}

/** Throws INVALID_INPUT when the trail has not begun and cannot, because another one has a part of its name. */
export async function checkName({ repo }: Context, { ref, oid }: TrailHead): Promise<void> {
  const other = oid === null && ref.startsWith('refs/vedit/') ? await refInTheWay(repo, ref) : null;
  if (other === null) return;
  const [wanted, there] = [ref, other].map(name => name.slice('refs/vedit/'.length));
  throw new EditError(
    'INVALID_INPUT',
    `The trail ${wanted} cannot begin: there is a trail ${there}, and git keeps no two refs of which one is the folder of the other. Nothing was changed. Name another trail, or move that one out of the way: git update-ref refs/vedit/${there!.replaceAll('/', '-')}-old ${other} && git update-ref -d ${other}`,
    { field: 'trail', trail: wanted, in_the_way: there },
  );
}

/** Throws UNSUPPORTED_REPOSITORY when a ref or its log would be written through a link that the repository holds. */
export async function checkPlaces({ fs, repo }: Context, { ref }: Pick<TrailHead, 'ref'>): Promise<void> {
  const { gitDir, commonDir } = repo;
  const folder = refFolder(repo, ref);
  if (ref.includes('/')) await checkUnlinked(fs, folder, `${folder}/${ref}`.replace(/\/[^/]*$/, ''));
  await checkUnlinked(fs, commonDir, `${commonDir}/logs/${ref}`);
  await checkUnlinked(fs, gitDir, `${gitDir}/logs/HEAD`);
}

/** The finished file that a lock of ours is a hard link of. */
export function writeToken(context: Context, token: string): Promise<void> {
  return createFile(context.fs, tokenPath(context), new TextEncoder().encode(token));
}

/** Takes all locks for a change of this trail. The journal comes first, so that a crash leaves none behind. */
export async function holdLocks(context: Context, trail: TrailHead, token: string): Promise<void> {
  const { fs, codec, workFolder: folder, repo } = context;
  const locks = wantedLocks(context, trail).map(lock => ({ ...lock, staged: tokenPath(context) }));
  await writeToken(context, token);
  await draftJournal(fs, codec, folder, {
    format: 1,
    token,
    ref: trail.ref,
    refPath: refPath(repo, trail.ref),
    old: trail.oid,
    new: trail.oid ?? ZERO_OID,
    locks: locks.map(lock => lock.path),
    objects: [],
    store: null,
    index: null,
  });
  await publishJournal(fs, folder);
  await syncFolder(fs, folder);
  const deadline = Date.now() + context.patience.git;
  for (let busy = await tryGitLocks(fs, locks); busy; busy = await tryGitLocks(fs, locks)) {
    if (Date.now() > deadline) throw await lockedByGit(fs, busy, repo.commonDir);
    await sleep(1 + Math.random() * 4);
  }
}

function tokenPath(context: Context): string {
  return `${context.workFolder}/tmp/token`;
}
