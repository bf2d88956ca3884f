/** The messages of the Agent Client Protocol that tell of files, commands and turns; the others are nothing to this engine. */

import { objectOf } from '../../json.ts';

export interface Message {
  id?: unknown;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: unknown;
}

/** A tool that the agent told of: each update holds what changed, so that all of them together say it. */
export interface ToolCall {
  toolCallId: string;
  kind?: string;
  title?: string;
  status?: string;
  content?: unknown;
  locations?: unknown;
  rawInput?: unknown;
}

/** A text in a file that a tool put in the place of another one; `null`: the file is new. Either is a part, or all of it. */
export interface Diff {
  path: string;
  oldText: string | null;
  newText: string;
}

/** Reads one line; `null` for what is no message of its own, such as a batch. */
export function messageIn(line: string): Message | null {
  try {
    return (objectOf(JSON.parse(line)) as Message | undefined) ?? null;
  } catch {
    return null;
  }
}

/** Returns the tool call that is told of, or for which a person is asked; `null` for any other message. */
export function toolCallIn({ method = '', params }: Message): ToolCall | null {
  const { update, toolCall } = objectOf(params) ?? {};
  const call = objectOf(method === 'session/request_permission' ? toolCall : update);
  const isAny = method === 'session/request_permission' || method === 'session/update';
  if (!isAny || typeof call?.toolCallId !== 'string') return null;
  const told = Object.entries(call).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(told) as unknown as ToolCall;
}

/** Returns what a tool says that it did to files. */
export function diffsOf({ content }: ToolCall): Diff[] {
  const parts = Array.isArray(content) ? content.map(part => objectOf(part)) : [];
  return parts.flatMap(part => {
    const { type, path, oldText = null, newText } = part ?? {};
    return type === 'diff' && typeof path === 'string' && typeof newText === 'string'
      ? [{ path, oldText: typeof oldText === 'string' ? oldText : null, newText }]
      : [];
  });
}

/** Returns the paths that a tool works at. */
export function pathsOf({ locations }: ToolCall): string[] {
  const all = Array.isArray(locations) ? locations.map(one => objectOf(one)?.path) : [];
  return all.filter(path => typeof path === 'string');
}

/** Returns the text of a prompt, without what is attached to it. */
export function promptText(params: unknown): string {
  const blocks = objectOf(params)?.prompt;
  const texts = Array.isArray(blocks) ? blocks.map(block => objectOf(block)?.text) : [];
  return texts.filter(text => typeof text === 'string').join('\n');
}

/** Returns the same prompt with a text behind it. */
export function withText(message: Message, text: string): Message {
  const params = objectOf(message.params) ?? {};
  const prompt = Array.isArray(params.prompt) ? params.prompt : [];
  return { ...message, params: { ...params, prompt: [...prompt, { type: 'text', text }] } };
}

/** The field of an object that is a text; '' for none. */
export function field(value: unknown, name: string): string {
  const found = objectOf(value)?.[name];
  return typeof found === 'string' ? found : '';
}
