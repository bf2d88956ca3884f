/** The schema of a command's input, made of its fields. */

import * as z from 'zod';
import { lineNumber } from '../edits/fields.ts';
import { commonAliases, commonFields } from '../engine/change/edit-input.ts';
import type { Command, Field } from './command.ts';

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
export function schemaOf({ fields, common = [] }: Pick<Command, 'fields' | 'common'>): z.ZodObject {
  const own = Object.entries(fields).map(([name, field]) => [name, fieldSchema(field)]);
  const shared = common.map(name => [name, commonFields[name]()]);
  return z.object(Object.fromEntries([...own, ...shared]));
}

/** Returns the other names of its fields. */
export function aliasesOf({ fields, common = [] }: Pick<Command, 'fields' | 'common'>): Aliases {
  const own = Object.entries(fields).map(([name, { aliases = [] }]) => [name, aliases]);
  const shared = common.map(name => [name, commonAliases[name] ?? []]);
  return Object.fromEntries([...shared, ...own].filter(([, aliases]) => aliases!.length > 0));
}

type Aliases = Readonly<Record<string, readonly string[]>>;

function fieldSchema({ kind, of, required, about }: Field): z.ZodType {
  const schema = of ? z.enum(of as [string, ...string[]]) : SCHEMAS[kind]();
  return (required ? schema : schema.optional()).describe(about);
}
