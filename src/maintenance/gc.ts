/**
 * Keeping a repository small: git's own gc packs, old trails are deleted where that is asked for. Nothing that a ref leads to is
 * ever removed.
 */

import { forgetAsked, forgetOld } from '../agents/prompts.ts';
import type { Answer } from '../engine/answer.ts';
import { type CheckOptions, optionsCheck } from '../engine/calls/call-options.ts';
import * as option from '../engine/calls/option.ts';
import type { Context } from '../engine/context.ts';
import { notifiedFolder, type Stored } from '../engine/rejections/notices.ts';
import { rejectionsFolder } from '../engine/rejections/rejection-book.ts';
import { asWriter } from '../engine/transaction/writer.ts';
import { canUseGit, placeOf } from '../engine/use-git.ts';
import { EditError } from '../errors.ts';
import { removeIfThere } from '../fs/durable.ts';
import { orNull } from '../fs/fs.ts';
import { type FoundFile, filesIn, millisecondsOf } from '../fs/own-files.ts';
import { type RepositorySize, repositorySize, sizeWords } from '../git/objects/count-objects.ts';
import { readHead, readRef } from '../git/refs/refs.ts';
import { preflight } from '../git/repository/preflight.ts';
import { quietGit, type RunGit } from '../git/run-git.ts';
import { signedRef } from '../signing/statement.ts';
import { counted } from '../text/words.ts';
import { deleteTrail, type KeptTrail, type PrunedTrail, planPrune } from './prune-trails.ts';

export type { RepositorySize };

export interface GcOptions {
  /** Delete trails of work trees that are gone, whose newest commit is older than this, and whose edits have landed. Default: none. */
  pruneBefore?: Date | undefined;
  /** Delete such trails also where edits have not landed. */
  unlanded?: boolean | undefined;
  /** Forget what agents were asked, and ran, too: all of it. Default: what is older than 30 days, or beyond 20 MB. */
  prompts?: boolean | undefined;
  /** Answer what would be done; change nothing. */
  dryRun?: boolean | undefined;
  /** The real git, which packs; without it packs and loose objects stay. */
  git?: RunGit | undefined;
}

export const checkGc: CheckOptions<GcOptions> = optionsCheck(
  {
    pruneBefore: option.date,
    unlanded: option.flag,
    prompts: option.flag,
    dryRun: option.flag,
    git: option.callback<RunGit>,
  },
  { dryRun: true },
);

export interface GcData {
  before: RepositorySize;
  /** For a dry run as `before`. */
  after: RepositorySize;
  /** The program that packed, or would; `null` when there is too little to pack, or no git. */
  packed_by: 'git' | null;
  pruned: PrunedTrail[];
  /** Trails that are old enough, and were kept. */
  kept: KeptTrail[];
  /** Turns of which it was forgotten what was asked; see `vedit.prompts`. Of a dry run none. */
  forgotten: number;
  dry_run?: true;
}

/** Fewer loose objects than these are no burden, and a pack of their own would be one more. */
const ENOUGH = 100;
/** The bytes of loose objects that are packed however few objects they are. */
const ENOUGH_BYTES = 8_000_000;

function isMuch({ loose_objects, loose_bytes, packs }: RepositorySize): boolean {
  return loose_objects >= ENOUGH || loose_bytes >= ENOUGH_BYTES || packs > 1;
}

/** Packs, and deletes old trails where that is asked for. Throws LOCKED, STORE_FAILED, CORRUPT. */
export async function gc(context: Context, options: GcOptions = {}): Promise<Answer<GcData>> {
  await preflight(context.repo);
  const objectsDir = `${context.repo.commonDir}/objects`;
  const before = await repositorySize(context.fs, objectsDir);
  const plan = await plans(context, options);
  const git = isMuch(before) && (await seesPacks(context, options.git)) ? options.git! : null;
  const packed_by = git && 'git';
  const { prune: pruned, keep: kept } = plan;
  if (options.dryRun)
    return answer({ before, after: before, packed_by, pruned, kept, forgotten: 0, dry_run: true });
  const gone = await prune(context, pruned);
  if (git) await collect(context, git);
  const forgotten = await (options.prompts ? forgetAsked : forgetOld)(context);
  const after = await repositorySize(context.fs, objectsDir);
  return answer({ before, after, packed_by, pruned: gone, kept, forgotten });
}

