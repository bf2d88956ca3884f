/** The public types alone: an import of this entry loads nothing. */

export type * from './index.ts';
export type * from './testing.ts';
export type * from './tools/public.ts';
