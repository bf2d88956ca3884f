/** Makes a tool of a schema and a function that gets the checked input. */

import type * as z from 'zod';
import { parseInput } from '../edits/input.ts';
import type { Answer } from '../workspace/answer.ts';
import type { Session } from '../workspace/session.ts';
import type { Tool } from './tool.ts';

interface Definition<Schema extends z.ZodObject> extends Omit<Tool, 'input' | 'aliases' | 'run'> {
  input: Schema;
  aliases?: Tool['aliases'];
  run(session: Session, input: z.infer<Schema>): Promise<Answer<unknown>>;
}

export function defineTool<Schema extends z.ZodObject>(definition: Definition<Schema>): Tool {
  const { name, input, example, aliases = {} } = definition;
  return {
    ...definition,
    aliases,
    run: async (session, raw) => {
      const parsed = parseInput({ name, input, aliases, example }, raw);
      return definition.run(session, parsed as z.infer<Schema>);
    },
  };
}
