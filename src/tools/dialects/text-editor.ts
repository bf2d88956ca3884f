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
  const { command, fields } = named;
  const { signal, known, maxCharacters, callId } = options;
  return run(session, { op: command, signal, known, vocabulary: VOCABULARY, limit: 'whole' }, own => {
    const tool = TOOLS[command]!;
    if (tool !== 'view') return runAs(own, tool, fields, { callId });
    const cut = maxCharacters === undefined ? {} : { max_characters: maxCharacters };
    return runAs(own, tool, { ...fields, ...cut });
  });
}

/** The engine's tool for each command. `undo_edit` was taken out in 2025, because no host kept a history. */
const TOOLS: Readonly<Record<string, string>> = {
  view: 'view',
  str_replace: 'str_replace',
  create: 'create',
  insert: 'insert',
  undo_edit: 'undo',
};
const COMMANDS = Object.keys(TOOLS);

/** The tool has no field for a version. */
const VOCABULARY: Vocabulary = {
  tools: { view: 'view', str_replace: 'str_replace', create: 'create', insert: 'insert' },
  fields: { base: null, version: null, allow_secret: null },
};
