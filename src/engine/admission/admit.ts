/**
 * The one door to history: every change that is about to be recorded passes here, whoever made it: edits and ways back,
 * records of hooks and of commands, outside changes. A rule may object to a file of it.
 */

import type { TrailMeta } from '../../history/message.ts';
import { aboutPath } from '../../history/message.ts';
import { isOutside } from '../../operations.ts';
import type { DraftedChange, Planned } from '../change/planned.ts';
import { toTrail } from '../context.ts';
import type { About, Objection, Rule } from './about.ts';
import { policyObjections } from './policy/rules.ts';
import { secretsIn, secretWord } from './secrets.ts';

const RULES: readonly Rule[] = [withinLimits, policyObjections, secretsIn];

/** The changes that may enter history, what is to be told of the others, and what the commit says. */
export interface Admitted {
  changes: DraftedChange[];
  notes: string[];
  meta: Pick<TrailMeta, 'allowsSecrets'>;
}

/**
 * Throws the first objection: DENIED, SECRET. Of the files that a look at all of them found, those that a rule objects to are
 * withheld, and the others go on.
 */
export async function admit(change: Omit<About, 'planned'>, planned: Planned): Promise<Admitted> {
  const about = { ...change, planned };
  const objections: Objection[] = [];
  for (const rule of RULES) objections.push(...((await rule(about)) ?? []));
  if (objections.length === 0) return { changes: [...about.changes], notes: [], meta: {} };
  const refused = objections.filter(one => 'refusal' in one);
  const withheld = new Set(refused.map(({ path }) => path));
  const changes = about.changes.filter(({ path }) => !withheld.has(path));
  if (refused.length > 0 && (!planned.inPlace?.drafted || changes.length === 0)) throw refused[0]!.refusal;
  const allowed = objections.flatMap(one =>
    'allowed' in one
      ? one.allowed.map(kind => aboutPath(secretWord(kind), toTrail(about.snapshot.context, one.path)))
      : [],
  );
  return {
    changes,
    notes: refused.map(({ refusal }) => `${WITHHELD}${refusal.message}`),
    meta: allowed.length > 0 ? { allowsSecrets: allowed } : {},
  };
}

/** Begins the note of a file that is withheld. */
export const WITHHELD = 'not recorded: ';

/** Objects to none: throws DENIED where a limit is reached. What others changed is recorded all the same. */
function withinLimits({ snapshot, changes, request }: About): null {
  if (!isOutside(request.op)) snapshot.context.limits?.check(newBytes(changes));
  return null;
}

/** Counts the bytes of the contents after a change that are not those before it. */
export function newBytes(changes: About['changes']): number {
  return changes.reduce((sum, { recorded: { before, after } }) => {
    return sum + (after === null || after.version === before?.version ? 0 : after.bytes.length);
  }, 0);
}
