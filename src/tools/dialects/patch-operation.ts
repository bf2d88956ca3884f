/**
 * One operation of OpenAI's apply_patch tool: `create_file`, `update_file` or `delete_file` of one path, with a diff.
 * https://platform.openai.com/docs/guides/tools-apply-patch
 */

import * as z from 'zod';
import { type InputSpec, parseInput } from '../../edits/input.ts';
import { shortened } from '../../edits/input-problems.ts';
import type { Vocabulary } from '../../wording.ts';
import type { Session } from '../../workspace/session.ts';
import { toolNamed } from '../index.ts';
import { run, type ToolResult } from '../run.ts';
import { type CallOptions, given, invalid, isFields, runAs } from './call.ts';

const EXAMPLES: Readonly<Record<string, Record<string, unknown>>> = {
  create_file: { type: 'create_file', path: 'docs/notes.md', diff: '+# Notes\n' },
  update_file: { type: 'update_file', path: 'src/app.ts', diff: '@@\n-listen(80);\n+listen(8080);\n' },
  delete_file: { type: 'delete_file', path: 'src/old.ts' },
};

/** The words of a tool that has nothing to show a file with. */
const VOCABULARY: Vocabulary = {
  tools: { apply_patch: 'apply_patch', create: 'create_file', delete: 'delete_file' },
  fields: {
    patch: null,
    base: null,
    version: null,
    overwrite: null,
    allow_secret: null,
  },
};

const TYPES = Object.keys(EXAMPLES);

/** Runs one operation `{type, path, diff, moveTo}`. Never throws. */
export async function runPatchOperation(
  session: Session,
  operation: unknown,
  { callId, ...turn }: CallOptions = {},
): Promise<ToolResult> {
  if (!isFields(operation)) return invalid('The operation must be an object with type, path and diff.');
  const { type, ...fields } = given(operation);
  const name = typeof type === 'string' ? type : '';
  if (!TYPES.includes(name))
    return invalid(`There is no operation ${shortened(type)}. They are ${TYPES.join(', ')}.`, {
      types: TYPES,
    });
  return run(session, { ...turn, op: 'apply_patch', vocabulary: VOCABULARY, limit: 'whole' }, async own => {
    const input = { ...parseInput(specOf(name), fields), operation: name };
    return runAs(own, 'apply_patch', input, { callId });
  });
}

/** Makes the input of an operation: the engine's tool takes whole patches too, and has a field for the operation. */
function specOf(type: string): InputSpec {
  const { input, aliases: all } = toolNamed('apply_patch')!;
  const own = input.omit({ patch: true, operation: true }).extend({ path: z.string().min(1) });
  const aliases = Object.fromEntries(Object.entries(all).filter(([field]) => field in own.shape));
  return { name: type, input: own, aliases, example: EXAMPLES[type]! };
}
