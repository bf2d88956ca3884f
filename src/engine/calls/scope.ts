/** The scope in which a session makes calls: in whose words, with whose signal, by what the caller knew, told to whom. */

import * as z from 'zod';
import type { Vocabulary } from '../../wording.ts';
import type { Answer } from '../answer.ts';
import type { Moment } from '../views.ts';
import { type CheckOptions, optionsCheck } from './call-options.ts';
import type { CallOptions } from './cancel.ts';
import * as option from './option.ts';

export interface TurnOptions extends CallOptions {
  /** In which words the caller is answered; default: in the engine's own, with all of its tools. */
  vocabulary?: Vocabulary | undefined;
  /** The request that the one edit of this turn is for: sent again with the same `edit_id`, it is the same one. */
  asked?: { tool: string; input: object } | undefined;
  /** The answers that the caller knew when it asked; default: all so far. */
  known?: Moment | undefined;
  /**
   * The turn, which is what the agent does for one prompt, and the sub-agent that edits, where they are not the
   * session's.
   */
  turn?: string | undefined;
  subagent?: string | undefined;
  /** The model, where it is another one than the session's. */
  model?: string | undefined;
  /** The id of the tool call was made to be unique, whatever it looks like; see SessionOptions.repeatCalls. */
  uniqueCall?: boolean | undefined;
  /** True where what comes may have lost characters on its way: U+FFFD is refused in a file that has none. */
  mayBeBroken?: boolean | undefined;
  /** False when the agent is not shown the messages of these edits; default true. */
  shown?: boolean | undefined;
  /** False when whoever makes the turn tells of its refusals, by `refused`; default true: each call tells of its own. */
  tells?: boolean | undefined;
}

export const vocabularyOption = (): z.ZodType<Vocabulary> =>
  z.strictObject({
    tools: z.record(z.string(), z.string()).optional(),
    fields: z.record(z.string(), z.string().nullable()).optional(),
    path: option.functionOf<(path: string) => string>().optional(),
    forgets: z.boolean().optional(),
  });

export const checkTurn: CheckOptions<Omit<TurnOptions, 'signal'>> = optionsCheck(
  {
    vocabulary: () => vocabularyOption().optional(),
    asked: () => z.strictObject({ tool: z.string(), input: z.custom<object>() }).optional(),
    known: () => z.custom<Moment>(Array.isArray, 'what session.moment() answered').optional(),
    turn: option.trailer,
    subagent: option.trailer,
    model: option.trailer,
    uniqueCall: option.flag,
    mayBeBroken: option.flag,
    shown: option.flag,
    tells: option.flag,
  },
  {},
);

/** The scope of one call of a tool: of its reads an agent is told as of its edits. */
export interface ToolScope extends Omit<TurnOptions, 'asked' | 'shown'> {
  /** The name of the tool, for what is told of a refusal. */
  op: string;
  /** The input of the call, for the ids in what is told. */
  input?: unknown;
  /** Cuts an answer to what an agent is to read; that of a refusal where it is not `ok`. */
  cut(answer: Answer<unknown>, ok: boolean): Answer<unknown>;
}

export interface Scope extends Omit<TurnOptions, 'known'>, Partial<Pick<ToolScope, 'cut' | 'op' | 'input'>> {
  vocabulary: Vocabulary;
  shown: boolean;
  tells: boolean;
  /** Answers that were known when the turn was asked for, and the number of them when it began. */
  known: Moment;
  began: number;
  /** Counts how often each request of a tool call was done in this turn, which may make the same edit several times. */
  repeats?: Map<string, number>;
}

/** The scope of calls that a session makes outside any turn. */
export const OUTERMOST: Scope = { vocabulary: {}, shown: true, tells: true, known: [], began: -1 };

/** Returns the scope of a turn within `outer`, which holds for all that `turn` does not say; but for the signal. */
export function scopeWithin(
  outer: Scope,
  { signal, ...own }: Omit<TurnOptions, 'known'> | Omit<ToolScope, 'known'>,
  since: { known: Moment; began: number },
): Scope {
  const given = Object.entries(own).filter(([, value]) => value !== undefined);
  return { ...outer, repeats: outer.repeats ?? new Map(), ...Object.fromEntries(given), signal, ...since };
}
