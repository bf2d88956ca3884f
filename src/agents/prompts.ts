/**
 * Keeps the prompts of agents, and the commands that they ran, by turn: in files of the engine's folder that no commit and no
 * push takes along, for both may hold secrets. Nothing is kept unless `vedit.prompts` of git's config says so.
 */

import { utf8 } from '../bytes.ts';
import { shortened } from '../edits/input-problems.ts';
import type { Context } from '../engine/context.ts';
import { PROMPT_KINDS, type PromptsKept, plainField } from '../engine/origins/agent-events.ts';
import { placeOf } from '../engine/use-git.ts';
import { EditError } from '../errors.ts';
import { removeIfThere } from '../fs/durable.ts';
import { orNull } from '../fs/fs.ts';
import { ensureOwnFolder, filesIn, millisecondsOf } from '../fs/own-files.ts';
import { layered } from '../git/repository/config.ts';
import { objectIn } from '../json.ts';

/** One thing that is known of a turn: what was asked, or what one of its calls ran. */
export interface Asked {
  turn: string;
  prompt?: string | undefined;
  /** The id of the call, and its command. */
  call?: string | undefined;
  command?: string | undefined;
}

/** Files are kept for so many days, and together so many bytes; of one text, so many characters. */
const DAYS = 30;
const MOST_BYTES = 20_000_000;
const LONGEST = 64_000;

/** Reads `vedit.prompts`; any other value than these is `off`. */
function promptsKept({ repo, userConfig }: Context): PromptsKept {
  const set = layered(repo.config, userConfig).get('vedit.prompts');
  return PROMPT_KINDS.find(kind => kind === set) ?? 'off';
}

/** Checks a value of `vedit.prompts`. Throws INVALID_INPUT for any other word. */
export function checkPrompts(call: string, given: unknown): PromptsKept {
  const kept = PROMPT_KINDS.find(kind => kind === given);
  if (kept !== undefined) return kept;
  const words = `${call}: give one of ${PROMPT_KINDS.join(', ')}, not ${shortened(given)}. Nothing was done.`;
  throw new EditError('INVALID_INPUT', words, { fields: ['kept'] });
}

/** Sets what this repository keeps of prompts. What was kept stays until it is forgotten. Throws STORE_FAILED. */
export async function keepPrompts(context: Context, kept: PromptsKept): Promise<void> {
  const args = ['config', '--local', 'vedit.prompts', kept];
  const result = await context.runProgram?.('git', { args, cwd: placeOf(context) });
  if (result?.code === 0) return;
  const words = `Git could not write that into its config: run git config vedit.prompts ${kept}. Nothing was changed.`;
  throw new EditError('STORE_FAILED', words, { cause: result?.stderr.trim() ?? null });
}

/** Keeps a prompt or a command, where the config says so: then what is too old or too much goes first. */
export async function noteAsked(context: Context, { turn, call, prompt, command }: Asked): Promise<void> {
  const kept = promptsKept(context);
  if (kept === 'off' || (prompt ?? command) === undefined) return;
  const text = (given: string | undefined): string | undefined =>
    (kept === 'whole' ? given : given?.trim().split('\n')[0])?.slice(0, LONGEST);
  const { fs } = context;
  await ensureOwnFolder(context, folderOf(context));
  if (prompt !== undefined) await forgetOld(context).catch(() => {});
  const line = utf8(`${JSON.stringify({ turn, prompt: text(prompt), call, command: text(command) })}\n`);
  const handle = await fs.open(fileOf(context, turn), 'append', 0o600);
  await handle.write(line).finally(() => handle.close());
}

/** Returns what is kept of a turn, and of one of its calls; the newest word counts. */
export async function readAsked(
  context: Context,
  turn: string,
  call: string | null,
): Promise<{ prompt: string | null; command: string | null }> {
  const bytes = await orNull(context.fs.readFile(fileOf(context, turn)));
  const found: { prompt: string | null; command: string | null } = { prompt: null, command: null };
  for (const line of new TextDecoder().decode(bytes ?? new Uint8Array()).split('\n')) {
    // A line that a crash cut short says nothing.
    const one = objectIn(line);
    if (one?.turn !== turn) continue;
    if (typeof one.prompt === 'string') found.prompt = one.prompt;
    if (typeof one.command === 'string' && one.call === call) found.command = one.command;
  }
  return found;
}

/** Forgets what is too old or too much, the oldest first. Answers how many turns that were. */
export function forgetOld(context: Context): Promise<number> {
  const oldest = context.now().getTime() - DAYS * 24 * 60 * 60 * 1000;
  return forget(context, ({ time, bytes }) => time < oldest || bytes > MOST_BYTES);
}

/** Forgets all that was kept of prompts. Answers how many turns that were. */
export function forgetAsked(context: Context): Promise<number> {
  return forget(context, () => true);
}

/** Removes files that are over, and counts them. `bytes`: those of the file and of all that are younger. */
async function forget(
  context: Context,
  isOver: (kept: { time: number; bytes: number }) => boolean,
): Promise<number> {
  const files = await filesIn(context.fs, folderOf(context));
  let [bytes, gone] = [0, 0];
  for (const { path, stat } of files.sort((a, b) => Number(b.stat.mtimeNs - a.stat.mtimeNs))) {
    bytes += stat.size;
    if (!isOver({ time: millisecondsOf(stat.mtimeNs), bytes })) continue;
    await removeIfThere(context.fs, path);
    gone++;
  }
  return gone;
}

function folderOf({ folder }: Context): string {
  return `${folder}/prompts`;
}

function fileOf(context: Context, turn: string): string {
  return `${folderOf(context)}/${plainField(turn)}`;
}
