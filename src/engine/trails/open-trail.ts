/** The trail that the workspace works on, and the names that a session gives its commits. */

import { EditError } from '../../errors.ts';
import { readTrail, type TrailHead } from '../../history/head.ts';
import type { Context } from '../context.ts';

/** Reads the trail as it is now. Throws CORRUPT, STORE_FAILED, INVALID_INPUT. */
export function openTrail({ repo, objects, trailName }: Context): Promise<TrailHead> {
  return readTrail(repo, objects, trailName);
}

/** Checks the name that a session gives a commit. Throws INVALID_INPUT for what could name a commit otherwise. */
export function checkMark(name: string): string {
  const isName = typeof name === 'string' && /^[A-Za-z][\w.-]{0,79}$/.test(name);
  if (isName && name !== 'HEAD' && !/^[0-9a-f]{4,40}$/i.test(name)) return name;
  const shown = JSON.stringify(String(name).slice(0, 60));
  const message = `session.mark: ${shown} cannot name a mark: give a letter, then letters, digits and _ . -, at most 80, and no hex digits that may be a commit's. Nothing was done.`;
  throw new EditError('INVALID_INPUT', message, { fields: ['name'] });
}

/** Gives the name of a session to the trail's newest commit, which it answers; `null`: there is none. */
export async function setMark(
  context: Context,
  marks: Map<string, string | null>,
  name: string,
): Promise<string | null> {
  const { parent } = await openTrail(context);
  marks.set(name, parent);
  return parent;
}
