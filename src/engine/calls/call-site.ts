/**
 * Stacks as a programmer needs them: a refusal comes from the call that was made, not from the lines of the engine, which
 * are minified where it is published, and of which ten would hide the caller's own.
 */

import { EditError } from '../../errors.ts';

/** Where a call was made. Its text is worked out only when it is asked for. */
export interface CallSite {
  readonly stack?: string | undefined;
}

/** Notes where the program is now. To be called before anything is waited for. */
export function callSite(): CallSite {
  const site: CallSite = {};
  (Error as { captureStackTrace?: (on: object) => void }).captureStackTrace?.(site);
  return site;
}

/** Gives a refusal the stack of the call, from the program's own frame on. What a program itself threw keeps its own. */
export function atCallSite<T>(thrown: T, site: CallSite): T {
  if (!(thrown instanceof EditError)) return thrown;
  const frames = site.stack?.split('\n').filter(isFrame) ?? [];
  const own = frames[0]?.match(OWN_FOLDER)?.[0];
  if (own === undefined || !thrown.stack?.split('\n').find(isFrame)?.includes(own)) return thrown;
  const outside = frames.findIndex(frame => !frame.includes(own));
  const called = outside < 0 ? [] : frames.slice(outside);
  thrown.stack = [`${thrown.name}: ${thrown.message}`, ...called].join('\n');
  // What it was made of says the same in other words.
  atCallSite(thrown.cause, { stack: frames[0] });
  return thrown;
}

const isFrame = (line: string): boolean => /^\s+at /.test(line);

/** The folder of all of the engine, as it is published, in the frame of a function of this file. */
const OWN_FOLDER = /file:.*\/(?=chunks\/)/;
