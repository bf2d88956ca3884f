/** A command of the table as a command of the command line: its options are made of its fields, its input is read off them. */

import type { Command, CommandFields } from '../../table/command.ts';
import type { Call, CliCommand, OptionSpec } from './command.ts';
import type { WorkingFolder } from './input/names.ts';
import { backOptions, type EditOptions } from './input/options.ts';
import { runWriter } from './run.ts';

/** Makes a command that goes back. */
export function backCommand(command: Command): CliCommand {
  const { fields, name } = command;
  const { details, arguments: list = [], options = [], examples, inSession, read } = command.use!;
  return {
    ...(details && { details }),
    arguments: list,
    options: [...optionsOf(fields), ...options, ...backOptions],
    examples,
    async run(call: Call<EditOptions>) {
      const given = call.options as Readonly<Record<string, unknown>>;
      const { tool = name, ...own } = read(call.args, given);
      const input = { ...flaggedIn(fields, given), ...own };
      const use = inSession && tool === name ? 'back' : 'edits';
      return runWriter(call, String(tool), place => placed(fields, input, place), use);
    },
  };
}

/** Words of models begin a sentence; those of help do not. */
function optionsOf(fields: CommandFields): OptionSpec[] {
  return Object.values(fields).flatMap(({ flag, about }): OptionSpec[] =>
    flag === undefined
      ? []
      : [[flag, `${about.charAt(0).toLowerCase()}${about.slice(1).replace(/\.$/, '')}`]],
  );
}

/** The fields that options give: `--path <path>` is the option `path`. */
function flaggedIn(
  fields: CommandFields,
  options: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const entries = Object.entries(fields).map(([name, { flag = '' }]) => {
    const [, option = ''] = /--(\w+)/.exec(flag) ?? [];
    return [name, options[option]] as const;
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** Paths are relative to the folder that the command runs in: makes them those from the top of the work tree. */
function placed(fields: CommandFields, input: Record<string, unknown>, place: WorkingFolder): object {
  const entries = Object.entries(input).map(([name, value]) => {
    const kind = fields[name]?.kind;
    if (kind === 'path') return [name, place.path(value as string)];
    return [name, kind === 'paths' ? place.scopes(value as string[]) : value];
  });
  return Object.fromEntries(entries);
}
