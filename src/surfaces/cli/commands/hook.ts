/** hook: what an agent's own tools changed becomes edits of its session. */

import { EditError, isEditError } from '../../../errors.ts';
import type { Answer, DoneData } from '../../../workspace/answer.ts';
import type { Session } from '../../../workspace/session.ts';
import { type Call, type CliCommand, defineCommand } from '../command.ts';
import { openFolder } from '../engine.ts';
import { EXIT } from '../exit-codes.ts';
import { type EditorOptions, editorOptions } from '../input/options.ts';
import { Place } from '../input/place.ts';
import { decode, readAll } from '../input/text-source.ts';
import { UsageError } from '../input/usage.ts';
import {
  type FileHook,
  hookSettings,
  parseHook,
  SETTINGS_FILE,
  transcriptModel,
} from '../install/claude-code.ts';
import { jsonLine } from '../views/json.ts';

interface Options extends EditorOptions {
  printConfig?: boolean;
  print?: boolean;
}

const CLIENT = 'claude-code';
const SERVER = 'server';

export const hook: CliCommand = defineCommand<Options>({
  details:
    'Claude Code runs it before and after its own Edit, MultiEdit, Write and NotebookEdit (hooks PreToolUse and PostToolUse) ' +
    'and tells it on standard input which file it is about. Before, what others changed in the file is recorded as that; after, ' +
    'the change is recorded as an edit of that session, so that log, blame, undo and land know of it. Files outside of the ' +
    'repository and files that git ignores are passed over. What a person rejected (vedit review) it tells Claude, and an edit ' +
    'that would put it back it denies. Otherwise it prints nothing and never stops Claude Code: the exit code is 0 also where ' +
    'nothing could be recorded; with --json it says what was done. vedit hook server --print prints the pre-receive hook of a ' +
    'git server, by which published histories only grow, and only their own clone writes them.',
  arguments: [['<agent>', `${CLIENT}, the only agent so far; or ${SERVER}`]],
  options: [
    {
      flags: '--print-config',
      description: `print what to paste into ${SETTINGS_FILE} or ~/.claude/settings.json`,
    },
    { flags: '--print', description: `with ${SERVER}: print the hook, for hooks/pre-receive` },
    ...editorOptions,
  ],
  examples: [
    ['vedit hook claude-code --print-config', ''],
    ['vedit log --agent claude-code --oneline', 'what came of it'],
    ['vedit hook server --print > project.git/hooks/pre-receive', 'on the server; make it executable'],
  ],
  async run(call) {
    if (call.args[0] === SERVER) return printServerHook(call);
    if (call.args[0] !== CLIENT)
      throw new UsageError(`there is a hook for ${CLIENT} only, not for ${JSON.stringify(call.args[0])}`);
    if (call.options.printConfig) return printConfig(call);
    await answer(call, await record(call));
    return EXIT.done;
  },
});

async function printServerHook({ options, terminal }: Call<Options>): Promise<number> {
  if (!options.print) throw new UsageError('vedit hook server --print prints the hook: give --print');
  const { SERVER_HOOK } = await import('../install/server-hook.ts');
  await terminal.print(SERVER_HOOK);
  return EXIT.done;
}

/** What became of one call: a commit, or why there is none. */
type Outcome = ({ recorded: string | null; subject: string } | { passed: string; worth: boolean }) & Said;

