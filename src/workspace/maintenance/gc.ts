/**
 * Keeping a repository small: loose objects are packed, old trails deleted where that is asked for. Nothing that a ref
 * leads to is ever removed, and nothing that no ref leads to either: that is git's own gc, after its own time.
 */

import * as z from 'zod';
import { EditError } from '../../errors.ts';
import { randomToken } from '../../fs/lock/processes.ts';
import { type RepositorySize, repositorySize, sizeWords } from '../../git/objects/count-objects.ts';
import { joinPacks } from '../../git/packs/join/join-packs.ts';
import { packLooseObjects } from '../../git/packs/pack-loose.ts';
import { readHead } from '../../git/refs/refs.ts';
import { preflight } from '../../git/repository/preflight.ts';
import { quietGit, type RunGit } from '../../git/run-git.ts';
import { counted } from '../../text/words.ts';
import { forgetAsked, forgetOld } from '../agents/prompts.ts';
import type { Answer } from '../answer.ts';
import { type CheckOptions, functionOf, optionsCheck } from '../calls/call-options.ts';
import { type Context, packStoreOf } from '../context.ts';
import { canUseGit, placeOf } from '../land/git/use-git.ts';
import { forgetRejections } from '../review/rejections/forget.ts';
import { dropUnmade } from '../transaction/large-change.ts';
import { asWriter } from '../transaction/writer.ts';
import { deleteTrail, type KeptTrail, type PrunedTrail, planPrune } from './prune-trails.ts';

export type { RepositorySize };

export interface GcOptions {
  /** Delete trails whose newest commit is older than this, and whose edits have landed. Default: none. */
  pruneBefore?: Date | undefined;
  /** Delete such trails also where edits have not landed. */
  unlanded?: boolean | undefined;
  /** Forget what agents were asked, and ran, too: all of it. Default: what is older than 30 days, or beyond 20 MB. */
  prompts?: boolean | undefined;
  /** Answer what would be done; change nothing. */
  dryRun?: boolean | undefined;
  /** The real git, which packs smaller and faster; without it the engine packs. */
  git?: RunGit | undefined;
}

export const checkGc: CheckOptions<GcOptions> = optionsCheck(
  {
    pruneBefore: z.date().optional(),
    unlanded: z.boolean().optional(),
    prompts: z.boolean().optional(),
    dryRun: z.boolean().optional(),
    git: functionOf<RunGit>().optional(),
  },
  { dryRun: true },
);

export interface GcData {
  before: RepositorySize;
  /** For a dry run as `before`. */
  after: RepositorySize;
  /** Who packed, or would; `null` when there is too little to pack. */
  packed_by: 'git' | 'engine' | null;
  pruned: PrunedTrail[];
  /** Trails that are old enough, and were kept. */
  kept: KeptTrail[];
  /** How many packs of the engine became one. */
  joined: number;
  /** Turns of which it was forgotten what was asked; see `vedit.prompts`. Of a dry run none. */
  forgotten: number;
  /** Loose objects that are damaged and were left alone: `verify` says whose they are. */
  damaged: string[];
  dry_run?: true;
}

/** Fewer loose objects than these are no burden, and a pack of their own would be one more. */
const ENOUGH = 100;
/** So many bytes of loose objects are packed however few they are. */
const ENOUGH_BYTES = 8_000_000;

function isMuch({ loose_objects, loose_bytes }: RepositorySize): boolean {
  return loose_objects >= ENOUGH || loose_bytes >= ENOUGH_BYTES;
}

