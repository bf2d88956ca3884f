/**
 * Agent Zero's `text_editor`: one tool with an `action`, read, write or patch; a patch has exactly one of three forms.
 * https://github.com/agent0ai/agent-zero (plugins/_text_editor)
 */

import * as z from 'zod';
import { type InputSpec, parseInput } from '../../edits/input.ts';
import { parseContextPatch } from '../../edits/patch/context-form.ts';
import { EditError } from '../../errors.ts';
import type { Vocabulary } from '../../wording.ts';
import { type Fields, given, wordOf } from './call.ts';

export type Action = 'read' | 'write' | 'patch';

export const ACTIONS: readonly Action[] = ['read', 'write', 'patch'];

const path = z.string().min(1).describe('the file');
const shared = {
  open_in_canvas: z
    .union([z.boolean(), z.string(), z.int()])
    .optional()
    .describe(
      'true only if the user asks to open the file in the canvas or the editor; otherwise omit it: an open file refreshes by itself',
    ),
  context_id: z.string().optional().describe('the chat, for the answer'),
};
const changing = {
  version: z.string().optional().describe('refuse if the file is another version by now'),
  reason: z.string().optional().describe('why, for the history'),
  ...shared,
};

const lineEdit = z.strictObject({
  from: z.int().describe('first line'),
  to: z.int().nullish().describe('last line; absent: insert before from'),
  content: z.string().nullish().describe('new lines; absent or empty: delete'),
});

/** The engine's tools and fields as this tool has them. */
export const VOCABULARY: Vocabulary = {
  tools: {
    view: 'read',
    list: '',
    create: 'write',
    str_replace: 'patch',
    edit_lines: 'patch',
    context_patch: 'patch',
  },
  fields: {
    old_str: 'old_text',
    new_str: 'new_text',
    file_text: 'content',
    base: null,
    allow_secret: null,
    on_stale: null,
    overwrite: null,
    exact: null,
    replace_all: null,
  },
};

/** The fields of each action. */
export const INPUTS: Readonly<Record<Action, z.ZodObject>> = {
  read: z.strictObject({
    path,
    line_from: z.int().optional().describe('first line, from 1'),
    line_to: z.int().optional().describe('last line, inclusive; -1: the last of the file'),
    ...shared,
  }),
  write: z.strictObject({ path, content: z.string().describe('the whole file'), ...changing }),
  patch: z.strictObject({
    path,
    old_text: z.string().optional().describe('exact text that occurs once'),
    new_text: z.string().optional().describe('what takes its place; "" deletes it'),
    patch_text: z.string().optional().describe('hunks of @@ anchors and lines with " ", "-" or "+"'),
    edits: z.array(lineEdit).optional().describe('line edits, right after a read of the file'),
    ...changing,
  }),
};

const ALIASES = {
  path: ['file_path', 'file', 'filename'],
  content: ['file_text', 'text'],
  line_from: ['from', 'start_line'],
  line_to: ['to', 'end_line'],
  open_in_canvas: ['open_canvas', 'open_document'],
  context_id: ['ctxid'],
};

const EXAMPLES: Readonly<Record<Action, Record<string, unknown>>> = {
  read: { path: 'notes.md', line_from: 1, line_to: 50 },
  write: { path: 'notes.md', content: '# Notes\n' },
  patch: { path: 'notes.md', old_text: 'draft', new_text: 'final' },
};

/** Reads the action of a call out of the field, or of a name such as `text_editor:read`. Throws INVALID_INPUT. */
export function actionOf(tool: string, input: Fields): Action {
  const word = wordOf(input.action ?? tool.split(':')[1]);
  const action = ACTIONS.find(one => one === word.toLowerCase().replaceAll('-', '_'));
  if (action) return action;
  const message = `unknown action '${word.slice(0, 40)}'. Supported actions: ${ACTIONS.join(', ')}.`;
  throw new EditError('INVALID_INPUT', message, { actions: ACTIONS });
}

/** Checks the fields of an action, and returns them under their own names. Throws INVALID_INPUT. */
export function parseAction(action: Action, { action: _, ...raw }: Fields): Record<string, unknown> {
  const input = INPUTS[action];
  const fields = Object.keys(input.shape);
  const aliases = Object.fromEntries(Object.entries(ALIASES).filter(([field]) => fields.includes(field)));
  const spec: InputSpec = { name: `text_editor ${action}`, input, aliases, example: EXAMPLES[action] };
  return given(parseInput(spec, withNumbers(raw)));
}

/** Models send line numbers in quotes. */
function withNumbers(raw: Fields): Fields {
  const edits = raw.edits;
  const numbered = Object.fromEntries(
    Object.entries(raw).map(([key, value]) => [key, LINES.has(key) ? number(value) : value]),
  );
  if (!Array.isArray(edits)) return numbered;
  return {
    ...numbered,
    edits: edits.map(edit => (typeof edit === 'object' && edit ? withNumbers(edit as Fields) : edit)),
  };
}

const LINES: ReadonlySet<string> = new Set(['line_from', 'line_to', 'from', 'to', 'start_line', 'end_line']);

function number(value: unknown): unknown {
  return typeof value === 'string' && /^\d{1,9}$/.test(value.trim()) ? Number(value) : value;
}

/** One edit of the engine. */
export interface PatchForm {
  tool: 'str_replace' | 'context_patch' | 'edit_lines';
  input: Record<string, unknown>;
  /** Counts the edits as the model would, once it is done. */
  count(): number;
}

/** Makes an edit of the engine of a patch, which has exactly one of three forms. Throws INVALID_INPUT. */
export function patchForm({ old_text, new_text, patch_text, edits }: Fields): PatchForm {
  const isReplace = old_text !== undefined || new_text !== undefined;
  const forms = [isReplace, patch_text !== undefined, edits !== undefined].filter(Boolean).length;
  if (forms > 1) throw wrongForm('provide exactly one patch form: edits, patch_text, or old_text/new_text');
  if (forms === 0) throw wrongForm('edits, patch_text, or old_text/new_text is required for patch');
  if (isReplace) {
    if (!old_text) throw wrongForm('old_text is required for exact replace');
    if (new_text === undefined)
      throw wrongForm('new_text is required with old_text; to delete old_text send new_text: ""');
    return { tool: 'str_replace', input: { old_str: old_text, new_str: new_text }, count: () => 1 };
  }
  if (edits !== undefined)
    return { tool: 'edit_lines', input: { edits }, count: () => (edits as unknown[]).length };
  if (String(patch_text).trim() === '') throw wrongForm('patch_text must not be empty');
  const count = (): number => parseContextPatch(String(patch_text)).hunks.length;
  return { tool: 'context_patch', input: { patch_text }, count };
}

function wrongForm(message: string): EditError {
  return new EditError('INVALID_INPUT', `${message}. Nothing was done.`, {
    fields: ['edits', 'patch_text', 'old_text', 'new_text'],
  });
}

/** Reads a switch, which models word in many ways. */
export function isTrue(value: unknown): boolean {
  return ['1', 'true', 'yes', 'y', 'on'].includes(String(value).trim().toLowerCase());
}
