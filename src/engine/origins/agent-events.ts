/**
 * Names the events that agents' hooks and servers leave: an event is a file whose name says it and whose ctime is its moment,
 * so that a shell writes one without a process, in one step, by the clock that the files of the work tree have too. Pure.
 *
 *     before.claude-code.<session>.<call>.Bash.<client>       fields of letters, digits, _ and -; an empty one is -
 */

export const EVENT_KINDS = [
  /** A session begins, or comes back: its client has hooks. */
  'start',
  /** A prompt: a turn begins, and the one before is over. */
  'prompt',
  /** Before a call of a tool that may change files; `background`: of a command that goes on after the call. */
  'before',
  'background',
  /** After it, failed or not. */
  'after',
  /** The turn is over; the session is. */
  'stop',
  'end',
  /** A server of a client began (`id` is its process), and ended. */
  'connect',
  'gone',
  /** Nothing that the session's commands started lives any more. */
  'quiet',
] as const;

export type EventKind = (typeof EVENT_KINDS)[number];

export interface EventName {
  kind: EventKind;
  agent: string;
  session: string;
  /** The id of a call, the process of a server; a number that makes the name its own for others. */
  id: string;
  tool: string;
  /** The client's process, as `processKey` has it; '' where it is not known. */
  client: string;
}

export interface AgentEvent extends EventName {
  /** Nanoseconds since 1970, by the file system's clock. */
  at: bigint;
  /** The path, as the trail records it, of a call that can change one file alone. */
  path?: string | undefined;
  /** The processes that started a server, the nearest first. */
  ancestors?: readonly string[] | undefined;
}

const FIELDS = ['kind', 'agent', 'session', 'id', 'tool', 'client'] as const;
const LONGEST_FIELD = 64;

export function eventFileName(event: EventName): string {
  return FIELDS.map(field => plainField(event[field])).join('.');
}

/** `null` for the name of any other file. */
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

/** A process of this machine: its number, when it started, and the namespace in which both count; '' where not known. */
export interface ProcessKey {
  pid: number;
  started: string;
  space: string;
}

export function processKey({ pid, started, space }: ProcessKey): string {
  return [pid, started, space].join('_');
}

export function parseProcessKey(key: string): ProcessKey | null {
  const parts = /^(\d{1,10})_(\d*)_(\d*)$/.exec(key);
  return parts && { pid: Number(parts[1]), started: parts[2]!, space: parts[3]! };
}

/** The amount of a prompt and of a command that is kept. */
export const PROMPT_KINDS = ['off', 'first-line', 'whole'] as const;
export type PromptsKept = (typeof PROMPT_KINDS)[number];
