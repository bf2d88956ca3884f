/** The part of a command that is known before its file is loaded. */

import type { CliCommand } from './command.ts';

/** The headings, in their order: the ten that a person begins with, then the others by task. */
export const GROUPS = [
  'Begin with',
  'Set up',
  'Look closer',
  'Go back, and keep',
  'Edit by hand',
  'Share with others',
  'For agents, programs and hosts',
] as const;

export interface ListedCommand {
  name: string;
  /** The tools of agents that do the same, and other words for that. */
  also?: readonly string[];
  /** The heading in the list; `null` for an old name, which no list shows. */
  group: (typeof GROUPS)[number] | null;
  /** One line. */
  summary: string;
  load(): Promise<CliCommand>;
}
