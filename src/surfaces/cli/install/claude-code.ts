/**
 * What Claude Code tells its hooks on standard input, as far as it is about files
 * (https://docs.anthropic.com/en/docs/claude-code/hooks): PreToolUse before a tool changes one, PostToolUse after it.
 */

import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';

/** The tools that change files, each with the field that names the file. */
const PATH_FIELDS: ReadonlyMap<string, string> = new Map([
  ['Edit', 'file_path'],
  ['MultiEdit', 'file_path'],
  ['Write', 'file_path'],
  ['NotebookEdit', 'notebook_path'],
]);

export interface FileHook {
  when: 'before' | 'after';
  tool: string;
  /** Absolute. */
  path: string;
  /** Absolute: where Claude Code is at work. */
  folder: string;
  /** What the tool is given. */
  input: Record<string, unknown>;
  session: string | undefined;
  call: string | undefined;
  /** The conversation so far, one JSON object a line. */
  transcript: string | undefined;
}

/** `null` for what is about no file. Throws an Error that says what is wrong with the text. */
export function parseHook(text: string, folder: string): FileHook | null {
  const hook = asObject(JSON.parse(text));
  if (!hook) throw new Error('the hook is no JSON object');
  const event = hook.hook_event_name;
  const when = event === 'PreToolUse' ? 'before' : event === 'PostToolUse' ? 'after' : null;
  const tool = textOf(hook.tool_name) ?? '';
  const field = PATH_FIELDS.get(tool);
  if (!when || !field) return null;
  const cwd = textOf(hook.cwd);
  const at = cwd !== undefined && isAbsolute(cwd) ? cwd : folder;
  const input = asObject(hook.tool_input) ?? {};
  const path = textOf(input[field]);
  if (path === undefined) throw new Error(`${tool} names no file in ${field}`);
  return {
    when,
    tool,
    path: resolve(at, path),
    folder: at,
    input,
    session: textOf(hook.session_id),
    call: textOf(hook.tool_use_id),
    transcript: textOf(hook.transcript_path),
  };
}

function asObject(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Bytes from the end of a transcript in which the model is looked for. */
const TAIL = 256 * 1024;

/** The model of the newest answer in a transcript; hooks are not told of it. `undefined` when it is not there. */
export async function transcriptModel(path: string | undefined): Promise<string | undefined> {
  if (path === undefined || !isAbsolute(path)) return undefined;
  const lines = (await tailOf(path).catch(() => '')).split('\n');
  for (const line of lines.reverse()) {
    const model = line.includes('"assistant"') ? modelIn(line) : undefined;
    if (model !== undefined) return model;
  }
  return undefined;
}

/** Claude Code's own messages stand under a name in angle brackets. */
function modelIn(line: string): string | undefined {
  try {
    const { model } = asObject(asObject(JSON.parse(line))?.message) ?? {};
    return typeof model === 'string' && /^[\w.:/@-]{1,100}$/.test(model) ? model : undefined;
  } catch {
    return undefined;
  }
}

/** Never waits: what is no regular file has no end. */
async function tailOf(path: string): Promise<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stat = await file.stat();
    if (!stat.isFile()) return '';
    const start = Math.max(0, stat.size - TAIL);
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(TAIL), position: start });
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** What goes into the settings. `command` starts this program. */
export function hookSettings(command: readonly string[]): object {
  return { hooks: Object.fromEntries(HOOK_EVENTS.map(event => [event, [hookEntry(command)]])) };
}

export const HOOK_EVENTS = ['PreToolUse', 'PostToolUse'] as const;

/** What stands under each of the events. */
export function hookEntry(command: readonly string[]): object {
  const hook = { type: 'command', command: command.map(quoted).join(' '), timeout: 20 };
  return { matcher: [...PATH_FIELDS.keys()].join('|'), hooks: [hook] };
}

/** True for an entry that starts this program and nothing else, by whatever path. */
export function isOwnHook(entry: unknown): boolean {
  const hooks = asObject(entry)?.hooks;
  if (!Array.isArray(hooks) || hooks.length === 0) return false;
  return hooks.every(one => /\bvedit(\.js)?'? hook claude-code\b/.test(String(asObject(one)?.command)));
}

/** For a POSIX shell, where it needs it. */
function quoted(word: string): string {
  return /^[\w./:=@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Settings of a user, of a project, and of a user in a project: https://docs.anthropic.com/en/docs/claude-code/settings */
export const SETTINGS_FILE: string = join('.claude', 'settings.local.json');
