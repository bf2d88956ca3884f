/** The contract of a tool: what every surface offers to an agent, with JSON in and out. */

import * as z from 'zod';
import type { EditName } from '../edits/index.ts';
import { parseInput } from '../edits/input.ts';
import type { Answer, DoneData } from '../engine/answer.ts';
import { type Fields, type ShapeOf, shapeOf } from '../engine/calls/call-options.ts';
import { withInput } from '../lazy.ts';
import type { BlameData } from '../queries/blame.ts';
import type { DiffData } from '../queries/diff/compare.ts';
import type { LogData, ShowData } from '../queries/log/history.ts';
import type { StatusData } from '../queries/status.ts';
import type { VerifyData } from '../queries/verify.ts';
import type { ViewData } from '../queries/view.ts';
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
  ownLimit?: boolean;
  /** Checks the raw input and does the work. Throws EditError. */
  run(session: Session, raw: unknown): Promise<Answer<unknown>>;
}

interface Definition<Name extends ToolName, Own extends Fields>
  extends Omit<Tool, 'name' | 'input' | 'aliases' | 'run'> {
  name: Name;
  /** The fields of its input. */
  input: Own;
  aliases?: Tool['aliases'];
  /** Reads the raw input before it is checked. */
  read?(raw: unknown): unknown;
  run(session: Session, input: z.infer<z.ZodObject<ShapeOf<Own>>>): Promise<Answer<ToolData[Name]>>;
}

/** Makes a tool of fields and a function that gets the checked input, and answers with the data that data.ts promises. */
export function defineTool<Name extends ToolName, Own extends Fields>({
  aliases = {},
  input: fields,
  read,
  run,
  ...definition
}: Definition<Name, Own>): Tool {
  const tool: Tool = withInput({
    ...definition,
    aliases,
    input: () => z.object(shapeOf(fields)),
    run: async (session: Session, raw: unknown) =>
      run(session, parseInput(tool, read ? read(raw) : raw) as z.infer<z.ZodObject<ShapeOf<Own>>>),
  });
  return tool;
}

export interface ToolData extends Record<EditName, DoneData> {
  view: ViewData;
  change: DoneData;
  preview: DoneData;
  undo: DoneData;
  redo: DoneData;
  revert: DoneData;
  rollback: DoneData;
  restore: DoneData;
  log: LogData;
  show: ShowData;
  diff: DiffData;
  blame: BlameData;
  status: StatusData;
  verify: VerifyData;
}

export type ToolName = keyof ToolData;
