/** A command of the table as a command of the command line: its options are made of its fields, its input is read off them. */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Answer } from '../../engine/answer.ts';
import { camelCased } from '../../spelling.ts';
import type { CommandFields, Field } from '../../table/command.ts';
import { backOptions, type EditOptions, editOptions, optionName, trailOptions } from '../../table/options.ts';
import type { Unit } from '../../table/rows.ts';
import type { Job, Line, OptionSpec, OptionValue, Use } from '../../table/use.ts';
import type { Session } from '../../workspace/session.ts';
import { markerOfAgent } from './agent-marker.ts';
import { type Attempt, answer, attempt, isWanted, jsonLine } from './answer.ts';
import type { Call, OnTerminal } from './command.ts';
import { type Engine, gitOf, withEngine, withFolder } from './engine.ts';
import { EXIT } from './exit-codes.ts';
import { isCommitName, parseFileRange, type WorkingFolder } from './input/names.ts';
import { readText } from './input/text-source.ts';
import { tellIfLong, withProgress } from './terminal/progress.ts';
import { tellDone } from './views/done.ts';

/** A command as commander has it: what it takes, and what it does. */
export interface CliCommand
  extends Pick<Use, 'details' | 'arguments' | 'options' | 'examples' | 'passesThrough'>,
    Pick<OnTerminal, 'rewrite'> {
  run(call: Call<never>): Promise<number>;
}

type Given = Readonly<Record<string, unknown>>;

interface Made extends Unit, OnTerminal {
  fields: CommandFields;
}

/** Makes a command of the command line of a row of the table. */
export function lineOf({ use, command }: Unit, own: OnTerminal = {}): CliCommand {
  const { fields = {} } = command ?? {};
  const made: Made = { use, ...(command && { command }), ...own, fields };
  return {
    ...use,
    arguments: [...argumentsOf(fields), ...(use.arguments ?? [])],
    options: [...optionsOf(fields), ...(use.options ?? []), ...(command ? sharedBy(command) : [])],
    ...(own.rewrite && { rewrite: own.rewrite }),
    run: own.run ?? ((call: Call<EditOptions>) => runnerOf(made)(made, call)),
  };
}

function sharedBy(command: NonNullable<Unit['command']>): readonly OptionSpec[] {
  if ('edit' in command) return editOptions;
  return isWriting(command) ? backOptions : trailOptions;
}

/** True for a command that makes commits. */
function isWriting(command: NonNullable<Unit['command']>): boolean {
  return 'edit' in command || (command.common?.includes('dry_run') ?? false);
}

function runnerOf({ use, command }: Made): typeof act {
  if (command) return act;
  return use.items ? list : use.alone ? alone : work;
}

/** Makes the call of an edit, or of a command that is a tool. */
async function act(made: Made, call: Call<EditOptions>): Promise<number> {
  const { fields, use } = made;
  const command = made.command!;
  const writes = isWriting(command);
  const input = await inputOf(fields, use, call);
  const work = async ({ session, place }: Engine): Promise<number> => {
    const top = (field: string): string | undefined => (fields[field]?.required ? '.' : undefined);
    const at = (path: string, field: string): string | undefined =>
      writes ? place.path(path) : (place.scope(path) ?? top(field));
    const all = given({ ...camelCased(placed(input, place, at)), ...(writes && commonOf(call.options)) });
    const result = await withProgress(call.terminal, writes ? null : 'reading', tell =>
      attempt(() => answerOf(command, use, session, all, tell)),
    );
    return told(call, result, writes ? { use, show: tellDone } : made);
  };
  const session = use.inSession?.(input) ? 'back' : 'edits';
  return withEngine(call, work, writes ? { workspace: { brief: true }, session } : {});
}

function answerOf(
  command: NonNullable<Unit['command']>,
  { run }: Use,
  session: Session,
  input: object,
  tell: (words: string) => void,
): Promise<Answer<unknown>> {
  if (run) return run(session, input as never, tell);
  if ('edit' in command) return session.edit(command.name as string, input);
  return command.run(session, input as never);
}

/** Returns what every call that makes a commit may be given. */
function commonOf({ versionOf: version, ...options }: EditOptions): object {
  const { base, onStale, dryRun, reason, editId, allowSecret } = options;
  return { base, version, onStale, dryRun, reason, editId, allowSecret };
}

/** Answers, with the exit code that the data says. */
async function told(call: Call, result: Attempt, { use, show }: Pick<Made, 'use' | 'show'>): Promise<number> {
  const code = await answer(call, result, show && (done => show(call as Call<never>, done as Answer<never>)));
  const not = result.ok ? use.exit?.(result.data as never) : undefined;
  return not ? EXIT[not] : code;
}

function alone({ use }: Made, call: Call): Promise<number> {
  const { args, options, folder } = call;
  const at = (path: string): string => resolve(folder, path);
  return attempt(() => use.alone!({ args, options: options as never, at })).then(done => answer(call, done));
}

