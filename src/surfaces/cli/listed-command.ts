/** The part of a command that is known before its file is loaded. */

import type { CliCommand } from './command.ts';

/** The headings, in their order. */
export const GROUPS = ['Start', 'Read', 'Edit', 'Go back', 'Keep', 'Share', 'For programs'] as const;

export interface ListedCommand {
  name: string;
  /** The tools of agents that do the same, and other words for that. */
  also?: readonly string[];
  /** The heading in the list. */
  group: (typeof GROUPS)[number];
  /** One line. */
  summary: string;
  load(): Promise<CliCommand>;
}
