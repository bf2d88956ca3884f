/**
 * What Claude Code tells its hooks on standard input (https://docs.anthropic.com/en/docs/claude-code/hooks): of files,
 * PreToolUse before a tool changes one, PostToolUse after it; and when a turn begins and ends, and a command runs.
 */

import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import type { AgentSignal } from '../../../workspace/agents/signal.ts';

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

/** What of an event says whose a change from outside may be. */
export type TurnSignal = Pick<AgentSignal, 'kind' | 'session' | 'id' | 'tool'>;

const KINDS: ReadonlyMap<unknown, TurnSignal['kind']> = new Map([
  ['SessionStart', 'start'],
  ['UserPromptSubmit', 'prompt'],
  ['Stop', 'stop'],
  ['SessionEnd', 'end'],
  ['PreToolUse', 'before'],
  ['PostToolUse', 'after'],
  ['PostToolUseFailure', 'after'],
]);

/** `null` for what changes nothing. Throws an Error that says what is wrong with the text. */
export function parseSignal(text: string): TurnSignal | null {
  const hook = asObject(JSON.parse(text));
  if (!hook) throw new Error('the hook is no JSON object');
  const kind = KINDS.get(hook.hook_event_name);
  const session = textOf(hook.session_id);
  if (!kind || session === undefined) return null;
  if (kind !== 'before' && kind !== 'after') return { kind, session };
  const tool = textOf(hook.tool_name) ?? '';
  if (!MAY_CHANGE.test(tool)) return null;
  const isBehind = kind === 'before' && asObject(hook.tool_input)?.run_in_background === true;
  return { kind: isBehind ? 'background' : kind, session, id: textOf(hook.tool_use_id) ?? '', tool };
}

/** The tools whose calls are told of: those that change files, and commands and other servers, which may. */
const TOOLS = [...PATH_FIELDS.keys(), 'Bash', 'PowerShell', 'mcp__(?!vedit__).*'].join('|');
const MAY_CHANGE = new RegExp(`^(${TOOLS})$`);

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