/** What Claude Code is told: that it may not, or something besides. */
interface Said {
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
async function record(call: Call<Options>): Promise<Outcome> {
  try {
    const text = decode(await readAll(call.terminal.input()), 'Standard input');
    const hook = parseHook(text, call.folder);
    if (!hook) return { passed: 'this is about no file', worth: false };
    return await recordFile(call, hook);
  } catch (error) {
    const isExpected = error instanceof EditError && EXPECTED.has(error.code);
    const code = error instanceof EditError ? `${error.code}: ` : '';
    return { passed: `${code}${(error as Error).message}`, worth: !isExpected };
  }
}

/** Others may be writing; Claude Code waits for its hooks, so this one does not wait long. */
const PATIENCE = { engine: 5_000, git: 2_000 };

/** In the repository that Claude Code is at work in, or else that of its project, and in no other. */
async function recordFile(call: Call<Options>, hook: FileHook): Promise<Outcome> {
  const project = call.terminal.env.CLAUDE_PROJECT_DIR;
  const folders = call.options.C === undefined ? [hook.folder, ...(project ? [project] : [])] : [call.folder];
  for (const [n, folder] of folders.entries()) {
    try {
      return await recordIn(call, hook, folder);
    } catch (error) {
      const isElsewhere = error instanceof EditError && ELSEWHERE.has(error.code);
      if (!isElsewhere || n === folders.length - 1) throw error;
    }
  }
  throw new Error('there is no folder to look in');
}

const ELSEWHERE: ReadonlySet<string> = new Set(['NOT_A_REPOSITORY', 'OUTSIDE_WORKSPACE']);

async function recordIn(call: Call<Options>, hook: FileHook, folder: string): Promise<Outcome> {
  const { when, tool, path, session: id, call: callId, transcript } = hook;
  const { workspace, root, folder: real } = await openFolder({ ...call, folder }, { patience: PATIENCE });
  try {
    const { agent = CLIENT, model = when === 'after' ? await transcriptModel(transcript) : undefined } =
      call.options;
    const session = workspace.session({ agent, model, id: call.options.session ?? id });
    const file = new Place(root, real).path(path);
    const known = session.moment();
    const how = when === 'before' ? { outside: true } : { op: tool, call_id: callId };
    const outcome = await recorded(session.record([file], how));
    const told = await session.rejections(known, { call_id: callId }, { path: file });
    const denied = when === 'before' ? await rejected(session, file, hook) : undefined;
    const said = { ...(denied ? { denied } : {}), ...(told ? { told: told.message } : {}) };
    return Object.keys(said).length > 0 ? { ...outcome, when, ...said } : outcome;
  } finally {
    await workspace.close();
  }
}

/** What is as it was recorded is no failure, and something may have to be told all the same. */
async function recorded(call: Promise<Answer<DoneData>>): Promise<Outcome> {
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
  if (tool !== 'Write' && tool !== 'Edit') return undefined;
  const { old_string, new_string, replace_all, content } = input;
  const given =
    tool === 'Write'
      ? { file_text: content, overwrite: true }
      : { old_str: old_string, new_str: new_string, replace_all };
  const name: string = tool === 'Write' ? 'create' : 'str_replace';
  const dry = (own: Session): Promise<unknown> => own.edit(name as never, { path, dry_run: true, ...given });
  // Nobody else is told of it: it is no call of the agent.
  return session.inTurn(dry, { tells: false }).then(
    () => undefined,
    error => (isEditError(error, 'REJECTED') ? error.message : undefined),
  );
}

/** Standard error of a hook that exits with 0 is seen by those who look for it. */
async function answer({ options, terminal }: Call<Options>, outcome: Outcome): Promise<void> {
  const { when, denied, told } = outcome;
  if (options.json) await terminal.print(jsonLine({ ok: true, data: outcome }));
  else if (denied !== undefined || told !== undefined)
    await terminal.print(jsonLine({ hookSpecificOutput: saidToClaude(when, denied, told) }));
  else if ('passed' in outcome && outcome.worth)
    await terminal.tell(`vedit hook: nothing recorded: ${outcome.passed}`);
}

/** https://docs.anthropic.com/en/docs/claude-code/hooks: a decision before the call, a context after it. */
function saidToClaude(
  when: FileHook['when'] | undefined,
  denied: string | undefined,
  told: string | undefined,
): object {
  const hookEventName = when === 'before' ? 'PreToolUse' : 'PostToolUse';
  const decision = denied && { permissionDecision: 'deny', permissionDecisionReason: denied };
  return { hookEventName, ...decision, ...(told ? { additionalContext: told } : {}) };
}

/** The program is named as it was started here, because Claude Code may have another PATH. */
async function printConfig({ terminal }: Call<Options>): Promise<number> {
  const command = [process.execPath, process.argv[1]!, 'hook', CLIENT];
  await terminal.print(`${JSON.stringify(hookSettings(command), null, 2)}\n`);
  await terminal.tell(
    `This goes into ${SETTINGS_FILE} in the project, or into ~/.claude/settings.json for all of yours.`,
  );
  return EXIT.done;
}