/** Throws LOCKED, STORE_FAILED, CORRUPT. */
export async function gc(context: Context, options: GcOptions = {}): Promise<Answer<GcData>> {
  await preflight(context.repo);
  const objectsDir = `${context.repo.commonDir}/objects`;
  const before = await repositorySize(context.fs, objectsDir);
  const plan = await plans(context, options);
  if (options.dryRun) {
    const by = !isMuch(before) ? null : (await seesPacks(context, options.git)) ? 'git' : 'engine';
    return answer({
      before,
      after: before,
      packed_by: by,
      pruned: plan.prune,
      kept: plan.keep,
      joined: 0,
      forgotten: 0,
      damaged: [],
      dry_run: true,
    });
  }
  const pruned = await prune(context, plan.prune);
  const packed = isMuch(before) ? await pack(context, options.git) : NOTHING;
  const joined = await join(context);
  const forgotten = await (options.prompts ? forgetAsked : forgetOld)(context);
  const after = await repositorySize(context.fs, objectsDir);
  return answer({ before, after, pruned, kept: plan.keep, joined, forgotten, ...packed });
}

const NOTHING: Pick<GcData, 'packed_by' | 'damaged'> = { packed_by: null, damaged: [] };

async function plans(context: Context, options: GcOptions): ReturnType<typeof planPrune> {
  const { pruneBefore: before, unlanded = false } = options;
  return before ? planPrune(context, { before, unlanded }) : { prune: [], keep: [] };
}

/** Deletes the trails, and what changes and ended sessions left. Answers the trails that were deleted: one that grew meanwhile stays. */
async function prune(context: Context, trails: readonly PrunedTrail[]): Promise<PrunedTrail[]> {
  return asWriter(context, async turn => {
    await dropUnmade(context);
    await forgetRejections(context);
    if (trails.length === 0) return [];
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
  const { damaged } = await packLooseObjects(packStoreOf(context, randomToken()));
  return { packed_by: 'engine', damaged };
}

/** Joins what packs the engine has made; answers how many there were. */
async function join(context: Context): Promise<number> {
  const store = packStoreOf(context, randomToken());
  const joined = new Set<string>();
  const made = new Set<string>();
  for (;;) {
    const { packs, into } = await joinPacks({ ...store, processes: context.processes, all: true });
    if (into === null) return joined.size;
    for (const name of packs) if (!made.has(name)) joined.add(name);
    made.add(into);
  }
}

async function seesPacks(context: Context, git: RunGit | undefined): Promise<boolean> {
  if (!git) return false;
  const { oid } = await readHead(context.repo);
  return canUseGit(context, git, { ref: 'HEAD', commit: oid });
}

/** Without -a no pack is touched; -d removes what is loose and packed, and nothing else. */
async function repack(context: Context, git: RunGit): Promise<void> {
  const result = await quietGit(git)({ args: ['repack', '-d', '-l', '-q'], cwd: placeOf(context) });
  if (result?.code === 0) return;
  const output = result?.stderr.trim() ?? '';
  throw new EditError(
    'STORE_FAILED',
    `git repack failed; nothing was removed. It said: ${output.slice(0, 2_000) || 'nothing'}`,
    { cause: 'git repack', output },
  );
}

function answer(data: GcData): Answer<GcData> {
  const { before, after, packed_by, pruned, kept, joined, forgotten, damaged, dry_run } = data;
  const would = dry_run ? 'would be ' : '';
  const lines = [
    `before: ${sizeWords(before)}`,
    ...pruned.map(({ ref, head, last }) => `${would}deleted: ${ref} (newest commit ${head}, ${last})`),
    ...kept.map(({ ref, why }) => `kept: ${ref}, ${why}`),
    packed_by === null
      ? `nothing packed: fewer than ${ENOUGH} loose objects, and less than 8 MB`
      : `${would}packed by ${packed_by === 'git' ? 'git' : 'the engine'}`,
    ...(joined > 0 ? [`joined: ${joined} packs of vedit`] : []),
    ...(forgotten > 0 ? [`forgotten: what was asked in ${counted(forgotten, 'turn')}`] : []),
    ...damaged.map(oid => `damaged and left alone: ${oid}`),
  ];
  if (!dry_run) lines.push(`now: ${sizeWords(after)}`);
  if (pruned.length > 0 && !dry_run)
    lines.push(
      'git update-ref <ref> <newest commit> brings a deleted trail back, until git gc forgets its commits',
    );
  return { message: lines.join('\n'), data };
}
