/** Agent Zero's `text_editor` on versioned files: its calls, its answers, its prompt. */

import type { DoneData } from '../../engine/answer.ts';
import type { CallOptions } from '../../engine/calls/cancel.ts';
import { EditError } from '../../errors.ts';
import { isOverwrite } from '../../operations.ts';
import {
  type Action,
  actionOf,
  isTrue,
  parseAction,
  patchForm,
  VOCABULARY,
} from '../../tools/dialects/agent-zero.ts';
import { type Fields, given, isFields, lookAt, runAs } from '../../tools/dialects/call.ts';
import { checkReads, type ReadOptions } from '../../tools/dialects/options.ts';
import { type Run, run, type ToolResult, textOf } from '../../tools/run.ts';
import type { Session } from '../../workspace/session.ts';
import { agentZeroPrompt } from './prompt.ts';
import { DEFAULTS, numberedLines, type ReadSettings, readText } from './read-text.ts';

export type { ReadOptions };
export { agentZeroPrompt };

/** The parts of Agent Zero's `Response`. */
export interface AgentZeroResponse {
  message: string;
  break_loop: false;
  additional: Record<string, unknown>;
  /** The whole result, for programs. */
  result: ToolResult;
}

export interface AgentZeroTool {
  name: 'text_editor' | 'text_editor_remote';
  /** The prompt of the tool. */
  prompt: string;
  /**
   * Runs one call, by its arguments, and the tool's name where that holds the action (`text_editor:read`). Rejects only with the
   * reason of the signal that stopped it.
   */
  execute(args: unknown, toolName?: string, options?: CallOptions): Promise<AgentZeroResponse>;
}

/** Makes the tool for one agent. What it read is remembered: it may not save over a file that changed since. */
export function textEditor(session: Session, options: ReadOptions = {}): AgentZeroTool {
  const settings = { ...DEFAULTS, ...given({ ...checkReads('textEditor', options) }) };
  const seen: Seen = new Map();
  const execute: AgentZeroTool['execute'] = async (args, toolName = '', { signal } = {}) => {
    let asked: Asked | null = null;
    const turn: Run = { op: 'text_editor', vocabulary: VOCABULARY, signal, limit: 'whole' };
    const result = await run(session, turn, async own => {
      asked = askedBy(isFields(args) ? args : {}, toolName);
      return new Call(own, settings, seen).run(asked);
    });
    return response(settings.name, asked, result);
  };
  return { name: settings.name, prompt: agentZeroPrompt(settings), execute };
}

/** By the path as the workspace has it, the version that was read or made last. */
type Seen = Map<string, string>;

const VERBS = { read: 'reading', write: 'writing', patch: 'patching' } as const;

/** Agent Zero's own words, before those of the engine. */
const WORDS: Readonly<Record<string, string>> = {
  NOT_VIEWED: 'read file before patching - line numbers unknown. ',
  STALE: 'file changed since last read - re-read to get current line numbers. ',
};

interface Asked {
  action: Action;
  path: string;
  fields: Fields;
}

/** Throws INVALID_INPUT. */
function askedBy(raw: Fields, toolName: string): Asked {
  const action = actionOf(toolName, raw);
  const fields = parseAction(action, raw);
  return { action, path: String(fields.path), fields };
}

/** `asked` is `null` where the arguments were not understood. */
function response(name: AgentZeroTool['name'], asked: Asked | null, result: ToolResult): AgentZeroResponse {
  const respond = (message: string, additional: Fields): AgentZeroResponse => {
    return { message, break_loop: false, additional: { _tool_name: name, ...additional }, result };
  };
  if (asked === null) return respond(textOf(result), {});
  const { action, path, fields } = asked;
  const about = { action, ...aboutPath(path) };
  if (!result.ok) return respond(failureText(VERBS[action], path, result), about);
  return respond(result.message, {
    ...about,
    ...chat(fields),
    open_in_canvas: isTrue(fields.open_in_canvas),
  });
}

class Call {
  readonly #session: Session;
  readonly #options: ReadSettings;
  readonly #seen: Seen;

