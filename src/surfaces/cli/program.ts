/** The list of commands as a commander program: parsing, help, suggestions. Nothing of the engine is loaded here. */

import { isAbsolute, join, resolve } from 'node:path';
import { Command, Option } from 'commander';
import { EditError } from '../../errors.ts';
import { closestName } from '../../near-names.ts';
import { commonOptions, headingOf, programOptions } from '../../table/options.ts';
import { GROUPS } from '../../table/rows.ts';
import { type OptionSpec, readValue, UsageError } from '../../table/use.ts';
import { capital } from '../../wording.ts';
import type { Call, CommonInput } from './command.ts';
import { commands } from './commands/index.ts';
import { EXITS } from './exit-codes.ts';
import { COMMAND_MEANT, LINE_MEANT } from './flags.ts';
import type { CliCommand } from './from-table.ts';
import { packageVersion } from './package-version.ts';
import { render, styled } from './terminal/style.ts';
import type { Terminal } from './terminal/terminal.ts';

/** The outcome of parsing: an exit code when a command ran, and what commander wanted to print. */
export interface Run {
  exitCode: number;
  /** Help or the version, for standard output. */
  output: string;
  /** The complaint about the command line. */
  complaint: string;
  /** See CliCommand.rewrite. */
  rewrite?: ((args: readonly string[]) => string[]) | undefined;
}

/**
 * A program whose command writes its exit code into `run`. It throws CommanderError instead of ending the process.
 * Only the command called `word` is loaded, and known where there is one; else the names of all are. Its help says what
 * those of the first group do, or those of all groups, or of the last one, which programs use.
 */
