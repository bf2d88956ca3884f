/**
 * Refusals that are kept, for those who want to know what their agents tried: one line of JSON each, in
 * `<commondir>/vedit/refusals.jsonl`. They are no part of history, and the older half goes when the file is full.
 */

import type { EditError } from '../../errors.ts';
import { ensureFolder } from '../../fs/durable.ts';
import { orNull } from '../../fs/fs.ts';
import { parseJson } from '../../json.ts';
import type { Context } from '../context.ts';
import type { Editor } from '../editor.ts';
import { findSession } from '../trails/sessions.ts';
import { notifyFollowers } from '../transaction/change-watcher.ts';

export interface RefusalRecord {
  /** ISO 8601, UTC. */
  time: string;
  op: string;
  /** The file that was asked for; null where the refusal is of none. */
  path: string | null;
  code: string;
  message: string;
  /** The data of the refusal; absent where it was long. */
  data?: unknown;
  session: string;
  agent: string | null;
  model: string | null;
  milliseconds: number;
  /** The id of a linked work tree; absent in the main one. The paths are of that one. */
  worktree?: string;
}

export interface RefusalOptions {
  /** The file, or the folder with the files below it, whose refusals are listed. */
  path?: string | undefined;
  session?: string | undefined;
  agent?: string | undefined;
  op?: string | undefined;
  since?: Date | undefined;
  /** The most entries. */
  limit?: number | undefined;
}

/** Bytes of each of the two files, and of one line. */
const LONGEST_FILE = 4 * 1024 * 1024;
const LONGEST_LINE = 32 * 1024;

/** Appends a refusal to those that are kept. Where that fails nothing is thrown: the call is refused all the same. */
export async function keepRefusal(
  context: Context,
  editor: Editor,
  what: { op: string; error: EditError; milliseconds: number },
): Promise<void> {
  const { op, error, milliseconds } = what;
  const record: RefusalRecord = {
    time: context.now().toISOString(),
    op,
    path: typeof error.data.path === 'string' ? error.data.path : null,
    code: error.code,
    message: error.message,
    data: error.data,
    session: editor.session,
    agent: editor.agent ?? null,
    model: editor.model ?? null,
    milliseconds,
    ...(context.repo.worktree === null ? {} : { worktree: context.repo.worktree }),
  };
  await append(context, lineOf(record))
    .then(() => notifyFollowers(context))
    .catch(() => {});
}

/** The kept refusals of this work tree, newest first. */
export async function readRefusals(context: Context, options: RefusalOptions = {}): Promise<RefusalRecord[]> {
  const { path, session: given, agent, op, since, limit } = options;
  const kept = [...(await records(context, OLDER)), ...(await records(context, NEWEST))];
  const ids = new Set(kept.map(one => one.session));
  const session = given === undefined ? undefined : await findSession(context, given, ids);
  const wanted = kept.filter(
    one =>
      (one.worktree ?? null) === context.repo.worktree &&
      (path === undefined || one.path === path || one.path?.startsWith(`${path}/`)) &&
      (session === undefined || one.session === session) &&
      (agent === undefined || one.agent === agent) &&
      (op === undefined || one.op === op) &&
      (since === undefined || new Date(one.time) >= since),
  );
  return wanted.reverse().slice(0, limit);
}

/** The names of both files. */
const [NEWEST, OLDER] = ['refusals.jsonl', 'refusals.old.jsonl'];

/** The file of the newest. */
export function refusalsFile({ folder }: Pick<Context, 'folder'>): string {
  return `${folder}/${NEWEST}`;
}

function lineOf(record: RefusalRecord): Uint8Array {
  const encode = (value: RefusalRecord): Uint8Array => new TextEncoder().encode(`${JSON.stringify(value)}\n`);
  const whole = encode(record);
  if (whole.length <= LONGEST_LINE) return whole;
  const { data: _, ...rest } = record;
  return encode({ ...rest, message: rest.message.slice(0, 4_000) });
}

/** Appends a line in one write, so that those of several processes do not mix. */
async function append(context: Context, line: Uint8Array): Promise<void> {
  const { fs, folder } = context;
  await ensureFolder(fs, folder);
  const path = refusalsFile(context);
  if (((await fs.lstat(path))?.size ?? 0) > LONGEST_FILE) await fs.rename(path, `${folder}/${OLDER}`);
  const handle = await fs.open(path, 'append');
  try {
    await handle.write(line);
  } finally {
    await handle.close();
  }
}

async function records({ fs, folder }: Context, name: string): Promise<RefusalRecord[]> {
  const bytes = await orNull(fs.readFile(`${folder}/${name}`));
  return bytes ? refusalLines(bytes) : [];
}

/** Parses kept refusals. A line that a crash cut short is passed over. */
export function refusalLines(bytes: Uint8Array): RefusalRecord[] {
  return new TextDecoder()
    .decode(bytes)
    .split('\n')
    .flatMap(line => (parseJson(line) as RefusalRecord | undefined) ?? []);
}