  constructor(session: Session, options: ReadSettings, seen: Seen) {
    this.#session = session;
    this.#options = options;
    this.#seen = seen;
  }

  async run({ action, path, fields }: Asked): Promise<ToolResult> {
    const result = await this.#do(action, path, fields);
    if (result.ok && isTrue(fields.open_in_canvas)) this.#session.open(fileOf(result, path));
    return result;
  }

  #do(action: Action, path: string, fields: Fields): Promise<ToolResult> {
    if (action === 'read') return this.#read(path, fields);
    return action === 'write' ? this.#write(path, fields) : this.#patch(path, fields);
  }

  async #read(path: string, { line_from: from, line_to: to }: Fields): Promise<ToolResult> {
    const range = { from: from as number | undefined, to: to as number | undefined };
    const { text, file, version, isShown } = await readText(this.#session, path, range, this.#options);
    if (isShown) this.#seen.set(file, version);
    return { ok: true, message: text, data: { path: file, version } };
  }

  /** Saves the whole file; not over one that somebody changed since it was read. */
  async #write(path: string, { content, version, reason }: Fields): Promise<ToolResult> {
    const { path: file } = await lookAt(this.#session, path);
    const result = await runAs(this.#session, 'create', {
      path,
      file_text: content,
      overwrite: true,
      version: version ?? this.#seen.get(file),
      reason,
    });
    return this.#noted(path, result, (lines, { op, paths: [file] }) => {
      const over = isOverwrite(op) ? `, over a file that was there (+${file?.added} -${file?.removed})` : '';
      return `${path} written ${lines} lines${over}`;
    });
  }

  async #patch(path: string, fields: Fields): Promise<ToolResult> {
    const { tool, input, count } = patchForm(fields);
    const { version, reason } = fields;
    const result = await runAs(this.#session, tool, { path, ...input, version, reason });
    return this.#noted(path, result, async (lines, data) => {
      const region = await numberedLines(this.#session, path, changedLines(data.diff), this.#options);
      return `${path} patched ${count()} edits applied ${lines} lines now\n>>>\n${region}\n<<<`;
    });
  }

  /** Words a done edit as Agent Zero does; the version it made is the one that the agent knows now. */
  async #noted(
    path: string,
    result: ToolResult,
    words: (lines: number, data: DoneData) => string | Promise<string>,
  ): Promise<ToolResult> {
    if (!result.ok) return result;
    const data = result.data as DoneData;
    for (const { path: file, version } of data.paths) if (version) this.#seen.set(file, version);
    try {
      const { lines } = (await this.#session.read({ path, maxCharacters: 1 })).data as { lines: number };
      return { ...result, message: await words(lines, data) };
    } catch {
      // Somebody else took the file away meanwhile: the edit is done all the same, and the engine has words for it.
      return result;
    }
  }
}

/** Returns the path as the workspace has it. */
function fileOf({ data }: ToolResult, path: string): string {
  const { path: read, paths } = data as { path?: string; paths?: DoneData['paths'] };
  return read ?? paths?.[0]?.path ?? path;
}

function failureText(verb: string, path: string, result: ToolResult & { ok: false }): string {
  return `error ${verb} ${path}: ${WORDS[result.code] ?? ''}${textOf(result)}`;
}

function aboutPath(path: string): Fields {
  const extension = /\.[^./]+$/.exec(path)?.[0] ?? '';
  return { path, extension, format: extension.slice(1) || 'text' };
}

function chat({ context_id: id }: Fields): Fields {
  return id === undefined ? {} : { context_id: id, ctxid: id };
}

/** Returns the first and last line that the hunks of a diff show of the new text. */
function changedLines(diff: string): { from: number; to: number } {
  const hunks = [...diff.matchAll(/^@@ -\S+ \+(\d+)(?:,(\d+))? @@/gm)];
  const first = hunks[0];
  const last = hunks.at(-1);
  if (!first || !last) throw new EditError('STORE_FAILED', 'A done edit has no diff.');
  return { from: Math.max(1, Number(first[1])), to: Number(last[1]) + Number(last[2] ?? 1) - 1 };
}
