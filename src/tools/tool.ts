/** The contract of a tool: what every surface offers to an agent, with JSON in and out. */

import type * as z from 'zod';
import { parseInput } from '../edits/input.ts';
import type { Answer } from '../engine/answer.ts';
import { camelCased } from '../engine/calls/call-options.ts';
import { withInput } from '../lazy.ts';
import type { Command } from '../table/command.ts';
import { aliasesOf, schemaOf } from '../table/schema.ts';
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
  const { name, title, description, example, common, ownLimit, lenient } = command;
  const tool: Tool = withInput({
    ...{ name, title, description, example, ownLimit },
    readOnly: !common?.includes('dry_run'),
    aliases: aliasesOf(command),
    input: () => schemaOf(command),
    run: async (session: Session, raw: unknown) =>
      command.run(session, camelCased(parseInput(tool, lenient ? lenient(raw) : raw)) as never),
  });
  return tool;
}