/** Does what the library does; where the outcome has a question, once more after a yes. */
function work(made: Made, call: Call<EditOptions>): Promise<number> {
  const { use } = made;
  const { terminal, options } = call;
  return withEngine(call, async engine => {
    const once = (further: object): Promise<Attempt> => {
      const own = { ...options, ...further };
      return meanwhile(use, terminal, tell =>
        attempt(() => use.work!(jobOf({ ...call, options: own }, engine, tell))),
      );
    };
    const first = await once({});
    const question = use.asks?.(first, options as never);
    const isAsked = question && (question.nobody !== undefined || (!options.json && terminal.canAsk));
    if (!isAsked) return told(call, first, made);
    const { plan, words, nobody = '', yes } = question;
    if (await isWanted(call, plan, words, nobody)) return told(call, await once(yes), made);
    return first.ok ? EXIT.refused : told(call, first, made);
  });
}

/** Says what takes long: on one line that goes again, but where others ask something on it. */
function meanwhile(
  { busy, othersAsk }: Use,
  terminal: Call['terminal'],
  work: (tell: (words: string) => void) => Promise<Attempt>,
): Promise<Attempt> {
  if (busy === undefined) return work(() => {});
  if (othersAsk) return tellIfLong(terminal, `${busy} ...`, () => work(() => {}));
  return withProgress(terminal, busy, work);
}

/** Prints one object after the other. On a terminal they are themselves what is seen. */
function list({ use, item }: Made, call: Call<EditOptions>): Promise<number> {
  const { terminal, options } = call;
  const shown = options.json ? undefined : item;
  const printEach = async (engine: Engine, tell: (words: string) => void): Promise<number> => {
    let count = 0;
    for await (const one of use.items!(jobOf(call, engine, tell))) {
      await terminal.print(...(shown?.(one as never, terminal) ?? [jsonLine(one)]));
      tell(`${++count} records written`);
    }
    return EXIT.done;
  };
  const { busy } = use;
  return withEngine(
    call,
    engine =>
      terminal.isOutputTerminal || busy === undefined
        ? printEach(engine, () => {})
        : withProgress(terminal, busy, tell => printEach(engine, tell)),
    { session: 'filters' },
  );
}

function jobOf(
  call: Call<EditOptions>,
  { workspace, session, place }: Engine,
  tell: (words: string) => void,
): Job<never> {
  const { args, terminal } = call;
  return {
    ...lineIn(call),
    ...{ args, workspace, session, tell, canAsk: terminal.canAsk },
    options: call.options as never,
    path: given => place.path(given),
    scope: given => place.scope(given),
    git: () => gitOf(terminal),
    agentBy: markerOfAgent(terminal.env)?.name ?? null,
  };
}

/** Reads the input off arguments and options, by fields and as the command itself does. */
async function inputOf(fields: CommandFields, { read }: Use, call: Call<EditOptions>): Promise<Given> {
  const options = call.options as Given;
  const all = {
    ...givenBy(fields, call.args, options),
    ...(await read?.(call.args, options as never, lineIn(call))),
  };
  return given(all);
}

/** Leaves out what is not given. */
function given(all: object): Given {
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

function lineIn(call: Call<EditOptions>): Line {
  return {
    range(given, lines) {
      const { path, range } = parseFileRange(given, call.folder, lines);
      return { path, ...(range && { view_range: range }) };
    },
    isFile: path => existsSync(resolve(call.folder, path)),
    isEdit: id => withFolder(call, ({ workspace }) => isCommitName(workspace, id)),
    text: (name: string, argument: string | undefined, given: object, missing?: string) =>
      readText(call, name, argument, given, missing) as Promise<string>,
  };
}

/** The fields that arguments give, in their order, and those that options do. */
function givenBy(fields: CommandFields, args: readonly string[], options: Given): Given {
  let at = 0;
  const entries = Object.entries(fields).map(([name, { arg, flag = '' }]) => {
    if (arg !== undefined) return [name, arg.includes('...') ? args.slice(at) : args[at++]];
    return [name, options[optionName(flag)]];
  });
  return Object.fromEntries(entries);
}

/** Words of models begin a sentence; those of help do not. */
function helpWords({ about }: Field): string {
  return `${about.charAt(0).toLowerCase()}${about.slice(1).replace(/\.$/, '')}`;
}

function argumentsOf(fields: CommandFields): Array<readonly [name: string, about: string]> {
  return Object.values(fields).flatMap(field => (field.arg ? [[field.arg, helpWords(field)] as const] : []));
}

function optionsOf(fields: CommandFields): OptionSpec[] {
  return Object.values(fields).flatMap((field): OptionSpec[] => {
    const { flag, kind, of } = field;
    if (flag === undefined) return [];
    const value = of ?? VALUES[kind];
    return [value === undefined ? [flag, helpWords(field)] : [flag, helpWords(field), value]];
  });
}

const VALUES: { readonly [Kind in Field['kind']]?: OptionValue } = {
  count: 'natural',
  texts: 'each',
  time: 'time',
};

/** Paths are relative to the folder that the command runs in: makes them those from the top of the work tree. */
function placed(
  input: Given,
  place: WorkingFolder,
  at: (path: string, field: string) => string | undefined,
): object {
  const entries = Object.entries(input).map(([name, value]) => {
    if ((name === 'path' || name === 'new_path') && typeof value === 'string') return [name, at(value, name)];
    if (name === 'edits') return [name, (value as Given[]).map(one => placed(one, place, at))];
    return [name, name === 'paths' ? place.scopes(value as string[]) : value];
  });
  return Object.fromEntries(entries);
}
