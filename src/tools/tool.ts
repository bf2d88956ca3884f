/** The contract of a tool: what every surface offers to an agent, with JSON in and out. */

import type * as z from 'zod';
import type { Answer } from '../workspace/answer.ts';
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
