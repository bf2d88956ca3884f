/** Options that choose edits of the history: how many, whose, and since when. */

import type { LogOptions } from '../../../workspace/queries/log/history.ts';
import type { Call, OptionSpec } from '../command.ts';
import { type TrailOptions, trailOptions } from './options.ts';
import { parseSince } from './since.ts';
import { wholeNumber } from './usage.ts';

export interface FilterOptions extends TrailOptions {
  maxCount?: number;
  session?: string;
  agent?: string;
  since?: Date;
}

export const filterOptions: readonly OptionSpec[] = [
  {
    flags: '-n, --max-count <n>',
    description: 'at most so many, the newest',
    parse: text => wholeNumber('-n', text, 1),
  },
  { flags: '--session <id>', description: 'only edits of this session' },
  { flags: '--agent <name>', description: 'only edits of this agent' },
  {
    flags: '--since <time>',
    description: 'only since a time: 2026-11-20, 15:00, yesterday, 3h, "2 days ago"',
    parse: parseSince,
  },
  ...trailOptions,
];

/** Returns the choice as the library takes it. */
export function filterOf({ maxCount: limit, session, agent, since }: FilterOptions): LogOptions {
  return { session, agent, since, limit };
}

/** Returns the call without session and agent: they choose what is shown, and do not say who is looking. */
export function filterOnly({ options, ...call }: Call<FilterOptions>): Call<TrailOptions> {
  const { session: _session, agent: _agent, ...others } = options;
  return { ...call, options: others };
}
