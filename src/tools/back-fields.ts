/** The fields of tools that go back in history. */

import * as z from 'zod';

interface WayBackShape extends Readonly<z.ZodRawShape> {
  base: z.ZodOptional<z.ZodString>;
  version: z.ZodOptional<z.ZodString>;
  dry_run: z.ZodOptional<z.ZodBoolean>;
  edit_id: z.ZodOptional<z.ZodString>;
  call_id: z.ZodOptional<z.ZodString>;
  reason: z.ZodOptional<z.ZodString>;
}

/** Fields that every way back has. */
export const wayBackFields: WayBackShape = {
  base: z
    .string()
    .optional()
    .describe('The newest commit when you decided this. Refused as STALE if what it would do changed since.'),
  version: z
    .string()
    .optional()
    .describe('The version of the file when you decided this. Refused as STALE if it is another now.'),
  dry_run: z.boolean().optional().describe('Answer what would happen; write nothing.'),
  edit_id: z
    .string()
    .optional()
    .describe('Your own id for this request: sent again, it is answered, not done again.'),
  call_id: z.string().optional().describe('The id of the tool call, for the history.'),
  reason: z.string().optional().describe('Why, for the history.'),
};

interface BackShape extends WayBackShape {
  count: z.ZodOptional<z.ZodInt>;
  scope: z.ZodOptional<z.ZodEnum<{ session: 'session'; trail: 'trail' }>>;
  path: z.ZodOptional<z.ZodString>;
}

/** The fields of undo and redo. */
export const backFields: z.ZodObject<BackShape> = z.object({
  count: z.int().positive().optional().describe('How many edits; default 1.'),
  scope: z
    .enum(['session', 'trail'])
    .optional()
    .describe('Your own edits (default), or anybody’s on the trail.'),
  path: z.string().optional().describe('Only edits of this file.'),
  ...wayBackFields,
});
