/** The command line: from arguments to an exit code. */

import { CommanderError } from 'commander';
import { EditError } from '../../errors.ts';
import { commandAt } from '../../table/options.ts';
import { UsageError } from '../../table/use.ts';
import { answerRefusal, jsonLine, refusal } from './answer.ts';
import { EXIT } from './exit-codes.ts';
import { inFlags } from './flags.ts';
import { buildProgram, type Run, unknownCommand, unknownOption } from './program.ts';
import { OutputClosed, type Streams, Terminal } from './terminal/terminal.ts';

/**
 * Runs one command line (without the program's name) and answers the exit code of exit-codes.ts. Never throws; the
 * caller ends the process.
 */
export async function main(argv: readonly string[], streams: Streams = process): Promise<number> {
  const terminal = new Terminal(streams);
  const run: Run = { exitCode: EXIT.done, output: '', complaint: '' };
  const at = commandAt(argv);
  const word = argv[at];
  const json = wantsJson(argv);
  // A failure outside of every await is still one line, not a stack trace.
  if (streams === process)
    process.once('uncaughtException', error => {
      void unexpected(error, terminal, false).finally(() => process.exit(EXIT.fatal));
    });
  try {
    const program = await buildProgram(word, terminal, run);
    const own = argv.slice(at + 1);
    const args = [...argv.slice(0, at + 1), ...(run.rewrite?.(own) ?? own)];
    await program.parseAsync(args, { from: 'user' });
    return run.exitCode;
  } catch (error) {
    await terminal.endPage();
    const code = await report(error, { run, terminal, word, json }).catch(() => EXIT.done);
    // To those who run hooks 2 says that the agent must stop, which a wrong command line is no reason for.
    return word === 'hook' && code === EXIT.usage ? EXIT.refused : code;
  } finally {
    await terminal.endPage();
  }
}

interface Failed {
  run: Run;
  terminal: Terminal;
  word: string | undefined;
  json: boolean;
}

async function report(error: unknown, failed: Failed): Promise<number> {
  const { run, terminal, json } = failed;
  if (error instanceof OutputClosed) return run.exitCode;
  if (error instanceof UsageError) return usage(error.message, failed);
  if (error instanceof EditError) return answerRefusal(refusal(inFlags(error)), terminal, json);
  if (!(error instanceof CommanderError)) return unexpected(error, terminal, json);
  if (error.exitCode === 0) {
    await terminal.printHelp(run.output);
    return EXIT.done;
  }
  if (error.code === 'commander.help') {
    await terminal.tell(run.complaint);
    return EXIT.usage;
  }
  return usage(await complaintOf(error, failed), failed);
}

/** Commander's own words, but for names that there are not: near ones are offered, and no others. */
async function complaintOf(
  { code, message }: CommanderError,
  { run, word, terminal }: Failed,
): Promise<string> {
  if (code === 'commander.unknownCommand' && word !== undefined) return unknownCommand(word);
  const option = code === 'commander.unknownOption' && /'(.*)'/.exec(message)?.[1];
  if (!option) return run.complaint.trimEnd();
  return unknownOption(await buildProgram(word, terminal, { ...run }), word, option);
}

async function usage(message: string, { terminal, json }: Failed): Promise<number> {
  const answer = { ok: false, code: 'INVALID_INPUT', message, data: { usage: true }, retryable: false };
  await (json ? terminal.print(jsonLine(answer)) : terminal.tell('vedit: ', message));
  return EXIT.usage;
}

/** Tells what nobody foresaw in one line; the stack is for those who ask for it. */
async function unexpected(error: unknown, terminal: Terminal, json: boolean): Promise<number> {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  if (terminal.env.VEDIT_DEBUG === '1') await terminal.tell(stack ?? message);
  const { asEditError } = await import('../../engine/calls/failure.ts');
  return answerRefusal(refusal(inFlags(asEditError(error))), terminal, json);
}

/** Asked of the arguments themselves, since they may be what could not be parsed. */
function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return (end < 0 ? argv : argv.slice(0, end)).includes('--json');
}