async function plans(context: Context, options: GcOptions): ReturnType<typeof planPrune> {
  const { pruneBefore: before, unlanded = false } = options;
  return before ? planPrune(context, { before, unlanded }) : { prune: [], keep: [] };
}

/** Deletes the trails, and what ended sessions left. Answers the trails that were deleted: one that grew meanwhile stays. */
async function prune(context: Context, trails: readonly PrunedTrail[]): Promise<PrunedTrail[]> {
  return asWriter(context, async turn => {
    await forgetRejections(context);
    const deleted: PrunedTrail[] = [];
    // No record may bring back what is deleted now.
    await turn.writer.checkpoints.flushAll(context);
    for (const trail of trails) {
      if (!(await deleteTrail(context, trail, turn))) continue;
      deleted.push(trail);
      const ref = signedRef(trail.ref);
      const head = await readRef(context.repo, ref);
      if (head !== null) await deleteTrail(context, { ref, head }, turn);
    }
    return deleted;
  });
}

async function seesPacks(context: Context, git: RunGit | undefined): Promise<boolean> {
  if (!git) return false;
  const { oid } = await readHead(context.repo);
  return canUseGit(context, git, { ref: 'HEAD', commit: oid });
}

/** Beside other writers: what they make is younger than what git removes. */
async function collect(context: Context, git: RunGit): Promise<void> {
  const result = await quietGit(git)({ args: ['gc', '--quiet'], cwd: placeOf(context) });
  if (result?.code === 0) return;
  const output = result?.stderr.trim() ?? '';
  throw new EditError(
    'STORE_FAILED',
    `git gc failed; every object is still there. It said: ${output.slice(0, 2_000) || 'nothing'}`,
    { cause: 'git gc', output },
  );
}

function answer(data: GcData): Answer<GcData> {
  const { before, after, pruned, kept, forgotten, dry_run } = data;
  const would = dry_run ? 'would be ' : '';
  const lines = [
    `before: ${sizeWords(before)}`,
    ...pruned.map(({ ref, head, last }) => `${would}deleted: ${ref} (newest commit ${head}, ${last})`),
    ...kept.map(({ ref, why }) => `kept: ${ref}, ${why}`),
    packedWords(data, would),
    ...(forgotten > 0 ? [`forgotten: what was asked in ${counted(forgotten, 'turn')}`] : []),
  ];
  if (!dry_run) lines.push(`now: ${sizeWords(after)}`);
  if (pruned.length > 0 && !dry_run)
    lines.push(
      'git update-ref <ref> <newest commit> brings a deleted history back, until git gc forgets its commits',
    );
  return { message: lines.join('\n'), data };
}

function packedWords({ before, packed_by }: GcData, would: string): string {
  if (packed_by !== null) return `${would}packed by git`;
  if (!isMuch(before))
    return `nothing packed: fewer than ${ENOUGH} loose objects, less than 8 MB, and one pack`;
  return "nothing packed: that is git's work, and none was given that sees this repository";
}

/** A session that nobody wrote for so long has ended; one that goes on all the same is told once more. */
const ENDED_MS = 30 * 24 * 3600 * 1000;

/**
 * Removes rejections whose commits are gone, and what sessions were told that have ended, or were told of nothing that there
 * still is. To be called with the engine's lock held, while no rejection is being made.
 */
async function forgetRejections(context: Context): Promise<void> {
  const { fs, folder, objects } = context;
  const rejections = new Set(await orNull(fs.readdir(rejectionsFolder(folder))));
  for (const commit of rejections) {
    if (await objects.has(commit).catch(() => true)) continue;
    await removeIfThere(fs, `${rejectionsFolder(folder)}/${commit}`);
    rejections.delete(commit);
  }
  for (const file of await filesIn(fs, notifiedFolder(folder)))
    if (await isOver(context, file, rejections)) await removeIfThere(fs, file.path);
}

async function isOver(
  { fs, now }: Context,
  { path, stat }: FoundFile,
  rejections: ReadonlySet<string>,
): Promise<boolean> {
  if (now().getTime() - millisecondsOf(stat.mtimeNs) > ENDED_MS) return true;
  try {
    const { told, arrived } = JSON.parse(new TextDecoder().decode(await fs.readFile(path))) as Stored;
    return ![...told.map(([commit]) => commit), ...arrived].some(commit => rejections.has(commit));
  } catch {
    // One that cannot be read tells nobody anything.
    return true;
  }
}
