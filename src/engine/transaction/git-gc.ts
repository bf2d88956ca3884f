/**
 * Each checkpoint adds a pack, and git joins them: `git gc --auto`, as git's own commands start it. The engine itself never
 * repacks nor prunes, for beside a git gc nothing but git's own lock makes that safe.
 */

import { readJson, writeJson } from '../../fs/durable.ts';
import { orNull } from '../../fs/fs.ts';
import { layered } from '../../git/repository/config.ts';
import { NO_PROGRAMS } from '../../git/run-git.ts';
import type { Context } from '../context.ts';

/** The facts of the last start, in `vedit/gc`. */
interface Mark {
  /** The number of packs that there were; fewer since, where a gc joined them. */
  packs: number;
  /** Why packs add up; `null` where they do not. */
  failure: string | null;
}

/** The number of packs more than at the last start that is enough for git to look. */
const ENOUGH = 20;
/** Milliseconds between two starts by one process. */
const PAUSE = 60_000;

let next = 0;

/** Starts git's gc where it is due, and does not wait for it. */
export async function collectIfDue(context: Context): Promise<void> {
  const { fs, repo, userConfig, startGit } = context;
  if (!startGit || performance.now() < next) return;
  const config = layered(repo.config, userConfig);
  // `maintenance.auto` is for those who start git's maintenance, and git looks at `gc.auto` itself.
  if (!config.bool('maintenance.auto', true) || config.get('gc.auto')?.trim() === '0') return;
  const names = (await orNull(fs.readdir(`${repo.commonDir}/objects/pack`))) ?? [];
  const packs = names.filter(name => name.endsWith('.pack')).length;
  const mark = await readMark(context);
  const isJoined = packs < mark.packs;
  if (packs < ENOUGH || packs < (isJoined ? 0 : mark.packs) + ENOUGH) {
    if (isJoined) await writeMark(context, { packs, failure: null });
    return;
  }
  next = performance.now() + PAUSE;
  await writeMark(context, { ...mark, packs });
  void startGit([...NO_PROGRAMS, 'gc', '--auto', '--quiet'], repo.commonDir)
    .then(code => writeMark(context, { packs, failure: failureOf(code) }))
    .catch(() => {});
}

function failureOf(code: number | null): string | null {
  if (code === 0) return null;
  return code === null
    ? 'no git was found that would join them'
    : `git gc --auto, which would join them, ended with ${code}: run git gc and see what it says`;
}

const pathOf = ({ folder }: Context): string => `${folder}/gc`;

/** As if no gc was ever started, where it is missing or damaged. */
async function readMark(context: Context): Promise<Mark> {
  const { packs, failure } = Object(await readJson(context.fs, pathOf(context)));
  if (!Number.isSafeInteger(packs) || packs < 0) return { packs: 0, failure: null };
  return { packs, failure: typeof failure === 'string' ? failure.slice(0, 200) : null };
}

function writeMark(context: Context, mark: Mark): Promise<void> {
  return writeJson(context.fs, pathOf(context), mark);
}

/** Why packs add up here; `null` where they do not. A gc in the background leaves its last words in `gc.log`. */
export async function gcFailure(context: Context): Promise<string | null> {
  const log = await orNull(context.fs.readFile(`${context.repo.commonDir}/gc.log`));
  const words = log && new TextDecoder().decode(log).trim().slice(0, 200);
  return (await readMark(context)).failure ?? (words ? `git gc said: ${words}` : null);
}
