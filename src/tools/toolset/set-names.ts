/** The names of the tools in each set. It loads no tool, so that the command line can name them at no cost. */

import type { ToolName } from '../data.ts';

/** The tools of each set. */
export interface ToolSets {
  minimal: 'view' | 'str_replace' | 'insert' | 'create' | 'undo';
  standard: ToolSets['minimal'] | 'replace_lines' | 'delete' | 'move' | 'apply_patch' | 'redo' | 'log';
  all: ToolName;
}

export type ToolSetName = keyof ToolSets;

const MINIMAL: ReadonlyArray<ToolSets['minimal']> = ['view', 'str_replace', 'insert', 'create', 'undo'];

const STANDARD: ReadonlyArray<ToolSets['standard']> = [
  ...MINIMAL,
  'replace_lines',
  'delete',
  'move',
  'apply_patch',
  'redo',
  'log',
];

/** The names in them; exported for the test that each is a tool. */
export const SETS: Readonly<Record<string, readonly string[]>> = { minimal: MINIMAL, standard: STANDARD };
