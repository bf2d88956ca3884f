/** Agent Zero's `text_editor` on versioned files: its calls, its answers, its prompt. */

import { EditError } from '../../errors.ts';
import {
  type Action,
  actionOf,
  isTrue,
  parseAction,
  patchForm,
  VOCABULARY,
} from '../../tools/dialects/agent-zero.ts';
import { type Fields, given, isFields, runAs } from '../../tools/dialects/call.ts';
import { lookAt } from '../../tools/dialects/files.ts';
import { checkReads, type ReadOptions } from '../../tools/dialects/options.ts';
import { refusal, type ToolResult, textOf } from '../../tools/index.ts';
import type { DoneData } from '../../workspace/answer.ts';
import type { CallOptions } from '../../workspace/calls/cancel.ts';
import type { Session } from '../../workspace/session.ts';
import { agentZeroPrompt } from './prompt.ts';
import { DEFAULTS, numberedLines, type ReadSettings, readText } from './read-text.ts';

export type { ReadOptions };
export { agentZeroPrompt };

/** What Agent Zero's `Response` is made of. */
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
   * One call: its arguments, and the tool's name where that holds the action (`text_editor:read`). Rejects only with the
   * reason of the signal that stopped it.
   */
  execute(args: unknown, toolName?: string, options?: CallOptions): Promise<AgentZeroResponse>;
}

/** The tool for one agent. What it read is remembered: it may not save over a file that changed since. */
export function textEditor(session: Session, options: ReadOptions = {}): AgentZeroTool {
  const settings = { ...DEFAULTS, ...given({ ...checkReads('textEditor', options) }) };
  const seen: Seen = new Map();
  const execute: AgentZeroTool['execute'] = (args, toolName = '', { signal } = {}) =>
    session.inTurn(own => new Call(own, settings, seen).execute(args, toolName), {
      vocabulary: VOCABULARY,
      signal,
    });
  return { name: settings.name, prompt: agentZeroPrompt(settings), execute };
}

/** By the path as the workspace has it, the version that was read or made last. */
type Seen = Map<string, string>;

const VERBS = { read: 'reading', write: 'writing', patch: 'patching' } as const;

/** How Agent Zero says it; the engine's own words follow. */
const WORDS: Readonly<Record<string, string>> = {
  NOT_VIEWED: 'read file before patching - line numbers unknown. ',
  STALE: 'file changed since last read - re-read to get current line numbers. ',
};

/** One call, in the session's turn. */
class Call {
  readonly #session: Session;
  readonly #options: ReadSettings;
  readonly #seen: Seen;

  constructor(session: Session, options: ReadSettings, seen: Seen) {
    this.#session = session;
    this.#options = options;
    this.#seen = seen;
  }

  async execute(args: unknown, toolName: string): Promise<AgentZeroResponse> {
    const raw = isFields(args) ? args : {};
    try {
      const action = actionOf(toolName, raw);
      const fields = parseAction(action, raw);
      const path = String(fields.path);
      const result = await this.#run(action, path, fields).catch(error => this.#refused(error));
      if (!result.ok)
        return this.#respond(failureText(VERBS[action], path, result), result, {
          action,
          ...aboutPath(path),
        });
      const open = isTrue(fields.open_in_canvas);
      if (open) this.#session.open(fileOf(result, path));
      return this.#respond(result.message, result, {
        action,
        ...aboutPath(path),
        ...chat(fields),
        open_in_canvas: open,
      });
    } catch (error) {
      const result = await this.#refused(error);
      return this.#respond(textOf(result), result, {});
    }
  }

  #run(action: Action, path: string, fields: Fields): Promise<ToolResult> {
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
      const over = op === 'create' ? '' : `, over a file that was there (+${file?.added} -${file?.removed})`;
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

  /** A done edit in Agent Zero's words; the version it made is the one that the agent knows now. */
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

  #respond(message: string, result: ToolResult, additional: Fields): AgentZeroResponse {
    const named = { _tool_name: this.#options.name, ...additional };
    return { message, break_loop: false, additional: named, result };
  }

  async #refused(error: unknown): Promise<ToolResult> {
    return refusal(await this.#session.refused('text_editor', error));
  }
}

/** The path as the workspace has it. */
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

/** First and last line that the hunks of a diff show of the new text. */
function changedLines(diff: string): { from: number; to: number } {
  const hunks = [...diff.matchAll(/^@@ -\S+ \+(\d+)(?:,(\d+))? @@/gm)];
  const first = hunks[0];
  const last = hunks.at(-1);
  if (!first || !last) throw new EditError('STORE_FAILED', 'A done edit has no diff.');
  return { from: Math.max(1, Number(first[1])), to: Number(last[1]) + Number(last[2] ?? 1) - 1 };
}
