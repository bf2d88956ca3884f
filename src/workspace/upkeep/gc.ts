/**
 * Keeping a repository small: loose objects are packed, old trails deleted where that is asked for. Nothing that a ref
 * leads to is ever removed, and nothing that no ref leads to either: that is git's own gc, after its own time.
 */

import { EditError } from '../../errors.ts';
import { packUp } from '../../git/objects/pack-up.ts';
import { type RepositorySize, repositorySize, sizeWords } from '../../git/objects/size.ts';
import { preflight } from '../../git/preflight.ts';
import { readHead } from '../../git/refs/refs.ts';
import type { RunGit } from '../../git/run-git.ts';
import type { Answer } from '../answer.ts';
import type { Context } from '../context.ts';
import { canUseGit, placeOf } from '../land/use-git.ts';
import { asWriter } from '../transaction/writer.ts';
import { deleteTrail, type KeptTrail, type PrunedTrail, planPrune } from './prune-trails.ts';

export interface GcOptions {
  /** Delete trails whose newest commit is older than this, and whose edits have landed. Default: none. */
  prune_before?: Date | undefined;
  /** Delete such trails also where edits have not landed. */
  unlanded?: boolean | undefined;
  /** Answer what would be done; change nothing. */
  dry_run?: boolean | undefined;
  /** The real git, which packs smaller and faster; without it the engine packs. */
  git?: RunGit | undefined;
}

export interface GcData {
  before: RepositorySize;
  /** The same as `before` for a dry run. */
  after: RepositorySize;
  /** Who packed, or would; `null` when there is too little to pack. */
  packed_by: 'git' | 'engine' | null;
  pruned: PrunedTrail[];
  /** Trails that are old enough, and were kept. */
  kept: KeptTrail[];
  /** Loose objects that are damaged and were left alone: `verify` says whose they are. */
  damaged: string[];
  dry_run?: true;
}

/** Fewer loose objects than these are no burden, and a pack of their own would be one more. */
const ENOUGH = 100;

/** Throws LOCKED, STORE_FAILED, CORRUPT. */
export async function gc(context: Context, options: GcOptions = {}): Promise<Answer<GcData>> {
  await preflight(context.repo);
  const objectsDir = `${context.repo.commonDir}/objects`;
  const before = await repositorySize(context.fs, objectsDir);
  const plan = await plans(context, options);
  if (options.dry_run) {
    const by =
      before.loose_objects < ENOUGH ? null : (await seesPacks(context, options.git)) ? 'git' : 'engine';
    return answer({
      before,
      after: before,
      packed_by: by,
      pruned: plan.prune,
      kept: plan.keep,
      damaged: [],
      dry_run: true,
    });
  }
  const pruned = await prune(context, plan.prune);
  const packed = before.loose_objects < ENOUGH ? NOTHING : await pack(context, options.git);
  const after = await repositorySize(context.fs, objectsDir);
  return answer({ before, after, pruned, kept: plan.keep, ...packed });
}

const NOTHING: Pick<GcData, 'packed_by' | 'damaged'> = { packed_by: null, damaged: [] };

async function plans(context: Context, options: GcOptions): ReturnType<typeof planPrune> {
  const { prune_before: before, unlanded = false } = options;
  return before ? planPrune(context, { before, unlanded }) : { prune: [], keep: [] };
}

/** Answers those that were deleted: one that grew meanwhile stays. */
async function prune(context: Context, trails: readonly PrunedTrail[]): Promise<PrunedTrail[]> {
  if (trails.length === 0) return [];
  return asWriter(context, async turn => {
    const deleted: PrunedTrail[] = [];
    // No record may bring back what is deleted now.
    await turn.writer.settleAll(context);
    for (const trail of trails) if (await deleteTrail(context, trail, turn)) deleted.push(trail);
    return deleted;
  });
}

/** Packs what is loose, beside other writers: no object is out of reach at any moment. */
async function pack(
  context: Context,
  git: RunGit | undefined,
): Promise<Pick<GcData, 'packed_by' | 'damaged'>> {
  if (await seesPacks(context, git)) {
    await repack(context, git!);
    return { packed_by: 'git', damaged: [] };
  }
  const { fs, codec, repo } = context;
  const { damaged } = await packUp({ fs, codec, objectsDir: `${repo.commonDir}/objects` });
  return { packed_by: 'engine', damaged };
}

async function seesPacks(context: Context, git: RunGit | undefined): Promise<boolean> {
  if (!git) return false;
  const { oid } = await readHead(context.repo);
  return canUseGit(context, git, { ref: 'HEAD', commit: oid });
}

/** Without -a no pack is touched; -d removes what is loose and packed, and nothing else. */
async function repack(context: Context, git: RunGit): Promise<void> {
  const result = await git({ args: ['repack', '-d', '-l', '-q'], cwd: placeOf(context) });
  if (result?.code === 0) return;
  const output = result?.stderr.trim() ?? '';
  throw new EditError(
    'STORE_FAILED',
    `git repack failed; nothing was removed. It said: ${output.slice(0, 2_000) || 'nothing'}`,
    { cause: 'git repack', output },
  );
}

function answer(data: GcData): Answer<GcData> {
  const { before, after, packed_by, pruned, kept, damaged, dry_run } = data;
  const would = dry_run ? 'would be ' : '';
  const lines = [
    `before: ${sizeWords(before)}`,
    ...pruned.map(({ ref, head, last }) => `${would}deleted: ${ref} (newest commit ${head}, ${last})`),
    ...kept.map(({ ref, why }) => `kept: ${ref}, ${why}`),
    packed_by === null
      ? `nothing packed: fewer than ${ENOUGH} loose objects`
      : `${would}packed by ${packed_by === 'git' ? 'git' : 'the engine'}`,
    ...damaged.map(oid => `damaged and left alone: ${oid}`),
  ];
  if (!dry_run) lines.push(`now: ${sizeWords(after)}`);
  if (pruned.length > 0 && !dry_run)
    lines.push(
      'git update-ref <ref> <newest commit> brings a deleted trail back, until git gc forgets its commits',
    );
  return { message: lines.join('\n'), data };
}
