/**
 * Anthropic's own tools: the text editor in all its versions, one tool with a `command`; and the memory, files below
 * `/memories`, which here are a folder of the workspace, so that every version of a memory is in history.
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/text-editor-tool and .../memory-tool
 */

import * as z from 'zod';
import { type InputSpec, parseInput } from '../../edits/input.ts';
import { type CheckOptions, optionsCheck } from '../../engine/calls/call-options.ts';
import { asEditError } from '../../engine/calls/failure.ts';
import * as option from '../../engine/calls/option.ts';
import { EditError } from '../../errors.ts';
import type { Vocabulary } from '../../wording.ts';
import type { Session } from '../../workspace/session.ts';
import { toolNamed } from '../index.ts';
import { run, type ToolResult } from '../run.ts';
import { type ToolsetOptions, toolsetFields } from '../toolset/toolset.ts';
import { type CallOptions, commandOf, type Fields, invalid, runAs } from './call.ts';

export interface TextEditorOptions extends CallOptions, TextEditorSettings {}

/** Runs one call of the tool. Never throws. */
export async function runTextEditor(
  session: Session,
  input: unknown,
  options: TextEditorOptions = {},
): Promise<ToolResult> {
  const named = commandOf(input, Object.keys(TOOLS));
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

/** Commands that are tools of the engine by the same name. */
const SAME = { view: 'view', str_replace: 'str_replace', create: 'create', insert: 'insert' };

/** The engine's tool for each command. `undo_edit` was taken out in 2025, because no host kept a history. */
const TOOLS: Readonly<Record<string, string>> = { ...SAME, undo_edit: 'undo' };

/** The tool has no field for a version. */
const VOCABULARY: Vocabulary = { tools: SAME, fields: { base: null, version: null, allow_secret: null } };

export interface MemoryOptions extends CallOptions, MemorySettings {}

const ROOT = '/memories';

/** Runs one call of the tool. Never throws. */
export async function runMemory(
  session: Session,
  input: unknown,
  { folder = 'memories', callId, ...turn }: MemoryOptions = {},
): Promise<ToolResult> {
  const named = commandOf(input, MEMORY_COMMANDS);
  if ('ok' in named) return named;
  const { command: op, fields } = named;
  return run(session, { ...turn, op, vocabulary: vocabularyOf(folder), limit: 'whole' }, async own => {
    const call = placed(memoryCall(op, fields), folder);
    // What is done to a folder depends on the files in it, which may be gone when the same is asked for again.
    const asked = { tool: `memory ${op}`, input: call.input };
    return own.inTurn(within => answer(within, call, { folder, callId }), { asked });
  });
}

/** Makes the words of a memory tool. A path that is not below the folder has no name there. */
function vocabularyOf(folder: string): Vocabulary {
  return {
    ...VOCABULARY,
    tools: { ...SAME, delete: 'delete', move: 'rename' },
    path: path => {
      const inner = below(folder, path);
      return inner === null ? path : ROOT + inner + (path.endsWith('/') ? '/' : '');
    },
  };
}

interface Where extends CallOptions {
  folder: string;
}

/** Returns the call with paths as the workspace has them. Throws OUTSIDE_WORKSPACE for one that is not below `/memories`. */
function placed({ tool, input }: MemoryCall, folder: string): MemoryCall {
  const { path, new_path } = input;
  const target = new_path === undefined ? {} : { new_path: inFolder(new_path, folder) };
  return { tool, input: { ...input, path: inFolder(path, folder), ...target } };
}

function inFolder(path: string, folder: string): string {
  const inner = below(ROOT, path) ?? below(folder, path);
  if (inner !== null) return folder + inner;
  const message = `Paths of memories start with ${ROOT}, as in ${ROOT}/notes.md, unlike ${JSON.stringify(path)}. Nothing was done.`;
  throw new EditError('OUTSIDE_WORKSPACE', message, { path });
}

/** Returns the path within the folder: `/x`, or '' for the folder itself; `null` for what is not in it. */
function below(folder: string, path: string): string | null {
  const bare = path.replace(/(?<=.)\/+$/, '');
  if (bare === folder) return '';
  return bare.startsWith(`${folder}/`) ? bare.slice(folder.length) : null;
}

async function answer(session: Session, call: MemoryCall, where: Where): Promise<ToolResult> {
  const { tool, input } = call;
  const found = await inside(session, input.path, where.folder);
  if (tool === 'view' && found.kind === 'nothing' && input.path === where.folder)
    return { ok: true, message: `${ROOT} is empty.`, data: { entries: [] } };
  if (tool === 'view') return runAs(session, tool, input);
  const removes = tool === 'delete' || tool === 'move';
  if (removes && input.path === where.folder) return invalid(`${ROOT} itself stays. Name something in it.`);
  if (input.new_path !== undefined) await checkFree(session, found, input.new_path, where.folder);
  const whole = tool === 'delete' && found.kind === 'folder' ? { ...input, recursive: true } : input;
  return runAs(session, tool, whole, where);
}

/** Finds what is at a path. Throws OUTSIDE_WORKSPACE where a link leads out of the folder of memories. */
async function inside(session: Session, path: string, folder: string): Promise<Found> {
  const [home, found] = [await lookAt(session, folder), await lookAt(session, path)];
  if (isWithin(found.path, home.path)) return found;
  const message = `${shown(path, folder)} leads out of ${ROOT} by a link. Nothing was done.`;
  throw new EditError('OUTSIDE_WORKSPACE', message, { path });
}

/** Where a path leads, links followed, and what is there; '' is the workspace. */
interface Found {
  path: string;
  kind: 'file' | 'folder' | 'nothing';
}

/**
 * Finds what is at a path. A file that cannot be read counts as one: the tool that is run on it says why. Throws where
 * no path can be told.
 */
async function lookAt(session: Session, path: string): Promise<Found> {
  // That nothing is there yet is no refusal of a call.
  const looking = session.scoped({ op: 'view', tells: false, cut: answer => answer });
  try {
    const { data } = await looking.read({ path: path === '' ? '.' : path, maxCharacters: 1, maxEntries: 1 });
    return { path: String(data.path), kind: 'entries' in data ? 'folder' : 'file' };
  } catch (error) {
    const { code, data } = asEditError(error);
    if (typeof data.path !== 'string') throw error;
    return { path: data.path, kind: code === 'FILE_NOT_FOUND' ? 'nothing' : 'file' };
  }
}

/** Tells whether a path is the folder or below it; both are paths of the workspace, links followed. */
function isWithin(path: string, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`);
}

/** Checks the new place: no folder is joined with what is there, no file put over a folder. Throws FILE_EXISTS. */
async function checkFree(session: Session, moved: Found, path: string, folder: string): Promise<void> {
  const { kind } = await inside(session, path, folder);
  if (kind === 'nothing' || (kind === 'file' && moved.kind !== 'folder')) return;
  const message = `The destination ${shown(path, folder)} already exists, and is a ${kind}. Nothing was done. Choose another new_path.`;
  throw new EditError('FILE_EXISTS', message, { path });
}

function shown(path: string, folder: string): string {
  return ROOT + path.slice(folder.length);
}

/** A call of one of the engine's tools. All paths in it are `path` and `new_path`. */
interface MemoryCall {
  tool: string;
  input: Fields & { path: string; new_path?: string };
}

const MEMORY_COMMANDS: readonly string[] = ['view', 'create', 'str_replace', 'insert', 'delete', 'rename'];

/** Checks a call: no field is left under a name that the engine would take for another. Throws INVALID_INPUT. */
function memoryCall(command: string, fields: Fields): MemoryCall {
  const spec = command === 'rename' ? renameSpec() : sameSpec(command);
  const { old_path, ...input } = parseInput(spec, fields) as Fields;
  if (command === 'rename') return { tool: 'move', input: { ...input, path: String(old_path) } };
  return { tool: command, input: input as MemoryCall['input'] };
}

function sameSpec(command: string): InputSpec {
  const { input, aliases, example } = toolNamed(command)!;
  return { name: command, input, aliases, example: { command, ...example, path: '/memories/notes.md' } };
}

/** Makes the input of rename of the engine's move, which has `path` for what is called `old_path` here. */
function renameSpec(): InputSpec {
  const { input, aliases } = toolNamed('move')!;
  const { path, ...rest } = input.shape;
  const { path: others = [], ...kept } = aliases;
  return {
    name: 'rename',
    input: z.strictObject({ old_path: path!, ...rest }),
    aliases: { ...kept, old_path: ['path', ...others] },
    example: { command: 'rename', old_path: '/memories/draft.md', new_path: '/memories/notes.md' },
  };
}

/** The text editor tool of Anthropic, wherever it is put. */
export interface TextEditorSettings {
  /** Cut what `view` answers. */
  maxCharacters?: number | undefined;
}

export interface MemorySettings {
  /** The folder of the workspace that `/memories` is; default `memories`. */
  folder?: string | undefined;
}

/** All tools that a loop of Anthropic's messages may answer. */
export interface ToolUseSettings extends ToolsetOptions, TextEditorSettings {
  memory?: MemorySettings | undefined;
}

/** The versions of Anthropic's text editor tool, each with the name that the model knows it by. */
export const TEXT_EDITORS = {
  text_editor_20241022: 'str_replace_editor',
  text_editor_20250124: 'str_replace_editor',
  text_editor_20250429: 'str_replace_based_edit_tool',
  text_editor_20250728: 'str_replace_based_edit_tool',
} as const;

export type TextEditorType = keyof typeof TEXT_EDITORS;

const folder = () => z.string().min(1).optional();

const maxCharacters = option.positive;

export const checkTextEditor: CheckOptions<TextEditorSettings> = optionsCheck(
  { maxCharacters },
  { maxCharacters: 10_000 },
);

const type = () => z.enum(Object.keys(TEXT_EDITORS) as TextEditorType[]).optional();

export const checkTextEditorTool: CheckOptions<TextEditorSettings & { type?: TextEditorType | undefined }> =
  optionsCheck({ type, maxCharacters }, { maxCharacters: 10_000 });

export const checkMemory: CheckOptions<MemorySettings> = optionsCheck({ folder }, { folder: 'memories' });

export const checkToolUses: CheckOptions<ToolUseSettings> = optionsCheck(
  { ...toolsetFields, maxCharacters, memory: () => z.strictObject({ folder: folder() }).optional() },
  { tools: 'minimal' },
);
