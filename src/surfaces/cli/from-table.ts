/** A command of the table as a command of the command line: its options are made of its fields, its input is read off them. */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Answer } from '../../engine/answer.ts';
import { camelCased } from '../../spelling.ts';
import type { Command, CommandFields, Field } from '../../table/command.ts';
import type { EditCommand } from '../../table/edits.ts';
import { backOptions, type EditOptions, editOptions, optionName, trailOptions } from '../../table/options.ts';
import type { OptionValue } from '../../table/usage.ts';
import type { Line, OptionSpec, Use } from '../../table/use.ts';
import type { ToolResult } from '../../tools/run.ts';
import type { Call, CliCommand } from './command.ts';
import { type Engine, withEngine, withFolder } from './engine.ts';
import { EXIT } from './exit-codes.ts';
import { isCommitName, parseFileRange, type WorkingFolder } from './input/names.ts';
import { readText } from './input/text-source.ts';
import { type Attempt, answer, attempt } from './run.ts';
import { withProgress } from './terminal/progress.ts';
import { tellDone } from './views/done.ts';

/** A command's own words for a terminal where they are not the message, or all that it does there. */
export interface OnTerminal extends Partial<Pick<CliCommand, 'run' | 'rewrite'>> {
  show?(call: Call<never>, done: Answer<never>): Promise<void>;
}

type Given = Readonly<Record<string, unknown>>;

interface Unit extends Pick<Command, 'fields'> {
  name: string;
  use: Use;
}

/** Makes a command of the command line. */
export function lineOf(
  command: Command | EditCommand,
  use: Use,
  { show, ...own }: OnTerminal = {},
): CliCommand {
  const { fields } = command;
  const unit: Unit = { ...command, use };
  const writes = 'edit' in command || command.common?.includes('dry_run');
  const shared = 'edit' in command ? editOptions : writes ? backOptions : trailOptions;
  return {
    ...use,
    arguments: [...argumentsOf(fields), ...(use.arguments ?? [])],
    options: [...optionsOf(fields), ...(use.options ?? []), ...shared],
    run: (call: Call<EditOptions>) => (writes ? write(unit, call) : read(unit, call, show)),
    ...own,
  };
}

async function write({ name, fields, use }: Unit, call: Call<EditOptions>): Promise<number> {
  const { tool = name, ...input } = await inputOf(fields, use, call);
  const { base, versionOf: version, onStale: on_stale, ...given } = call.options;
  const { dryRun: dry_run, reason, editId: edit_id, allowSecret: allow_secret } = given;
  const common = { base, version, ...(on_stale && { on_stale }), dry_run, reason, edit_id, allow_secret };
  const work = async ({ run, session, place }: Engine): Promise<number> => {
    const all = { ...placed(input, place, one => place.path(one)), ...common };
    const result: ToolResult = use.run
      ? await attempt(() => use.run!(session, camelCased(all) as never, () => {}))
      : await run(String(tool), all);
    return answer(call, result, () => tellDone(call, result));
  };
  const session = use.inSession && tool === name ? 'back' : 'edits';
  return withEngine(call, work, { workspace: { brief: true }, session });
}

async function read(
  { name, fields, use }: Unit,
  call: Call<EditOptions>,
  show: OnTerminal['show'],
): Promise<number> {
  const input = await inputOf(fields, use, call);
  return withEngine(call, async ({ run, session, place }) => {
    const top = (field: string): string | undefined => (fields[field]?.required ? '.' : undefined);
    const all = placed(input, place, (path, field) => place.scope(path) ?? top(field));
    const result: Attempt = await withProgress(call.terminal, 'reading', tell =>
      use.run ? attempt(() => use.run!(session, camelCased(all) as never, tell)) : run(name, all),
    );
    const code = await answer(
      call,
      result,
      show && (done => show(call as Call<never>, done as Answer<never>)),
    );
    return result.ok && use.isFault?.(result.data as never) ? EXIT.faulty : code;
  });
}

/** Reads the input off arguments and options, by fields and as the command itself does. */
async function inputOf(fields: CommandFields, { read }: Use, call: Call<EditOptions>): Promise<Given> {
  const options = call.options as Given;
  const line: Line = {
    range(given, lines) {
      const { path, range } = parseFileRange(given, call.folder, lines);
      return { path, ...(range && { view_range: range }) };
    },
    isFile: path => existsSync(resolve(call.folder, path)),
    isEdit: id => withFolder(call, ({ workspace }) => isCommitName(workspace, id)),
    text: (name: string, argument: string | undefined, given: object, missing?: string) =>
      readText(call, name, argument, given, missing) as Promise<string>,
  };
  const all = {
    ...givenBy(fields, call.args, options),
    ...(await read?.(call.args, options as never, line)),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
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
