import { HOOKED_AGENTS } from '../../../agents/hooks/read.ts';
import { type Call, type CliCommand, defineCommand, type OptionsOf } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { type HookOutcome, recordHook } from '../hook-recording.ts';
import { editorOptions } from '../input/options.ts';
import { UsageError } from '../input/usage.ts';
import { clientNamed, hookEntries, isHooked } from '../install/clients.ts';
import { hookCommand } from '../install/hooks.ts';
import { newHooks } from '../install/settings.ts';
import { jsonLine } from '../views/json.ts';

const SERVER = 'server';

const options = [
  ['--print-config', 'print what to paste into the settings of the client'],
  [
    '--look <name>',
    'vedit-hook noted the event, and left the names of the files that changed since in <name>.list',
  ],
  ['--call <id>', 'the id of a call to which the agent gives none'],
  ['--print', `with ${SERVER}: print the hook, for hooks/pre-receive`],
  ...editorOptions,
] as const;

type Options = OptionsOf<typeof options>;

export const command: CliCommand = defineCommand({
  details:
    'Claude Code runs it before and after its own Edit, MultiEdit, Write and NotebookEdit (hooks PreToolUse and PostToolUse) ' +
    'and tells it on standard input which file it is about. Before, what others changed in the file is recorded as that; after, ' +
    'the change is recorded as an edit of that session, so that log, blame, undo and land know of it. It is told of prompts, ' +
    'commands and the end of turns, too: what changed while one ran is nobody’s until you claim it. Files outside of the ' +
    'repository and files that git ignores are passed over. What a person rejected (vedit review) it tells Claude, and an edit ' +
    'that would put it back it denies. Otherwise it prints nothing and never stops Claude Code: the exit code is 0 also where ' +
    'nothing could be recorded; with --json it says what was done. vedit hook server --print prints the pre-receive hook of a ' +
    'git server, by which published histories only grow, and only their own clone writes them.',
  arguments: [['<agent>', `${HOOKED_AGENTS.join(', ')}; or ${SERVER}`]],
  options,
  examples: [
    ['vedit hook claude-code --print-config', ''],
    ['vedit log --agent claude-code --oneline', 'what came of it'],
    ['vedit hook server --print > project.git/hooks/pre-receive', 'on the server; make it executable'],
  ],
  async run(call) {
    if (call.args[0] === SERVER) return printServerHook(call);
    if (!HOOKED_AGENTS.includes(call.args[0]!)) throw unknownAgent(call.args[0]!);
    if (call.options.printConfig) return printConfig(call);
    await answer(call, await recordHook(call));
    return EXIT.done;
  },
});

function unknownAgent(given: string): UsageError {
  return new UsageError(
    `there is no hook for ${JSON.stringify(given)}, only for ${HOOKED_AGENTS.join(', ')}`,
  );
}

async function printServerHook({ options, terminal }: Call<Options>): Promise<number> {
  if (!options.print) throw new UsageError('vedit hook server --print prints the hook: give --print');
  const { SERVER_HOOK } = await import('../install/server-hook.ts');
  await terminal.print(SERVER_HOOK);
  return EXIT.done;
}

/** Standard error of a hook that exits with 0 is seen by those who look for it. */
async function answer({ options, terminal }: Call<Options>, outcome: HookOutcome): Promise<void> {
  if (options.json) await terminal.print(jsonLine({ ok: true, data: outcome }));
  else if (outcome.answer) await terminal.print(jsonLine(outcome.answer));
  else if ('passed' in outcome && outcome.worth)
    await terminal.tell(`vedit hook: nothing recorded: ${outcome.passed}`);
}

/** The program is named as it was started here, because a client may have another PATH. Throws UsageError. */
async function printConfig({ args, terminal }: Call<Options>): Promise<number> {
  const client = args[0]!;
  const listed = isHooked(client) ? clientNamed(client).hooks : undefined;
  if (!isHooked(client) || !listed)
    throw new UsageError(`there is nothing to paste for ${client}: vedit install writes what there is`);
  await terminal.print(newHooks(hookEntries(listed, hookCommand(true, client)), listed.fresh));
  await terminal.tell(
    `This goes into ${listed.project}, or into ~/${listed.user} for all of yours; vedit install ${client} puts it there.`,
  );
  return EXIT.done;
}
