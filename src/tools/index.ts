/** The list of all tools, every edit among them, and the way to run any of them with JSON in and out. */

import * as z from 'zod';
import type { Edit } from '../edits/edit.ts';
import { lineNumber } from '../edits/fields.ts';
import { edits } from '../edits/index.ts';
import { parseInput } from '../edits/input.ts';
import { shortened } from '../edits/input-problems.ts';
import type { Answer } from '../engine/answer.ts';
import { type CheckOptions, optionsCheck } from '../engine/calls/call-options.ts';
import type { CallOptions } from '../engine/calls/cancel.ts';
import * as option from '../engine/calls/option.ts';
import { commonAliases, commonFields, liftedAliases, liftedSchema } from '../engine/change/edit-input.ts';
import { EditError } from '../errors.ts';
import { withInput } from '../lazy.ts';
import { closestName, toolMeant } from '../near-names.ts';
import { camelCased } from '../spelling.ts';
import type { Command, Field } from '../table/command.ts';
import { commands } from '../table/index.ts';
import { capital } from '../wording.ts';
import type { Session } from '../workspace/session.ts';
import { done, run, type ToolResult } from './run.ts';

export const editTools: readonly Tool[] = edits.map(lift);

/** Makes a tool of an edit. */
export function lift(edit: Edit): Tool {
  return withInput({
    name: edit.name,
    title: capital(edit.name.replaceAll('_', ' ')),
    description: edit.description,
    input: () => liftedSchema(edit),
    aliases: liftedAliases(edit),
    example: edit.example,
    readOnly: false,
    run: (session: Session, raw: unknown) => session.edit(edit.name, raw),
  });
}

/** All of them: to look first, then the edits, then the other commands of the table. */
export const tools: readonly Tool[] = [
  toolOf(commands[0]!),
  ...editTools,
  ...commands.slice(1).map(one => toolOf(one)),
];

export function toolNamed(name: string): Tool | undefined {
  return tools.find(tool => tool.name === name);
}

export interface RunOptions extends CallOptions {
  /** Answer everything, however long; default: within ANSWER_LIMITS. */
  whole?: boolean | undefined;
}

const checkRun: CheckOptions<Pick<RunOptions, 'whole'>> = optionsCheck(
  { whole: option.flag },
  { whole: true },
);

/**
 * Runs the tool called `name`, which may be an edit of your own. A refusal or failure is a result with a code; it rejects
 * only with the reason of the signal that stopped it.
 */
export async function runTool<Name extends string>(
  session: Session,
  name: Name,
  input: unknown,
  options: RunOptions = {},
): Promise<ToolResult<Name>> {
  const { signal, ...own } = Object(options) as RunOptions;
  const tool = toolNamed(name) ?? ownTool(session, name);
  const op = typeof name === 'string' ? name.slice(0, 80) : '';
  const limit = own.whole === true ? 'whole' : tool?.ownLimit ? 'own' : undefined;
  const result = await run(session, { op, input, signal, limit }, async within => {
    checkRun('runTool', own);
    if (!tool) {
      const all = tools.map(one => ({ name: one.name, tool: one.name }));
      throw unknownTool(name, all);
    }
    return done(await tool.run(within, input));
  });
  return result as ToolResult<Name>;
}

function ownTool(session: Session, name: unknown): Tool | undefined {
  const edit = session.edits.find(one => one.name === name);
  return edit && lift(edit);
}

/** A tool under the name that it is offered by; `tool` is its own. */
interface Named {
  name: string;
  tool: string;
}

export function unknownTool(given: unknown, offered: readonly Named[]): EditError {
  const names = offered.map(one => one.name);
  const own = toolMeant(
    given,
    offered.map(one => one.tool),
  );
  const same = offered.find(one => one.tool === own)?.name;
  const meant = same ?? (typeof given === 'string' ? closestName(given, names) : null);
  const words = meant === null ? '' : ` Did you mean ${meant}?`;
  const message = `There is no tool ${shortened(given)}.${words} The tools are ${names.join(', ')}.`;
  const suggestion = meant === null ? {} : { suggestion: meant };
  return new EditError('INVALID_INPUT', message, { tools: names, ...suggestion });
}

export interface Tool {
  name: string;
  /** A few words for people. */
  title: string;
  /** The description that the model reads. */
  description: string;
  /** A flat object schema. */
  input: z.ZodObject;
  /** Other names that models send for a field. */
  aliases: Readonly<Record<string, readonly string[]>>;
  /** An input that works. */
  example: Record<string, unknown>;
  /** True when no call of it can change anything. */
  readOnly: boolean;
  /** True when it cuts its message itself, at a limit that its input may set. */
  ownLimit?: boolean | undefined;
  /** Checks the raw input and does the work. Throws EditError. */
  run(session: Session, raw: unknown): Promise<Answer<unknown>>;
}

/** Makes a tool of a command of the table. */
export function toolOf(command: Command): Tool {
  const { name, title, description, example, common, says, ownLimit, lenient } = command;
  const tool: Tool = withInput({
    ...{ name, title, description, example, ownLimit },
    readOnly: !(says || common?.includes('dry_run')),
    aliases: aliasesOf(command),
    input: () => schemaOf(command),
    run: async (session: Session, raw: unknown) =>
      command.run(session, camelCased(parseInput(tool, lenient ? lenient(raw) : raw)) as never),
  });
  return tool;
}

const SCHEMAS: { readonly [Kind in Field['kind']]: () => z.ZodType } = {
  text: () => z.string(),
  path: () => z.string(),
  time: () => z.string(),
  texts: () => z.array(z.string()),
  paths: () => z.array(z.string()),
  flag: () => z.boolean(),
  count: () => z.int().positive(),
  lines: () => z.array(lineNumber()).length(2),
  edits: () => z.array(z.record(z.string(), z.unknown())).min(1),
};

/** Makes the schema of all that a command takes. */
function schemaOf({ fields, common = [] }: Command): z.ZodObject {
  const own = Object.entries(fields).map(([name, field]) => [name, fieldSchema(field)]);
  const shared = common.map(name => [name, commonFields[name]()]);
  return z.object(Object.fromEntries([...own, ...shared]));
}

/** Returns the other names of its fields. */
function aliasesOf({ fields, common = [] }: Command): Tool['aliases'] {
  const own = Object.entries(fields).map(([name, { aliases = [] }]) => [name, aliases]);
  const shared = common.map(name => [name, commonAliases[name] ?? []]);
  return Object.fromEntries([...shared, ...own].filter(([, aliases]) => aliases!.length > 0));
}

function fieldSchema({ kind, of, required, about }: Field): z.ZodType {
  const schema = of ? z.enum(of as [string, ...string[]]) : SCHEMAS[kind]();
  return (required ? schema : schema.optional()).describe(about);
}
