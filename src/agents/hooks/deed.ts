/** Reads what a tool does to files, of its input and its answer: fields in every spelling, and texts that it replaced. Pure. */

import { EDITS, HOOKED, SHELLS } from './agents.ts';
import type { CommandDeed, Deed, FileDeed, FilesDeed, Replacement } from './event.ts';
import { anyOf, textOf } from './payload.ts';

/** One call of a tool. */
export interface ToolCall {
  tool: string;
  input: unknown;
  /** The tool's answer; only after the call. */
  response: unknown;
}

const PATHS = ['file_path', 'filePath', 'path', 'notebook_path', 'absolute_path', 'target_file'];
const PATCHES = ['patch', 'patchText', 'command', 'input', 'patch_text'];
const OLD = ['old_string', 'oldString', 'old_str', 'oldText', 'old_text'];
const NEW = ['new_string', 'newString', 'new_str', 'newText', 'new_text'];
const WHOLE = ['content', 'file_text', 'contents', 'text'];
const ORIGINAL = ['originalFile', 'original_file', 'originalContent'];
const RESULT = ['updated_file', 'newContent'];

/** Returns what a call does to files; `null` for a tool that changes nothing. Throws an Error where a tool that edits names no file. */
export function deedOf(agent: string, call: ToolCall): Deed | null {
  const tool = call.tool.replace(/^functions\./, '');
  if (SHELLS.has(tool) || isOtherServers(tool)) return commandOf(call);
  if (!EDITS.has(tool)) return null;
  const patch = patchOf(call.input);
  return patch === undefined ? filesOf(agent, call) : patchedFiles(patch);
}

/** True for a tool of another MCP server, which may change any file; the engine's own record what they do. */
function isOtherServers(tool: string): boolean {
  return /^mcp_/.test(tool) && !/^mcp__?vedit_/.test(tool);
}

function commandOf({ input }: ToolCall): CommandDeed {
  const given = anyOf(input, 'command', 'cmd', 'commands');
  const list = Array.isArray(given) ? given.map(String).join(' ') : undefined;
  return {
    kind: 'command',
    description: textOf(input, 'description'),
    command: typeof given === 'string' ? given : list,
    background: anyOf(input, 'run_in_background', 'is_background', 'isBackground') === true,
  };
}

function patchOf(input: unknown): string | undefined {
  const text = typeof input === 'string' ? input : textOf(input, ...PATCHES);
  return text !== undefined && /^\*\*\* (Add|Update|Delete) File: /m.test(text) ? text : undefined;
}

/** Lists every file that a patch names, each with the parts that name it. */
function patchedFiles(patch: string): FilesDeed {
  const found = new Map<string, string>();
  const text = patch
    .replace(/^[\s\S]*?(?=^\*\*\* (?:Add|Update|Delete) File: )/m, '')
    .replace(/^\*\*\* End Patch[\s\S]*/m, '');
  for (const part of text.split(/^(?=\*\*\* (?:Add|Update|Delete) File: )/m))
    for (const [, name] of part.matchAll(/^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+?)\r?$/gm)) {
      const path = name!.trim();
      found.set(path, (found.get(path) ?? '') + part.replace(/\n*$/, '\n'));
    }
  const files = [...found].map(([path, parts]) => {
    return { path, patch: `*** Begin Patch\n${parts}*** End Patch\n` };
  });
  return { kind: 'files', files };
}

function filesOf(agent: string, call: ToolCall): FilesDeed {
  const { input, response } = call;
  const named = anyOf(input, 'files', 'paths');
  if (Array.isArray(named) && named.length > 0) {
    const paths = named.map(one => (typeof one === 'string' ? one : textOf(one, ...PATHS))).filter(isText);
    return { kind: 'files', files: paths.map(path => ({ path })) };
  }
  const path = textOf(input, ...PATHS) ?? textOf(response, ...PATHS);
  if (path === undefined) throw new Error(`${call.tool} names no file in file_path`);
  const answer = HOOKED[agent]?.texts?.(response);
  // Where the person changed what the agent proposed, the agent's is what it proposed.
  const proposed = anyOf(input, 'modified_by_user') === true && textOf(input, 'ai_proposed_content');
  const said = proposed ? { result: proposed } : saidOf(input);
  const isPersons = proposed || anyOf(answer, 'userModified', 'user_modified') === true;
  const done = isPersons ? { ...said, isPersons: true } : { ...said, ...saidOf(answer), ...resultOf(answer) };
  return { kind: 'files', files: [{ path, ...originalOf(answer), ...done }] };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** Reads what an input says of its one file. */
function saidOf(input: unknown): Pick<FileDeed, 'steps' | 'result'> {
  const list = anyOf(input, 'edits');
  if (Array.isArray(list)) return { steps: list.map(replacementOf).filter(one => one !== null) };
  const one = replacementOf(input);
  if (one) return { steps: [one] };
  const whole = anyOf(input, ...WHOLE);
  return typeof whole === 'string' ? { result: whole } : {};
}

function replacementOf(input: unknown): Replacement | null {
  const [old, now] = [anyOf(input, ...OLD), anyOf(input, ...NEW)];
  if (typeof old !== 'string' || typeof now !== 'string') return null;
  const all = anyOf(input, 'replace_all', 'replaceAll', 'allow_multiple') === true;
  return { old, new: now, all };
}

/** Reads the whole text after: with it, and the one before, it is exact what a tool did, whoever else typed. */
function resultOf(answer: unknown): Pick<FileDeed, 'result'> {
  const result = anyOf(answer, ...RESULT);
  return typeof result === 'string' ? { result } : {};
}

function originalOf(answer: unknown): Pick<FileDeed, 'original'> {
  const original = anyOf(answer, ...ORIGINAL);
  if (typeof original === 'string') return { original };
  return original === null || textOf(answer, 'type') === 'create' ? { original: null } : {};
}
