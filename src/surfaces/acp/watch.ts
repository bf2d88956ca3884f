/** Reads along in both directions, and says of each message whether it goes on as it is. */

import { knownAgent } from '../../agents/agent-name.ts';
import { plainName } from '../../engine/editor.ts';
import { objectOf } from '../../json.ts';
import { field, type Message, promptText, toolCallIn, withText } from './message.ts';
import { AgentSession, type SessionOf } from './session.ts';

/** `null`: it goes on, byte for byte. `instead`: this goes on; `answer`: this goes back, and nothing on. */
export type Passed = null | { instead: Message } | { answer: Message };

/** A request that waits for its answer, with what to do then. */
type Then = (answer: Message) => Promise<unknown>;

export interface WatchOptions extends Pick<SessionOf, 'open' | 'tell'> {
  /** The agent's name, until it says another; `isGiven`: whatever it says. */
  agent: string;
  isGiven: boolean;
}

export class Watch {
  readonly #options: WatchOptions;
  readonly #sessions = new Map<string, AgentSession>();
  readonly #ofEditor = new Map<string, Then>();
  readonly #ofAgent = new Map<string, Then>();
  /** By terminal, the command that runs there, until it has ended. */
  readonly #running = new Map<string, () => Promise<unknown>>();
  #agent: string;

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#agent = options.agent;
  }

  /** Reads a message of the editor. Never throws. */
  async fromEditor(message: Message): Promise<Passed> {
    if (message.method === undefined) return answered(this.#ofAgent, message);
    const { params } = message;
    const session = this.#sessions.get(field(params, 'sessionId'));
    const wait = (then: Then): null => waits(this.#ofEditor, message, then);
    switch (message.method) {
      case 'initialize':
        return wait(async ({ result }) => this.#named(objectOf(result)?.agentInfo));
      case 'session/new':
      case 'session/fork':
        return wait(({ result }) => this.#begin(field(result, 'sessionId'), params, result));
      case 'session/load':
      case 'session/resume':
        return wait(({ result }) => this.#begin(field(params, 'sessionId'), params, result));
      case 'session/set_model':
        session?.setModel(field(params, 'modelId'));
        return null;
      case 'session/prompt': {
        if (!session) return null;
        wait(() => session.stop());
        const told = await session.prompt(promptText(params));
        return told === '' ? null : { instead: withText(message, told) };
      }
      default:
        return null;
    }
  }

  /** Reads a message of the agent. Never throws. */
  async fromAgent(message: Message): Promise<Passed> {
    if (message.method === undefined) return answered(this.#ofEditor, message);
    const { params, method } = message;
    const session = this.#sessions.get(field(params, 'sessionId'));
    if (!session) return null;
    const call = `${method.replace(/\W/g, '-')}-${String(message.id)}`;
    if (method === 'fs/write_text_file') return this.#write(session, message, call);
    if (method === 'terminal/create') return this.#command(session, message, call);
    if (/^terminal\/(wait_for_exit|kill|release)$/.test(method)) {
      const terminal = field(params, 'terminalId');
      return waits(this.#ofAgent, message, async () => this.#running.get(terminal)?.());
    }
    const told = toolCallIn(message);
    if (told) await session.tool(told);
    return null;
  }

  /** Says that all sessions have ended. */
  async end(): Promise<void> {
    for (const ended of this.#running.values()) await ended();
    for (const session of this.#sessions.values()) await session.end();
  }

  #named(info: unknown): void {
    const name = field(info, 'name');
    if (name !== '' && !this.#options.isGiven)
      this.#agent = knownAgent(plainName(name.replace(/^@[^/]*\//, '')) ?? this.#agent).agent;
  }

  async #begin(id: string, params: unknown, result: unknown): Promise<void> {
    if (id === '' || this.#sessions.has(id)) return;
    const { open, tell } = this.#options;
    const model = field(objectOf(result)?.models, 'currentModelId') || undefined;
    const session = new AgentSession({
      id,
      agent: this.#agent,
      cwd: field(params, 'cwd'),
      model,
      open,
      tell,
    });
    this.#sessions.set(id, session);
    await session.start();
  }

  async #write(session: AgentSession, message: Message, call: string): Promise<Passed> {
    const [path, content] = [field(message.params, 'path'), field(message.params, 'content')];
    const denied = await session.beforeWrite(call, path, content);
    if (denied !== '') return { answer: { id: message.id, error: { code: REFUSED, message: denied } } };
    return waits(this.#ofAgent, message, async ({ error }) =>
      error === undefined ? session.afterWrite(call, path, content) : undefined,
    );
  }

  async #command(session: AgentSession, message: Message, call: string): Promise<Passed> {
    const args = objectOf(message.params)?.args;
    const words = [field(message.params, 'command'), ...(Array.isArray(args) ? args.map(String) : [])];
    const command = words.join(' ');
    await session.beforeCommand(call, command);
    return waits(this.#ofAgent, message, async ({ result }) => {
      const terminal = field(result, 'terminalId');
      this.#running.set(terminal, () => {
        this.#running.delete(terminal);
        return session.afterCommand(call, command);
      });
    });
  }
}

/** As JSON-RPC has it: a code of the program's own. */
const REFUSED = -32_000;

function waits(pending: Map<string, Then>, { id }: Message, then: Then): null {
  if (id !== undefined) pending.set(JSON.stringify(id), then);
  return null;
}

async function answered(pending: Map<string, Then>, message: Message): Promise<null> {
  const key = JSON.stringify(message.id);
  const then = pending.get(key);
  pending.delete(key);
  await then?.(message);
  return null;
}
