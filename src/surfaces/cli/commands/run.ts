import { spawn } from 'node:child_process';
import { basename } from 'node:path';
import type { Looked } from '../../../agents/look.ts';
import { EditError } from '../../../errors.ts';
import type { RunOptions as Options } from '../../../table/programs.ts';
import { jsonLine } from '../answer.ts';
import type { Call } from '../command.ts';
import { gitOf, withEngine } from '../engine.ts';
import { EXIT } from '../exit-codes.ts';

export function run(call: Call<Options>): Promise<number> {
  return withEngine(
    call,
    async ({ session }) => {
      const git = await gitOf(call.terminal);
      const reason = call.options.message ?? basename(call.args[0]!);
      const { value, ...looked } = await session.during(() => runProgram(call), { git, reason });
      await answer(call, looked, value);
      return value;
    },
    { session: 'agent' },
  );
}

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
