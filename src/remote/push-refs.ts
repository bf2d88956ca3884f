/**
 * Moving refs of a server, by its answers to one question: where is the ref now? Servers word a lost race in many ways,
 * and an answer may be lost though the ref moved, so the words are never read: the ref is.
 */

import { sleep } from '../fs/all-done.ts';
import { remoteFailed } from './failures.ts';
import type { PushReport, RefUpdate, Transport } from './transport.ts';

/** The most times that the server is asked, the first one included. */
const TRIES = 3;
/** Milliseconds before the second try, on average; the third waits twice as long. */
const PAUSE = 300;

/** The outcome of one ref. */
export type PushOutcome =
  | { ref: string; result: 'done' }
  /** Somebody else moved the ref; `now` is where it is. */
  | { ref: string; result: 'moved'; now: string | null }
  /** It stays where it is, and the server said no each time. */
  | { ref: string; result: 'refused'; words: string };

/** Asks until each ref has moved, was moved by somebody else, or was refused as often. Throws REMOTE_FAILED. */
export async function pushRefs(
  transport: Transport,
  updates: readonly RefUpdate[],
  pause: number = PAUSE,
): Promise<PushOutcome[]> {
  const outcomes = new Map<string, PushOutcome>();
  let open = [...updates];
  let last: PushReport = { done: true, rejected: new Set(), words: '' };
  for (let failed = 0; open.length > 0 && failed < TRIES; failed++) {
    // A server that said no, or whose answer was lost, may be locked for a moment. Many who were turned away at once do not come back at once.
    if (failed > 0) await sleep(pause * failed * (0.5 + Math.random()));
    last = await transport.push(open);
    const now = last.done ? null : await valuesOf(transport, open);
    for (const update of open) {
      const outcome = outcomeOf(update, now);
      if (outcome) outcomes.set(update.ref, outcome);
    }
    open = open.filter(({ ref }) => !outcomes.has(ref));
  }
  for (const { ref } of open) {
    if (!last.rejected.has(ref)) throw remoteFailed(transport.remote, 'Pushing', last.words);
    outcomes.set(ref, { ref, result: 'refused', words: last.words });
  }
  return updates.map(({ ref }) => outcomes.get(ref)!);
}

/** Tells what became of a ref; `null`: it is where it was. `now`: what the server has; `null`: all of them moved. */
function outcomeOf(
  { ref, old, oid }: RefUpdate,
  now: ReadonlyMap<string, string> | null,
): PushOutcome | null {
  const value = now === null ? oid : (now.get(ref) ?? null);
  if (value === oid) return { ref, result: 'done' };
  return value === old ? null : { ref, result: 'moved', now: value };
}

async function valuesOf(
  transport: Transport,
  updates: readonly RefUpdate[],
): Promise<ReadonlyMap<string, string>> {
  const refs = await transport.list(updates.map(({ ref }) => ref));
  return new Map(refs.map(({ name, oid }) => [name, oid]));
}
