/** The fields of undo and redo. */

import { z } from 'zod';

interface BackShape extends Readonly<z.ZodRawShape> {
  count: z.ZodOptional<z.ZodInt>;
  scope: z.ZodOptional<z.ZodEnum<{ session: 'session'; trail: 'trail' }>>;
  dry_run: z.ZodOptional<z.ZodBoolean>;
  reason: z.ZodOptional<z.ZodString>;
}

export const backFields: z.ZodObject<BackShape> = z.object({
  count: z.int().positive().optional().describe('How many edits; default 1.'),
  scope: z
    .enum(['session', 'trail'])
    .optional()
    .describe('Your own edits (default), or anybody’s on the trail.'),
  dry_run: z.boolean().optional().describe('Answer what would happen; write nothing.'),
  reason: z.string().optional().describe('Why, for the history.'),
});
