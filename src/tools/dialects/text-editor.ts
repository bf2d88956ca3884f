/**
 * Anthropic's text editor tool, in all its versions: one tool with a `command`.
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/text-editor-tool
 */

import type { Session } from '../../workspace/session.ts';
import type { ToolResult } from '../index.ts';
import { type CallOptions, type Fields, given, invalid, isFields, runAs } from './call.ts';

export interface TextEditorOptions extends CallOptions {
  /** Cut what `view` answers. */
  maxCharacters?: number | undefined;
}

/** Runs one call of the tool. Never throws. */
export async function runTextEditor(
  session: Session,
  input: unknown,
  options: TextEditorOptions = {},
): Promise<ToolResult> {
  if (!isFields(input)) return invalid('The input must be an object with a command and a path.');
  const { command, ...fields } = given(input);
  const run = COMMANDS[String(command)];
  if (!run) return invalid(`There is no command ${JSON.stringify(command)}. ${KNOWN}`, { commands: NAMES });
  return run(session, fields, options);
}

type Command = (session: Session, fields: Fields, options: TextEditorOptions) => Promise<ToolResult>;

const same =
  (tool: string): Command =>
  (session, fields, options) =>
    runAs(session, tool, fields, options);

const COMMANDS: Readonly<Record<string, Command>> = {
  view: (session, fields, { maxCharacters }) =>
    runAs(session, 'view', {
      ...fields,
      ...(maxCharacters === undefined ? {} : { max_characters: maxCharacters }),
    }),
  str_replace: same('str_replace'),
  create: same('create'),
  insert: same('insert'),
  // Taken from the tool in 2025, because no host kept a history.
  undo_edit: same('undo'),
};

const NAMES = Object.keys(COMMANDS);
const KNOWN = `The commands are ${NAMES.join(', ')}.`;
