/**
 * Anthropic's text editor tool, in all its versions: one tool with a `command`.
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/text-editor-tool
 */

import type { Vocabulary } from '../../wording.ts';
import type { Session } from '../../workspace/session.ts';
import { run, type ToolResult } from '../run.ts';
import { type CallOptions, commandOf, runAs } from './call.ts';
import type { TextEditorSettings } from './options.ts';

export interface TextEditorOptions extends CallOptions, TextEditorSettings {}

/** Runs one call of the tool. Never throws. */
export async function runTextEditor(
  session: Session,
  input: unknown,
  options: TextEditorOptions = {},
): Promise<ToolResult> {
  const named = commandOf(input, COMMANDS);
  if ('ok' in named) return named;
  const { command: op, fields } = named;
  const { signal, known, maxCharacters, callId } = options;
  return run(session, { op, signal, known, vocabulary: VOCABULARY, limit: 'whole' }, own => {
    if (op !== 'view') return runAs(own, op === 'undo_edit' ? 'undo' : op, fields, { callId });
    const cut = maxCharacters === undefined ? {} : { max_characters: maxCharacters };
    return runAs(own, 'view', { ...fields, ...cut });
  });
}

/** `undo_edit` was taken from the tool in 2025, because no host kept a history. */
const COMMANDS: readonly string[] = ['view', 'str_replace', 'create', 'insert', 'undo_edit'];

/** The tool has no field for a version. */
const VOCABULARY: Vocabulary = {
  tools: { view: 'view', str_replace: 'str_replace', create: 'create', insert: 'insert' },
  fields: { base: null, version: null, even_if_rejected: null, allow_secret: null },
};
