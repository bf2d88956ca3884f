/**
 * Names the events that agents' hooks and servers leave: an event is a file whose name says it and whose ctime is its moment,
 * so that a shell writes one without a process, in one step, by the clock that the files of the work tree have too. Pure.
 *
 *     before.claude-code.<session>.<call>.Bash.<client>       fields of letters, digits, _ and -; an empty one is -
 *
 * The file's content holds what no name can, as a JSON object.
 */

import { inOrder } from '../../sorted.ts';

/**
 * `start`, `end`: of a session whose client tells of its turns. `prompt`, `stop`: of a turn. `before`, `after`: of a call that
 * may change files; `background` before one that goes on when it has answered. `connect`, `gone`: of a client that tells
 * nothing, for as long as this process lives; once it wrote, and no hook told of it, `connect` with the tool `writes`. `quiet`:
 * what the session's commands started has ended. `elsewhere`: of an edit in a repository that has no history, which its content
 * names. In the order in which they happen, where the clock gives several one moment.
 */
export const EVENT_KINDS = [
  'start',
  'prompt',
  'before',
  'background',
  'after',
  'stop',
  'end',
  'connect',
  'gone',
  'quiet',
  'elsewhere',
] as const;

/** The signal that a hook, a server or a program gives of an agent that changes files by other means than the engine. */
export interface AgentSignal {
  kind: (typeof EVENT_KINDS)[number];
  agent: string;
  /** The id that the client gives the session; '' for an event of the client itself. */
  session: string;
  /** The id of a call; of what happens once in a turn or session: none. */
  id?: string | undefined;
  /** The tool that is called. */
  tool?: string | undefined;
  /** The client's id of the turn, and its model, where it says them. */
  turn?: string | undefined;
  model?: string | undefined;
  /** The prompt, and the command that the call runs: kept where `vedit.prompts` of git's config says so, in no commit. */
  prompt?: string | undefined;
  command?: string | undefined;
}

export type EventKind = AgentSignal['kind'];

/** In place of a tool: of a client that wrote by its server; one that only reads is no suspect. */
export const WRITES = 'writes';

export interface EventName {
  kind: EventKind;
  agent: string;
  session: string;
  /** The id of a call, the process of a server; a number that makes the name its own for others. */
  id: string;
  tool: string;
  /** The key of the client's process; '' where it is not known. */
  client: string;
}

export interface AgentEvent extends EventName {
  /** Nanoseconds since 1970, by the file system's clock. */
  at: bigint;
  /** The session's id where no name can hold it. */
  sessionId?: string | undefined;
  /** The turn that a prompt begins, and the model, where they are told. */
  turn?: string | undefined;
  model?: string | undefined;
}

/**
 * Compares two events for `sort`, the oldest first. A file system's clock may stand still for 4 ms, in which a short command
 * begins and ends.
 */
export function inTime(a: AgentEvent, b: AgentEvent): number {
  return inOrder(a.at, b.at) || EVENT_KINDS.indexOf(a.kind) - EVENT_KINDS.indexOf(b.kind);
}

const FIELDS = ['kind', 'agent', 'session', 'id', 'tool', 'client'] as const;
const LONGEST_FIELD = 64;

export function eventFileName(event: EventName): string {
  return FIELDS.map(field => plainField(event[field])).join('.');
}

/** Reads the name of an event's file; `null` for any other file's. */
export function parseEventName(name: string): EventName | null {
  const fields = name.split('.');
  const [kind] = fields;
  if (fields.length !== FIELDS.length || !EVENT_KINDS.includes(kind as EventKind)) return null;
  if (!fields.every(field => /^[\w-]+$/.test(field))) return null;
  const [agent, session, id, tool, client] = fields.slice(1).map(field => (field === '-' ? '' : field));
  return { kind: kind as EventKind, agent: agent!, session: session!, id: id!, tool: tool!, client: client! };
}

/** Returns what names of events can hold of a text that others gave. */
export function plainField(text: string): string {
  return text.replace(/[^\w-]/g, '_').slice(0, LONGEST_FIELD) || '-';
}

/** The amount of a prompt and of a command that is kept. */
export const PROMPT_KINDS = ['off', 'first-line', 'whole'] as const;
export type PromptsKept = (typeof PROMPT_KINDS)[number];
