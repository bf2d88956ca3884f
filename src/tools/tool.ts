/** The contract of a tool: what every surface offers to an agent, with JSON in and out. */

import * as z from 'zod';
import { lineNumber } from '../edits/fields.ts';
import { parseInput } from '../edits/input.ts';
import type { Answer } from '../engine/answer.ts';
import { commonAliases, commonFields } from '../engine/change/edit-input.ts';
import { withInput } from '../lazy.ts';
import { camelCased } from '../spelling.ts';
import type { Command, Field } from '../table/command.ts';
import type { Session } from '../workspace/session.ts';

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
