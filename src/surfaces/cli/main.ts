/** The command line: from arguments to an exit code. */

import { CommanderError } from 'commander';
import { EditError } from '../../errors.ts';
import { EXIT } from './exit-codes.ts';
import { inFlags } from './flags.ts';
import { commandAt } from './input/options.ts';
import { UsageError } from './input/usage.ts';
import { buildProgram, type Run, unknownCommand, unknownOption } from './program.ts';
import { OutputClosed, type Streams, Terminal } from './terminal/terminal.ts';
import { answerRefusal, asRefusal } from './views/refusal.ts';

/**
 * Runs one command line (without the program's name) and answers the exit code of exit-codes.ts. Never throws; the
 * caller ends the process.
 */
export async function main(argv: readonly string[], streams: Streams = process): Promise<number> {
  const terminal = new Terminal(streams);
  const run: Run = { exitCode: EXIT.done, output: '', complaint: '' };
  const at = commandAt(argv);
  const word = argv[at];
  if (streams === process) catchStrays(terminal);
  try {
    const program = await buildProgram(word, terminal, run);
    const own = argv.slice(at + 1);
    const args = [...argv.slice(0, at + 1), ...(run.rewrite?.(own) ?? own)];
    await program.parseAsync(args, { from: 'user' });
    return run.exitCode;
  } catch (error) {
    await terminal.endPage();
    const code = await report(error, { run, terminal, word, json: wantsJson(argv) }).catch(() => EXIT.done);
    return word === 'hook' ? harmless(code) : code;
  } finally {
    await terminal.endPage();
  }
}

/** To those who run hooks 2 says that the agent must stop, which a wrong command line is no reason for. */
function harmless(code: number): number {
  return code === EXIT.usage ? EXIT.refused : code;
}

/** A failure outside of every await is still one line, not a stack trace. */
function catchStrays(terminal: Terminal): void {
  process.once('uncaughtException', error => {
    void unexpected(error, terminal, false).finally(() => process.exit(EXIT.fatal));
  });
}

interface Failed {
  run: Run;
  terminal: Terminal;
  word: string | undefined;
  json: boolean;
}

async function report(error: unknown, { run, terminal, word, json }: Failed): Promise<number> {
  if (error instanceof OutputClosed) return run.exitCode;
  if (error instanceof CommanderError && error.exitCode === 0) {
    await terminal.printHelp(run.output);
    return EXIT.done;
  }
  if (error instanceof CommanderError && error.code === 'commander.help') {
    await terminal.tell(run.complaint);
    return EXIT.usage;
  }
  if (error instanceof CommanderError)
    return usage(await complaintOf(error, run, word, terminal), terminal, json);
  if (error instanceof UsageError) return usage(error.message, terminal, json);
  if (error instanceof EditError) return answerRefusal(asRefusal(inFlags(error)), terminal, json);
  return unexpected(error, terminal, json);
}

/** Commander's own words, but for names that there are not: near ones are offered, and no others. */
async function complaintOf(
  { code, message }: CommanderError,
  run: Run,
  word: string | undefined,
  terminal: Terminal,
): Promise<string> {
  if (code === 'commander.unknownCommand' && word !== undefined) return unknownCommand(word);
  const option = code === 'commander.unknownOption' && /'(.*)'/.exec(message)?.[1];
  if (!option) return run.complaint.trimEnd();
  const program = await buildProgram(word, terminal, { ...run });
  return unknownOption(program, word, option);
}

async function usage(message: string, terminal: Terminal, json: boolean): Promise<number> {
  const data = { usage: true };
  if (json)
    await answerRefusal(
      { ok: false, code: 'INVALID_INPUT', message, data, retryable: false },
      terminal,
      json,
    );
  else await terminal.tell('vedit: ', message);
  return EXIT.usage;
}

/** Tells what nobody foresaw in one line; the stack is for those who ask for it. */
async function unexpected(error: unknown, terminal: Terminal, json: boolean): Promise<number> {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  if (terminal.env.VEDIT_DEBUG === '1') await terminal.tell(stack ?? message);
  const { asEditError } = await import('../../engine/calls/failure.ts');
  return answerRefusal(asRefusal(inFlags(asEditError(error))), terminal, json);
}

/** Asked of the arguments themselves, since they may be what could not be parsed. */
function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return (end < 0 ? argv : argv.slice(0, end)).includes('--json');
}
