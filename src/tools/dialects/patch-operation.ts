/**
 * One operation of OpenAI's apply_patch tool: `create_file`, `update_file` or `delete_file` of one path, with a diff.
 * https://platform.openai.com/docs/guides/tools-apply-patch
 */

import { shortened } from '../../edits/input-problems.ts';
import type { Session } from '../../workspace/session.ts';
import type { ToolResult } from '../index.ts';
import { type CallOptions, given, invalid, isFields, runAs, wordOf } from './call.ts';

const TYPES = ['create_file', 'update_file', 'delete_file'];

/** Runs one operation `{type, path, diff, moveTo}`. Never throws. */
export async function runPatchOperation(
  session: Session,
  operation: unknown,
  options: CallOptions = {},
): Promise<ToolResult> {
  if (!isFields(operation)) return invalid('The operation must be an object with type, path and diff.');
  const { type, ...fields } = given(operation);
  if (!TYPES.includes(wordOf(type)))
    return invalid(`There is no operation ${shortened(type)}. They are ${TYPES.join(', ')}.`, {
      types: TYPES,
    });
  return runAs(session, 'apply_patch', { operation: type, ...fields }, options);
}
