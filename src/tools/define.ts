/** Makes a tool of a schema and a function that gets the checked input, and answers with the data that data.ts promises. */

import type * as z from 'zod';
import { parseInput } from '../edits/input.ts';
import type { Answer } from '../workspace/answer.ts';
import type { Session } from '../workspace/session.ts';
import type { ToolData, ToolName } from './data.ts';
import type { Tool } from './tool.ts';

interface Definition<Name extends ToolName, Schema extends z.ZodObject>
  extends Omit<Tool, 'name' | 'input' | 'aliases' | 'run'> {
  name: Name;
  input: Schema;
  aliases?: Tool['aliases'];
  run(session: Session, input: z.infer<Schema>): Promise<Answer<ToolData[Name]>>;
}

export function defineTool<Name extends ToolName, Schema extends z.ZodObject>(
  definition: Definition<Name, Schema>,
): Tool {
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
