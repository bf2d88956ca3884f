/** Makes a tool of a schema and a function that gets the checked input, and answers with the data that data.ts promises. */

import type * as z from 'zod';
import { parseInput } from '../edits/input.ts';
import { withInput } from '../lazy.ts';
import type { Answer } from '../workspace/answer.ts';
import type { Session } from '../workspace/session.ts';
import type { ToolData, ToolName } from './data.ts';
import type { Tool } from './tool.ts';

interface Definition<Name extends ToolName, Schema extends z.ZodObject>
  extends Omit<Tool, 'name' | 'input' | 'aliases' | 'run'> {
  name: Name;
  /** Made when it is first asked for. */
  input: () => Schema;
  aliases?: Tool['aliases'];
  /** Reads the raw input before it is checked. */
  read?(raw: unknown): unknown;
  run(session: Session, input: z.infer<Schema>): Promise<Answer<ToolData[Name]>>;
}

export function defineTool<Name extends ToolName, Schema extends z.ZodObject>({
  aliases = {},
  read,
  run,
  ...definition
}: Definition<Name, Schema>): Tool {
  const tool: Tool = withInput({
    ...definition,
    aliases,
    run: async (session: Session, raw: unknown) =>
      run(session, parseInput(tool, read ? read(raw) : raw) as z.infer<Schema>),
  });
  return tool;
}
