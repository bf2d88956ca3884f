/** Checks the signal that a hook, a server or a program gives of an agent. */

import * as z from 'zod';
import { type CheckOptions, optionsCheck } from '../calls/call-options.ts';
import * as option from '../calls/option.ts';
import { type AgentSignal, EVENT_KINDS } from './agent-events.ts';

export const checkSignal: CheckOptions<AgentSignal> = optionsCheck(
  {
    kind: () => z.enum(EVENT_KINDS),
    agent: option.requiredText,
    session: option.requiredText,
    id: option.text,
    tool: option.text,
    path: option.text,
    turn: option.trailer,
    model: option.trailer,
    prompt: option.text,
    command: option.text,
  },
  { kind: 'before', agent: 'fixer', session: 's1', id: 'c1', tool: 'shell' },
);
