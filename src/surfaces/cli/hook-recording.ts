/** Records the event that an agent writes to the standard input of a hook. */

import { isAbsolute } from 'node:path';
import type { Readable } from 'node:stream';
import type { HookEvent } from '../../agents/hooks/event.ts';
import { readHook } from '../../agents/hooks/read.ts';
import { EditError } from '../../errors.ts';
import type { Call } from './command.ts';
import { gitOf, type Opened, withFolder } from './engine.ts';
import type { EditorOptions } from './input/options.ts';

export interface HookOptions extends EditorOptions {
  look?: string;
  call?: string;
}

/** The outcome of one call: a commit, or why there is none; and what the agent is answered. */
export type HookOutcome = (
  | { recorded: string | null; subject: string }
  | { passed: string; worth: boolean }
) & {
  answer?: object;
};

/** Never throws. */
export async function recordHook(call: Call<HookOptions>): Promise<HookOutcome> {
  try {
    const bytes = await beginningOf(call.terminal.input());
    const told = { named: call.args[0]!, proven: provenBy(call) };
    const event = readHook(bytes, told);
    if (!event) return { passed: 'this is about no file', worth: false };
    const { agent, model, session } = call.options;
    const by = { agent, model, session, call: call.options.call };
    const { interpretSchemas } = await import('../../tools/index.ts');
    interpretSchemas();
    const git = await gitOf(call.terminal);
    const taken = await inRepository(call, event, ({ workspace, folder }) =>
      workspace.takeHook(bytes, { ...told, by, folder, git, listed: listedBy(call.options) }),
    );
    const { commit, subject, passed, answer } = taken;
    const outcome = passed === null ? { recorded: commit, subject: subject! } : { passed, worth: false };
    return { ...outcome, ...(answer ? { answer } : {}) };
  } catch (error) {
    const code = error instanceof EditError ? `${error.code}: ` : '';
    return { passed: `${code}${(error as Error).message}`, worth: !isExpected(error) };
  }
}

/** Such files are none of ours: that there is no record of them is as it should be. */
const EXPECTED: ReadonlySet<string> = new Set([
  'NO_CHANGE',
  'NOT_A_REPOSITORY',
  'OUTSIDE_WORKSPACE',
  'PROTECTED_PATH',
  'IGNORED_PATH',
  'FILTERED_PATH',
  'NESTED_REPOSITORY',
  'UNSUPPORTED_REPOSITORY',
]);

function isExpected(error: unknown): boolean {
  return error instanceof EditError && EXPECTED.has(error.code);
}

/** The front listed what changed, and noted the event. */
function listedBy({ look }: HookOptions): { list: string; stamp: string } | undefined {
  return look === undefined ? undefined : { list: `${look}.list`, stamp: `${look}.stamp` };
}

/** Only Claude Code's commands have its session; that it runs at all, its children's children inherit. */
function provenBy({ terminal: { env } }: Call): { agent: string; session: string } | undefined {
  const session = env.CLAUDE_CODE_SESSION_ID;
  return session ? { agent: 'claude-code', session } : undefined;
}

/** Others may be writing; an agent waits for its hooks, so this one does not wait long. */
const PATIENCE = { engine: 5_000, git: 2_000 };

/** In the repository that the agent is at work in, or else that of its project, and in no other. */
async function inRepository<T>(
  call: Call<HookOptions>,
  { folders }: HookEvent,
  work: (opened: Opened) => Promise<T>,
): Promise<T> {
  const { CLAUDE_PROJECT_DIR, GEMINI_PROJECT_DIR, FACTORY_PROJECT_DIR } = call.terminal.env;
  const projects = [CLAUDE_PROJECT_DIR, GEMINI_PROJECT_DIR, FACTORY_PROJECT_DIR].filter(one => one);
  const own = folders.filter(one => isAbsolute(one));
  const places = [...(own.length > 0 ? own : [call.folder]), ...projects.map(String)];
  const all = call.options.C === undefined ? places : [call.folder];
  for (const [n, folder] of all.entries()) {
    try {
      return await withFolder({ ...call, folder }, work, { patience: PATIENCE, brief: true });
    } catch (error) {
      const isElsewhere = error instanceof EditError && ELSEWHERE.has(error.code);
      if (!isElsewhere || n === all.length - 1) throw error;
    }
  }
  throw new Error('there is no folder to look in');
}

const ELSEWHERE: ReadonlySet<string> = new Set(['NOT_A_REPOSITORY', 'OUTSIDE_WORKSPACE']);

/** Bytes; no event that is true is longer. */
const MOST = 64 * 1024 * 1024;

/** Throws an Error for more: what has no end is not read to it. */
async function beginningOf(stream: Readable): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    chunks.push(Buffer.from(chunk));
    length += chunk.length;
    if (length > MOST) throw new Error('the hook is longer than 64 MB');
  }
  return Buffer.concat(chunks);
}
