import { spawn } from 'node:child_process';
import { basename } from 'node:path';
import type { Looked } from '../../../agents/look.ts';
import { EditError } from '../../../errors.ts';
import { asMeOption, editorOptions } from '../../../table/options.ts';
import type { OptionsOf } from '../../../table/use.ts';
import { type Call, type CliCommand, defineCommand } from '../command.ts';
import { gitOf, withEngine } from '../engine.ts';
import { EXIT } from '../exit-codes.ts';
import { jsonLine } from '../views/answer.ts';

const options = [
  ['-m, --message <reason>', 'the reason; default: the name of the program'],
  asMeOption,
  ...editorOptions,
] as const;

type Options = OptionsOf<typeof options>;

export const command: CliCommand = defineCommand({
  details:
    'Runs the command, and records exactly what changed, appeared or went meanwhile as one edit of the session; what was changed ' +
    'before is recorded first, and is not the command’s. Text that somebody typed while it ran may count as the command’s. Files ' +
    'that git ignores are passed over. The exit code is that of the command; a command that fails is recorded too.',
  arguments: [['<command...>', 'the program, and its arguments']],
  passesThrough: true,
  options,
  examples: [
    ['vedit run npx prettier --write src', 'formats, as one edit'],
    [
      'vedit run --agent fixer -m "rename" sh -c "sed -i s/a/b/ *.ts"',
      'of an agent; options of vedit come first',
    ],
  ],
  run: call =>
    withEngine(
      call,
      async ({ session }) => {
        const git = await gitOf(call.terminal);
        const reason = call.options.message ?? basename(call.args[0]!);
        const { value, ...looked } = await session.during(() => runProgram(call), { git, reason });
        await answer(call, looked, value);
        return value;
      },
      { session: 'agent' },
    ),
});

async function answer({ options, terminal }: Call<Options>, looked: Looked, code: number): Promise<void> {
  const { done, outside, left, passed, withheld } = looked;
  if (options.json) {
    const data = { exit_code: code, done, outside, left, passed };
    return terminal.print(jsonLine({ ok: code === EXIT.done, data }));
  }
  const told = [
    done ? `recorded ${done.subject}` : '',
    outside ? `recorded ${outside.subject}: whether the command did that is not known` : '',
    withheld ?? '',
  ].filter(Boolean);
  const { passedWords } = await import('../../../agents/look.ts');
  if (told.length === 0) told.push('nothing to record');
  told.push(passedWords(looked));
  if (left > 0) told.push(`${left} more files changed or are new, and were not looked at: too many at once`);
  for (const line of told.filter(Boolean)) await terminal.tell(`vedit: ${line}`);
}

/** The exit code, as a shell has it. Its output is not ours, so with --json it goes to standard error. */
function runProgram({ args, folder, terminal, options }: Call<Options>): Promise<number> {
  const [program, ...rest] = args;
  return new Promise((resolve, reject) => {
    const child = spawn(program!, rest, {
      cwd: folder,
      env: terminal.env,
      stdio: ['inherit', options.json ? 2 : 'inherit', 'inherit'],
    });
    child.once('error', error => reject(notStarted(program!, error)));
    child.once('close', (code, signal) => resolve(code ?? (signal ? 128 + SIGNALS : EXIT.refused)));
  });
}

/** The exit code of a program that a signal ended, where its number does not matter. */
const SIGNALS = 15;

function notStarted(program: string, error: Error): EditError {
  const words = `${program} cannot be started (${(error as NodeJS.ErrnoException).code ?? error.message}). Give a program that is in PATH, and its arguments.`;
  return new EditError('INVALID_INPUT', words, { field: 'command' }, { cause: error });
}
