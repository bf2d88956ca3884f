/** Checks the signal that a hook, a server or a program gives of an agent. */

import * as z from 'zod';
import { type CheckOptions, optionsCheck, trailerOption } from '../calls/call-options.ts';
import { type AgentSignal, EVENT_KINDS } from './agent-events.ts';

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
