/** One session of an agent, as the messages tell of it: its turns, what its tools do to files, and the commands that run. */

import { objectOf } from '../../json.ts';
import type { RunGit } from '../../land/git/system-git.ts';
import type { Workspace } from '../../workspace/open.ts';
import { diffsOf, pathsOf, type ToolCall } from './message.ts';

export interface Place {
  workspace: Workspace;
  git: RunGit;
}

export interface SessionOf {
  id: string;
  /** The agent's name in history. */
  agent: string;
  /** The folder that the session works in. */
  cwd: string;
  model?: string | undefined;
  /** Opens the repository of that folder. Rejects with an EditError where there is none. */
  open(cwd: string): Promise<Place>;
  /** Tells a person what could not be recorded. */
  tell(words: string): void;
}

/** A tool that changes nothing needs no look at the files. */
const READING = /^(read|search|think|fetch|switch_mode)$/;
const EDITING = /^(edit|delete|move)$/;

/** Never throws: what cannot be recorded stops no agent. */
export class AgentSession {
  readonly #of: SessionOf;
  readonly #calls = new Map<string, ToolCall>();
  /** Messages for the agent that it could not be told yet. */
  readonly #untold = new Set<string>();
  #prompts = 0;

  constructor(of: SessionOf) {
    this.#of = of;
  }

  start(): Promise<unknown> {
    return this.#take('SessionStart', {});
  }

  end(): Promise<unknown> {
    return this.#take('SessionEnd', {});
  }

  setModel(model: string): void {
    this.#of.model = model;
  }

  /** Takes in a prompt: what others changed until now is theirs. Returns what the agent has to hear with it; '' for nothing. */
  async prompt(prompt: string): Promise<string> {
    await this.#take('UserPromptSubmit', { prompt });
    await this.#rejections(`prompt-${++this.#prompts}`);
    const told = [...this.#untold].join('\n');
    this.#untold.clear();
    return told;
  }

  /** Looks at what the turn did besides what it told. */
  stop(): Promise<unknown> {
    return this.#take('Stop', {});
  }

  /** Returns why a person does not want this text, for the agent; '' where it may be written. */
  async beforeWrite(call: string, path: string, content: string): Promise<string> {
    const { denied } = await this.#take('PreToolUse', write(call, path, content));
    return denied ?? '';
  }

  afterWrite(call: string, path: string, content: string): Promise<unknown> {
    return this.#take('PostToolUse', write(call, path, content));
  }

  beforeCommand(call: string, command: string): Promise<unknown> {
    return this.#take('PreToolUse', shell(call, command));
  }

  afterCommand(call: string, command: string): Promise<unknown> {
    return this.#take('PostToolUse', shell(call, command));
  }

  /** Takes in what an agent tells of a tool of its own, which it runs itself. */
  async tool(told: ToolCall): Promise<void> {
    const id = told.toolCallId;
    const known = this.#calls.get(id);
    const call = { ...known, ...told };
    const { kind = 'other', status } = call;
    if (READING.test(kind)) return;
    const isDone = status === 'completed' || status === 'failed';
    if (isDone) this.#calls.delete(id);
    else this.#calls.set(id, call);
    if (EDITING.test(kind)) return status === 'completed' ? this.#edited(call) : undefined;
    const command = commandOf(call);
    if (!known) await this.beforeCommand(id, command);
    if (isDone) await this.afterCommand(id, command);
  }

  /** Records what the tool said, and where it said no texts what became of the files that it named. */
  async #edited(call: ToolCall): Promise<void> {
    const diffs = diffsOf(call);
    for (const { path, oldText, newText } of diffs) {
      const said = oldText ? { old_string: oldText, new_string: newText } : { content: newText };
      await this.#take('PostToolUse', edit(call.toolCallId, { file_path: path, ...said }));
    }
    const files = pathsOf(call);
    if (diffs.length === 0 && files.length > 0)
      await this.#take('PostToolUse', edit(call.toolCallId, { files }));
  }

  async #rejections(call: string): Promise<void> {
    const { id, agent, cwd, open } = this.#of;
    const told = await open(cwd)
      .then(({ workspace }) => {
        const session = workspace.session({ id, agent });
        return session.rejections(session.moment(), { call_id: call }, {});
      })
      .catch(() => null);
    if (told) this.#untold.add(told.message);
  }

  /** Hands an event on in the form that hooks have. Returns what the agent is to be told that it may not. */
  async #take(name: string, event: object): Promise<{ denied?: string | undefined }> {
    const { id, agent, cwd, model, open, tell } = this.#of;
    try {
      const { workspace, git } = await open(cwd);
      const payload = { hook_event_name: name, session_id: id, cwd, model, ...event };
      const bytes = new TextEncoder().encode(JSON.stringify(payload));
      const { answer } = await workspace.takeHook(bytes, { named: agent, folder: cwd, git });
      const told = textUnder(answer, /^(additionalContext|additional_context|contextModification|told)$/);
      if (told !== undefined) this.#untold.add(told);
      return { denied: textUnder(answer, DENIED) };
    } catch (error) {
      tell(`${name} of ${agent} is not recorded: ${(error as Error).message}`);
      return {};
    }
  }
}

const DENIED = /^(permissionDecisionReason|reason|agent_message|errorMessage|denied)$/;

/** Finds the text of a field in an answer to a hook, which each agent's hooks have elsewhere. */
function textUnder(answer: unknown, name: RegExp): string | undefined {
  for (const [key, value] of Object.entries(objectOf(answer) ?? {})) {
    const found = typeof value === 'string' && name.test(key) ? value : textUnder(value, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

function write(call: string, file_path: string, content: string): object {
  return { tool_name: 'write', tool_use_id: call, tool_input: { file_path, content } };
}

function edit(call: string, tool_input: object): object {
  return { tool_name: 'edit', tool_use_id: call, tool_input };
}

function shell(call: string, command: string): object {
  return { tool_name: 'shell', tool_use_id: call, tool_input: { command } };
}

function commandOf({ rawInput, title = '' }: ToolCall): string {
  const given = objectOf(rawInput)?.command;
  return typeof given === 'string' ? given : Array.isArray(given) ? given.join(' ') : title;
}
