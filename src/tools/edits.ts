/** Every edit as a tool: this one function lifts them all. */

import type { Edit } from '../edits/edit.ts';
import { edits } from '../edits/index.ts';
import { liftedAliases, liftedSchema } from '../workspace/change/edit-input.ts';
import type { Tool } from './tool.ts';

export const editTools: readonly Tool[] = edits.map(lift);

/** One edit as a tool. */
export function lift(edit: Edit): Tool {
  return {
    name: edit.name,
    title: titleOf(edit.name),
    description: edit.description,
    input: liftedSchema(edit),
    aliases: liftedAliases(edit),
    example: edit.example,
    readOnly: false,
    run: (session, raw) => session.edit(edit.name, raw),
  };
}

/** `str_replace` is "Str replace" to people: the name says it all. */
function titleOf(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words[0]!.toUpperCase() + words.slice(1);
}
