/** How many tools an agent is offered: a long list costs tokens in every turn, and a model chooses worse from it. */

import { EditError } from '../../errors.ts';
import { tools } from '../index.ts';
import type { Tool } from '../tool.ts';
import { SETS, type ToolSetName } from './set-names.ts';

export type { ToolSetName, ToolSets } from './set-names.ts';

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
