/**
 * Keeps the prompts of agents, and the commands that they ran, by turn: in files of the engine's folder that no commit and no
 * push takes along, for both may hold secrets. Nothing is kept unless `vedit.prompts` of git's config says so.
 */

import { utf8 } from '../bytes.ts';
import { shortened } from '../edits/input-problems.ts';
import type { Context } from '../engine/context.ts';
import { PROMPT_KINDS, type PromptsKept, plainField } from '../engine/origins/agent-events.ts';
import { makeOwn } from '../engine/origins/event-folder.ts';
import { EditError } from '../errors.ts';
import { ensureFolder, removeIfThere } from '../fs/durable.ts';
import { type Fs, isMissing, lstatOf, orNull } from '../fs/fs.ts';
import { layered } from '../git/repository/config.ts';
import { setConfigValue } from '../git/repository/write-config.ts';

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

/** `vedit.prompts`; any other value than these is `off`. */
export function promptsKept({ repo, userConfig }: Context): PromptsKept {
  const set = layered(repo.config, userConfig).get('vedit.prompts');
  return PROMPT_KINDS.find(kind => kind === set) ?? 'off';
}

/** Throws INVALID_INPUT for any other word. */
export function checkPrompts(call: string, given: unknown): PromptsKept {
  const kept = PROMPT_KINDS.find(kind => kind === given);
  if (kept !== undefined) return kept;
  const words = `${call}: give one of ${PROMPT_KINDS.join(', ')}, not ${shortened(given)}. Nothing was done.`;
  throw new EditError('INVALID_INPUT', words, { fields: ['kept'] });
}

/** Sets it for this repository. What was kept stays until it is forgotten. */
export function keepPrompts({ repo }: Context, kept: PromptsKept): Promise<void> {
  return setConfigValue(repo, 'vedit', 'prompts', kept);
}

/** Notes it, where the config says so: then what is too old or too much goes first. */
export async function noteAsked(context: Context, { turn, call, prompt, command }: Asked): Promise<void> {
  const kept = promptsKept(context);
  if (kept === 'off' || (prompt ?? command) === undefined) return;
  const text = (given: string | undefined): string | undefined =>
    (kept === 'whole' ? given : given?.trim().split('\n')[0])?.slice(0, LONGEST);
  const { fs } = context;
  await ensureFolder(fs, context.folder);
  await makeOwn(context, folderOf(context));
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
    const one = parsed(line);
    if (one.turn !== turn) continue;
    if (typeof one.prompt === 'string') found.prompt = one.prompt;
    if (typeof one.command === 'string' && one.call === call) found.command = one.command;
  }
  return found;
}

/** A line that a crash cut short says nothing. */
function parsed(line: string): Partial<Record<keyof Asked, unknown>> {
  try {
    return Object(JSON.parse(line));
  } catch {
    return {};
  }
}

/** Forgets what is too old or too much, the oldest first. Answers how many turns that were. */
export async function forgetOld(context: Context): Promise<number> {
  const files = await keptFiles(context);
  const oldest = context.now().getTime() - DAYS * 24 * 60 * 60 * 1000;
  let bytes = 0;
  let gone = 0;
  for (const { path, time, size } of files.sort((a, b) => b.time - a.time)) {
    bytes += size;
    if (time >= oldest && bytes <= MOST_BYTES) continue;
    await removeIfThere(context.fs, path);
    gone++;
  }
  return gone;
}

/** Forgets all of it. Answers how many turns that were. */
export async function forgetAsked(context: Context): Promise<number> {
  const files = await keptFiles(context);
  for (const { path } of files) await removeIfThere(context.fs, path);
  return files.length;
}

async function keptFiles(context: Context): Promise<Array<{ path: string; time: number; size: number }>> {
  const { fs } = context;
  const names = await orNull(fs.readdir(folderOf(context)));
  const found = await Promise.all((names ?? []).map(name => statOf(fs, `${folderOf(context)}/${name}`)));
  return found.filter(one => one !== null);
}

async function statOf(fs: Fs, path: string): Promise<{ path: string; time: number; size: number } | null> {
  try {
    const { type, mtimeNs, size } = await lstatOf(fs, path);
    return type === 'file' ? { path, time: Number(mtimeNs / 1_000_000n), size } : null;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

function folderOf({ folder }: Context): string {
  return `${folder}/prompts`;
}

function fileOf(context: Context, turn: string): string {
  return `${folderOf(context)}/${plainField(turn)}`;
}
