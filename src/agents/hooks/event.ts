/** The event of a hook, in one form for all agents: when, who, and what a tool did or is about to do. */

export interface HookEvent {
  /** The agent's name in history. */
  agent: string;
  /** `start`, `end`: of a session; `prompt`, `stop`: of a turn; `before`, `after`: of a tool. */
  when: HookMoment;
  session: string | undefined;
  turn: string | undefined;
  /** The id of the call. */
  call: string | undefined;
  subagent: string | undefined;
  /** The prompt's text; only of the event of a prompt. */
  prompt: string | undefined;
  model: string | undefined;
  /** Where the agent is at work, and the project that it was opened for; as given. */
  folders: readonly string[];
  /** As the agent calls it; '' where the event is about none. */
  tool: string;
  /** The conversation so far. */
  transcript: string | undefined;
  /** `null`: nothing that changes files. */
  deed: Deed | null;
}

export type HookMoment = 'start' | 'prompt' | 'before' | 'after' | 'stop' | 'end';

export type Deed = FilesDeed | CommandDeed;

/** A tool that changes the files that it names, and no others. */
export interface FilesDeed {
  kind: 'files';
  files: readonly FileDeed[];
}

/** A tool's account of one file. */
export interface FileDeed {
  /** As given: absolute, or from where the agent is at work. */
  path: string;
  /** The whole text before it; `null`: there was no file. */
  original?: string | null;
  /** The whole text after it; `null`: there is no file. */
  result?: string | null;
  /** The texts that the tool replaced, in order. */
  steps?: readonly Replacement[];
  /** A patch in the form that begins with `*** Begin Patch`: its parts that name the file. */
  patch?: string;
  /** The file when the tool was done, where a later event tells it; 'unknown': one follows that does not. Default: as it is. */
  left?: { text: string | null } | 'unknown';
  /** True where the person changed what the agent proposed before it was written. */
  isPersons?: boolean;
}

export interface Replacement {
  old: string;
  new: string;
  /** Every occurrence. */
  all: boolean;
}

/** A tool that may change any file: a command, or a tool of another server. */
export interface CommandDeed {
  kind: 'command';
  /** The command's purpose in the agent's own words. */
  description: string | undefined;
  command: string | undefined;
  /** True for a command that goes on when the call has answered. */
  background: boolean;
}