export async function buildProgram(
  word: string | undefined,
  terminal: Terminal,
  run: Run,
  told: 'first' | 'all' | 'programs' = 'first',
): Promise<Command> {
  const program = new Command('vedit')
    .description(
      'Checked edits for AI agents and people, each one a commit that can be read, undone and verified.',
    )
    .usage('[-C <dir>] <command> [...]')
    .optionsGroup('Everywhere:')
    .version(`vedit ${packageVersion()}`, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help; also of a command: vedit replace --help')
    .helpCommand(false)
    .enablePositionalOptions()
    .showHelpAfterError('(vedit --help lists the commands)')
    .showSuggestionAfterError(false);
  configure(program, terminal, run);
  for (const option of commonOptions) addOption(program, option);
  const own = commands.filter(({ name }) => name === word);
  for (const { name, group, summary, load } of own.length > 0 ? own : commands) {
    const hidden = told !== 'all' && group !== (told === 'first' ? GROUPS[0] : GROUPS.at(-1));
    const command = program.command(name, { hidden }).summary(summary).helpGroup(`${group}:`);
    if (name === word) addCommand(program, command, await load(), terminal, run);
  }
  if (told === 'programs')
    for (const option of programOptions) addOption(program, option, 'Of commands that edit:');
  return program.addHelpText('after', () => (told === 'first' ? afterTheFirst(terminal) : ''));
}

/** The help of a command, of a topic, or of the program without a name. Throws UsageError. */
export async function helpOf(name: string | undefined, terminal: Terminal): Promise<string> {
  if (name === 'exit-codes') return `${titled('Exit codes:', terminal)}\n${EXIT_CODES}\n`;
  const run: Run = { exitCode: 0, output: '', complaint: '' };
  const told = name === 'all' || name === 'programs' ? name : 'first';
  const program = await buildProgram(name, terminal, run, told);
  const command =
    told !== 'first' || name === undefined ? program : program.commands.find(one => one.name() === name);
  if (!command) throw new UsageError(unknownCommand(name!));
  command.outputHelp();
  return run.output;
}

/** Words the complaint about a command that does not exist, and suggests one with a similar name, or that does the same. */
export function unknownCommand(word: string): string {
  const same = COMMAND_MEANT.get(word.replaceAll('-', '_'))?.split(' ')[0];
  const names = commands.map(one => one.name);
  const line = Object.hasOwn(LINE_MEANT, word) ? LINE_MEANT[word] : undefined;
  const hint = line
    ? didYouMean(line)
    : same
      ? didYouMean(same) + (word === 'preview' ? DRY_RUN : '')
      : meant(word, names);
  return `unknown command '${word}'${hint}\n(vedit --help lists the commands)`;
}

const DRY_RUN = '\n(with -n each command that edits shows what it would do)';

/** The complaint about an option that a command, or the program, does not have, with the one that was meant. */
export function unknownOption(program: Command, word: string | undefined, given: string): string {
  const command = program.commands.find(one => one.name() === word) ?? program;
  const flags = command.options.flatMap(one => one.long ?? []);
  const name = command === program ? '' : ` ${command.name()}`;
  return `unknown option '${given}'${meant(given, flags)}\n(vedit${name} --help shows the options)`;
}

/** A start of at least three letters that one name alone has is near too. */
function meant(given: string, names: readonly string[]): string {
  const isStarted = given.replace(/^-+/, '').length >= 3;
  const starting = isStarted ? names.filter(name => name.startsWith(given)) : [];
  const near = starting.length === 1 ? starting[0]! : closestName(given, names);
  return near === null ? '' : didYouMean(near);
}

function didYouMean(name: string): string {
  return `\n(Did you mean ${name}?)`;
}

function configure(program: Command, terminal: Terminal, run: Run): void {
  program.exitOverride().configureOutput({
    getOutHasColors: () => terminal.outLook.color,
    getErrHasColors: () => terminal.outLook.color,
    writeOut: text => void (run.output += text),
    writeErr: text => void (run.complaint += text),
    outputError: (text, write) => write(text.replace(/^error: /, '')),
  });
  program.configureHelp({
    subcommandTerm: command => command.name(),
    styleTitle: title => titled(title, terminal),
  });
}

function titled(title: string, { outLook }: Terminal): string {
  return render([styled('bold', title)], { ...outLook, escape: false });
}

function addCommand(
  program: Command,
  command: Command,
  spec: CliCommand,
  terminal: Terminal,
  run: Run,
): void {
  const about = sentence(command.summary());
  run.rewrite = spec.rewrite;
  command
    .description(spec.details ? `${about}\n\n${spec.details}` : about)
    .helpOption('-h, --help', 'print this help')
    .showSuggestionAfterError(false);
  command.showHelpAfterError(`(vedit ${command.name()} --help shows how)`);
  for (const [name, description] of spec.arguments ?? []) command.argument(name, description);
  for (const option of [...(spec.options ?? []), ...commonOptions]) addOption(command, option);
  if (spec.passesThrough) command.passThroughOptions();
  command.addHelpText('after', () => programsText(command, spec) + examplesText(spec));
  command.action(async () => {
    const [common, own] = [program.opts<CommonInput>(), command.opts<CommonInput>()];
    // Commander gives --no-pager a default of true on each level: only a value of the user's counts.
    const pager = common.pager !== false && own.pager !== false;
    const options = { ...common, ...own, pager };
    terminal.configure(options);
    const call: Call = {
      args: command.args,
      options,
      terminal,
      folder: folderOf(terminal, options.C),
      help: name => helpOf(name, terminal),
    };
    run.exitCode = await spec.run(call as Call<never>);
  });
}

/** The folder of the shell may be gone: an edit that takes the last file of a folder removes it. */
function folderOf(terminal: Terminal, given: readonly string[] = []): string {
  const at = given.reduce((folder, one) => (isAbsolute(one) ? one : join(folder, one)), '');
  if (isAbsolute(at)) return at;
  try {
    return resolve(terminal.cwd(), at);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    const message =
      'The folder that this was started in is gone. Go to another one (cd), or give an absolute path (vedit -C).';
    throw new EditError('NOT_A_REPOSITORY', message, { gone: true }, { cause: error });
  }
}

function addOption(command: Command, spec: OptionSpec, group?: string): void {
  const [flags, description, value] = spec;
  const option = new Option(flags, description);
  const [name = ''] = flags.split(/[, ]/);
  if (value !== undefined) option.argParser((text, previous) => readValue(value, text, name, previous));
  const heading = group ?? headingOf(spec);
  if (heading) option.helpGroup(heading);
  option.hideHelp(group === undefined && programOptions.includes(spec));
  command.addOption(option);
}

/** Options for programs on one line; with what they do in the help for programs. */
function programsText(command: Command, { options = [] }: CliCommand): string {
  const names = options.flatMap(one => (programOptions.includes(one) ? one[0].split(' ')[0]! : []));
  if (names.length === 0) return '';
  const words = `For programs (vedit help programs): ${names.join(', ')}`;
  return `\n${command.createHelp().boxWrap(words, 80)}\n`;
}

function sentence(summary: string): string {
  return `${capital(summary)}.`;
}

function examplesText({ examples }: CliCommand): string {
  const width = Math.max(...examples.map(([line, what]) => (what === '' ? 0 : line.length)));
  const lines = examples.map(([line, what]) =>
    what === '' ? `  ${line}` : `  ${line.padEnd(width)}  # ${what}`,
  );
  return `\nExamples:\n${lines.join('\n')}`;
}

const EXIT_CODES = EXITS.map(([code, words]) => `  ${String(code).padEnd(4)} ${words}`).join('\n');

const EXAMPLES = `
  vedit install                # agents get vedit, in this project
  vedit log --oneline          # who did what
  vedit review                 # accept or reject, hunk by hunk
  vedit land                   # your commit
  vedit undo                   # take the last edit back

vedit help all says what each command does, vedit help log how one is used,
vedit help programs what there is for agents, programs and scripts, vedit help
exit-codes what a script is answered.`;

/** The names of the other commands that people type, and examples. */
function afterTheFirst(terminal: Terminal): string {
  const groups = GROUPS.slice(1, -1).map(group => {
    const names = commands.filter(one => one.group === group).map(({ name }) => name);
    return `${titled(`${group}:`, terminal)}\n  ${names.join(', ')}\n`;
  });
  return `\n${groups.join('')}\n${titled('Examples:', terminal)}${EXAMPLES}`;
}
