/** Options that choose edits of the history: how many, whose, and since when. */

import type { LogOptions } from '../../../queries/read-options.ts';
import type { Call, OptionsOf } from '../command.ts';
import { type TrailOptions, trailOptions } from './options.ts';

const ownOptions = [
  ['-n, --max-count <n>', 'at most so many, the newest', 'natural'],
  ['--session <id>', 'only edits of this session'],
  ['--agent <name>', 'only edits of this agent'],
  ['--since <time>', 'only since a time: 2026-11-20, 15:00, yesterday, 3h, "2 days ago"', 'time'],
] as const;

export const filterOptions: readonly [...typeof ownOptions, ...typeof trailOptions] = [
  ...ownOptions,
  ...trailOptions,
];

export type FilterOptions = OptionsOf<typeof filterOptions>;

/** Returns the choice as the library takes it. */
export function filterOf({ maxCount: limit, session, agent, since }: FilterOptions): LogOptions {
  return { session, agent, since, limit };
}

/** Returns the call without session and agent: they choose what is shown, and do not say who is looking. */
export function filterOnly({ options, ...call }: Call<FilterOptions>): Call<TrailOptions> {
  const { session: _session, agent: _agent, ...others } = options;
  return { ...call, options: others };
}
