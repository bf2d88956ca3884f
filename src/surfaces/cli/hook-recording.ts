/** What a hook does with an event of Claude Code: edits of its tools are recorded, and turns and calls are noted. */

import { EditError, isEditError } from '../../errors.ts';
import type { Answer, DoneData } from '../../workspace/answer.ts';
import type { Workspace } from '../../workspace/open.ts';
import type { Session } from '../../workspace/session.ts';
import type { Call } from './command.ts';
import { type Opened, openFolder } from './engine.ts';
import type { EditorOptions } from './input/options.ts';
import { Place } from './input/place.ts';
import { decode, readAll } from './input/text-source.ts';
import {
  type FileHook,
  parseHook,
  parseSignal,
  type TurnSignal,
  transcriptModel,
} from './install/claude-code.ts';

export interface HookOptions extends EditorOptions {
  changed?: boolean;
}

const CLIENT = 'claude-code';

/** What became of one call: a commit, or why there is none. */
export type HookOutcome = (
  | { recorded: string | null; subject: string }
  | { passed: string; worth: boolean }
) &
  Said;

/** What Claude Code is told: that it may not, or something besides. */
export interface Said {
  when?: FileHook['when'];
  denied?: string;
  told?: string;
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

/** Never throws. */
export async function recordHook(call: Call<HookOptions>): Promise<HookOutcome> {
  try {
    const text = decode(await readAll(call.terminal.input()), 'Standard input');
    if (call.options.changed) return await recordChanged(call, text.split('\0').filter(Boolean));
    const signal = parseSignal(text);
    const hook = parseHook(text, call.folder);
    if (hook) return await recordFile(call, hook, signal);
    if (signal) await inRepository(call, call.folder, async ({ workspace }) => note(workspace, call, signal));
    return { passed: 'this is about no file', worth: false };
  } catch (error) {
    const isExpected = error instanceof EditError && EXPECTED.has(error.code);
    const code = error instanceof EditError ? `${error.code}: ` : '';
    return { passed: `${code}${(error as Error).message}`, worth: !isExpected };
  }
}

/** Others may be writing; Claude Code waits for its hooks, so this one does not wait long. */
const PATIENCE = { engine: 5_000, git: 2_000 };

/** In the repository that Claude Code is at work in, or else that of its project, and in no other. */
async function inRepository<T>(
  call: Call<HookOptions>,
  at: string,
  work: (opened: Opened) => Promise<T>,
): Promise<T> {
  const project = call.terminal.env.CLAUDE_PROJECT_DIR;
  const folders = call.options.C === undefined ? [at, ...(project ? [project] : [])] : [call.folder];
  for (const [n, folder] of folders.entries()) {
    try {
      const opened = await openFolder({ ...call, folder }, { patience: PATIENCE });
      return await work(opened).finally(() => opened.workspace.close());
    } catch (error) {
      const isElsewhere = error instanceof EditError && ELSEWHERE.has(error.code);
      if (!isElsewhere || n === folders.length - 1) throw error;
    }
  }
  throw new Error('there is no folder to look in');
}

const ELSEWHERE: ReadonlySet<string> = new Set(['NOT_A_REPOSITORY', 'OUTSIDE_WORKSPACE']);

/** A note that cannot be made stops no recording: then less is known. */
async function note(
  workspace: Workspace,
  { options }: Call<HookOptions>,
  signal: TurnSignal & { path?: string },
): Promise<void> {
  await workspace.noteAgent({ agent: options.agent ?? CLIENT, ...signal }).catch(() => {});
}

function recordFile(
  call: Call<HookOptions>,
  hook: FileHook,
  signal: TurnSignal | null,
): Promise<HookOutcome> {
  const { when, tool, session: id, call: callId } = hook;
  return inRepository(call, hook.folder, async ({ workspace, root, folder }) => {
    const file = new Place(root, folder).path(hook.path);
    if (signal) await note(workspace, call, { ...signal, path: file });
    const { agent = CLIENT, model = when === 'after' ? await transcriptModel(hook.transcript) : undefined } =
      call.options;
    const session = workspace.session({ agent, model, id: call.options.session ?? id });
    const known = session.moment();
    const how = when === 'before' ? { outside: true } : { op: tool, call_id: callId };
    const outcome = await recorded(session.record([file], how));
    const told = await session.rejections(known, { call_id: callId }, { path: file });
    const denied = when === 'before' ? await rejected(session, file, hook) : undefined;
    const said = { ...(denied ? { denied } : {}), ...(told ? { told: told.message } : {}) };
    return Object.keys(said).length > 0 ? { ...outcome, when, ...said } : outcome;
  });
}

/** So many files that a command changed are recorded at once; of more, each is when it is edited. */
const MOST_FILES = 500;

/** What others, or a command, changed in these files: whose it is, the engine decides. */
async function recordChanged(call: Call<HookOptions>, paths: readonly string[]): Promise<HookOutcome> {
  if (paths.length > MOST_FILES) return { passed: `${paths.length} files changed at once`, worth: false };
  return inRepository(call, call.folder, async ({ workspace, root, folder }) => {
    const session = workspace.session({ agent: call.options.agent ?? CLIENT });
    const place = new Place(root, folder);
    const files = paths.map(path => place.path(path));
    const record = (some: readonly string[]): Promise<HookOutcome> =>
      recorded(session.record(some, { outside: true }));
    try {
      return await record(files);
    } catch (error) {
      if (!(error instanceof EditError) || files.length === 1) throw error;
    }
    // One that is ignored, or no text, stops none of the others.
    let outcome: HookOutcome = { passed: 'none of these files can be recorded', worth: false };
    for (const file of files) outcome = await record([file]).catch(() => outcome);
    return outcome;
  });
}

/** What is as it was recorded is no failure, and something may have to be told all the same. */
async function recorded(call: Promise<Answer<DoneData>>): Promise<HookOutcome> {
  try {
    const { data } = await call;
    return { recorded: data.commit, subject: data.subject };
  } catch (error) {
    if (!isEditError(error, 'NO_CHANGE')) throw error;
    return { passed: `${error.code}: ${error.message}`, worth: false };
  }
}

/** The refusal of an edit that would put back what a person rejected; anything else is Claude Code's own matter. */
async function rejected(
  session: Session,
  path: string,
  { tool, input }: FileHook,
): Promise<string | undefined> {
  const steps = stepsOf(tool, input, path);
  if (steps.length === 0) return undefined;
  const dry = (own: Session): Promise<unknown> => own.change(steps as never, { dryRun: true });
  // Nobody else is told of it: it is no call of the agent.
  return session.inTurn(dry, { tells: false, vocabulary: CLAUDE }).then(
    () => undefined,
    error =>
      isEditError(error, 'REJECTED') ? error.message.replace(/^edit \d+ of \d+[^:]*: /, '') : undefined,
  );
}

/** Its tools know nothing of the fields of ours, nor of our tools. */
const CLAUDE = { tools: {}, fields: { even_if_rejected: null } };

/** What a call is about to do, as edits of ours; none for a tool whose input tells too little. */
function stepsOf(tool: string, input: FileHook['input'], path: string): object[] {
  if (tool === 'Write') return [written(path, input.content)];
  if (tool !== 'Edit' && tool !== 'MultiEdit') return [];
  const edits: readonly unknown[] = tool === 'Edit' ? [input] : Array.isArray(input.edits) ? input.edits : [];
  return edits.map(one => {
    const { old_string: old_str, new_string: new_str, replace_all } = Object(one);
    // That is how it makes a file.
    if (old_str === '') return written(path, new_str);
    return { edit: 'str_replace', path, old_str, new_str, replace_all };
  });
}

function written(path: string, text: unknown): object {
  return { edit: 'create', path, file_text: text, overwrite: true };
}

/** https://docs.anthropic.com/en/docs/claude-code/hooks: a decision before the call, a context after it. */
export function saidToClaude(
  when: FileHook['when'] | undefined,
  denied: string | undefined,
  told: string | undefined,
): object {
  const hookEventName = when === 'before' ? 'PreToolUse' : 'PostToolUse';
  const decision = denied && { permissionDecision: 'deny', permissionDecisionReason: denied };
  return { hookEventName, ...decision, ...(told ? { additionalContext: told } : {}) };
}
