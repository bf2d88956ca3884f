/**
 * Anthropic's text editor tool, in all its versions: one tool with a `command`.
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/text-editor-tool
 */

import { shortened } from '../../edits/input-problems.ts';
import type { Vocabulary } from '../../wording.ts';
import type { Session } from '../../workspace/session.ts';
import { run, type ToolResult } from '../run.ts';
import { type CallOptions, type Fields, given, invalid, isFields, runAs, wordOf } from './call.ts';
import type { TextEditorSettings } from './options.ts';

export interface TextEditorOptions extends CallOptions, TextEditorSettings {}

/** Runs one call of the tool. Never throws. */
export async function runTextEditor(
  session: Session,
  input: unknown,
  options: TextEditorOptions = {},
): Promise<ToolResult> {
  if (!isFields(input)) return invalid('The input must be an object with a command and a path.');
  const { command, ...fields } = given(input);
  const op = wordOf(command);
  const answer = COMMANDS.get(op);
  if (!answer) return invalid(`There is no command ${shortened(command)}. ${KNOWN}`, { commands: NAMES });
  const { signal, known } = options;
  return run(session, { op, signal, known, vocabulary: VOCABULARY, limit: 'whole' }, own =>
    answer(own, fields, options),
  );
}

type Command = (session: Session, fields: Fields, options: TextEditorOptions) => Promise<ToolResult>;

const same =
  (tool: string): Command =>
  (session, fields, options) =>
    runAs(session, tool, fields, options);

const COMMANDS: ReadonlyMap<string, Command> = new Map(
  Object.entries<Command>({
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
  }),
);

/** The tool has no field for a version. */
const VOCABULARY: Vocabulary = {
  tools: { view: 'view', str_replace: 'str_replace', create: 'create', insert: 'insert' },
  fields: { base: null, version: null, even_if_rejected: null, allow_secret: null },
};

const NAMES = [...COMMANDS.keys()];
const KNOWN = `The commands are ${NAMES.join(', ')}.`;
