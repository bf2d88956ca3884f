/** How many tools an agent is offered: a long list costs tokens in every turn, and a model chooses worse from it. */

import { EditError } from '../../errors.ts';
import type { ToolName } from '../data.ts';
import { tools } from '../index.ts';
import type { Tool } from '../tool.ts';

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

/** The tools of a set, or those named, in the order of the list of all tools. Throws INVALID_INPUT for other names. */
export function toolsOf(set: ToolSetName | readonly string[]): Tool[] {
  if (set === 'all') return [...tools];
  const names = typeof set !== 'string' ? set : Object.hasOwn(SETS, set) ? SETS[set]! : [set];
  const unknown = names.filter(name => !tools.some(tool => tool.name === name));
  if (unknown.length > 0) throw noSuchTools(unknown);
  return tools.filter(tool => names.includes(tool.name));
}

function noSuchTools(unknown: readonly string[]): EditError {
  const known = tools.map(tool => tool.name);
  const message = `There is no tool ${unknown.join(', ')}. Name minimal, standard, all, or some of ${known.join(', ')}.`;
  return new EditError('INVALID_INPUT', message, { unknown, tools: known });
}
