/** The signal that a hook, a server or a program gives of an agent that changes files by other means than the engine. */

import * as z from 'zod';
import { type CheckOptions, optionsCheck, trailerOption } from '../calls/call-options.ts';
import { EVENT_KINDS } from './agent-events.ts';

export interface AgentSignal {
  /**
   * `start`, `end`: of a session whose client tells of its turns. `prompt`, `stop`: of a turn. `before`, `after`: of a call that
   * may change files; `background` before one that goes on when it has answered. `connect`, `gone`: of a client that tells
   * nothing, for as long as this process lives. `quiet`: what the session's commands started has ended.
   */
  kind:
    | 'start'
    | 'prompt'
    | 'before'
    | 'background'
    | 'after'
    | 'stop'
    | 'end'
    | 'connect'
    | 'gone'
    | 'quiet';
  agent: string;
  /** The client's id of it; '' of a client. */
  session: string;
  /** The id of a call; of what happens once in a turn or session: none. */
  id?: string | undefined;
  /** The tool that is called. */
  tool?: string | undefined;
  /** The path, as the trail records it, of a call that can change one file alone. */
  path?: string | undefined;
  /** The client's id of the turn, and its model, where it says them. */
  turn?: string | undefined;
  model?: string | undefined;
  /** The prompt, and the command that the call runs: kept where `vedit.prompts` of git's config says so, in no commit. */
  prompt?: string | undefined;
  command?: string | undefined;
}

export const checkSignal: CheckOptions<AgentSignal> = optionsCheck(
  () => ({
    kind: z.enum(EVENT_KINDS),
    agent: z.string(),
    session: z.string(),
    id: z.string().optional(),
    tool: z.string().optional(),
    path: z.string().optional(),
    turn: trailerOption.optional(),
    model: trailerOption.optional(),
    prompt: z.string().optional(),
    command: z.string().optional(),
  }),
  { kind: 'before', agent: 'fixer', session: 's1', id: 'c1', tool: 'shell' },
);
