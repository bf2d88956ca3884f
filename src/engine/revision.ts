/**
 * Commits as callers name them: an id, 4 or more hex digits of one, `@` for the trail's newest commit, `~N` for the one
 * N before it, a branch or a tag. `@` and `~N` count what `log` lists: the commit that will bring the trail up to HEAD
 * is not there before somebody edits, so it counts for nobody.
 */

import { EditError } from '../errors.ts';
import { isOid } from '../git/objects/object.ts';
import { partsOf, refNamed, resolveCommit, takeSteps } from '../git/refs/revision.ts';
import type { TrailHead } from '../history/head.ts';
import { idsToday, type Purged, readPurged } from '../history/purged.ts';
import { walkTrail } from '../history/walk.ts';
import type { Context } from './context.ts';

/** Longer than any name of a ref that git makes, and the steps after it. */
const LONGEST = 4_096;

/** The full id; `trail` as it was read, not brought up to HEAD. Throws INVALID_INPUT when no commit fits, or several do. */
export async function findCommit(context: Context, trail: TrailHead, given: string): Promise<string> {
  if (given.length > LONGEST)
    throw new EditError('INVALID_INPUT', `A commit is named by at most ${LONGEST} characters.`, {
      limit: LONGEST,
    });
  const spec = given.trim();
  const { base, steps } = partsOf(spec);
  if (!isNewest(base, steps)) return resolveOnTrail(context, trail, spec);
  if (trail.parent) return takeSteps(context.objects, trail.parent, steps, spec);
  throw new EditError('INVALID_INPUT', `There is no commit yet, so ${spec} names nothing.`, { base: spec });
}

/**
 * Returns what is before and after the `..` of a range of commits, either of which may be left out; `null` for no
 * range.
 */
export function rangeEnds(spec: string): [after: string, last: string] | null {
  const range = /^(.*?)\.\.(.*)$/s.exec(spec);
  return range && [range[1]!, range[2]!];
}

function isNewest(base: string, steps: string): boolean {
  return base === '@' || (base === '' && steps.startsWith('~'));
}

/** All that was purged here; `null`: nothing. */
export async function purgedHere(context: Context): Promise<Purged | null> {
  const purged = await readPurged(context);
  context.objects.presentIds = purged?.commits ?? null;
  return purged;
}

/** Names a commit by the id that it has since a purge. An id, or the start of one, that is still there means that one. */
export async function sincePurged(context: Context, spec: string): Promise<string> {
  const { base, steps } = partsOf(spec);
  const id = base.toLowerCase();
  const purged = /^[0-9a-f]{4,40}$/.test(id) ? await purgedHere(context) : null;
  if (!purged) return spec;
  // Asked of the disk: this process may remember what another one purged.
  if ((await context.objects.expand(id)).length > 0) return spec;
  const [found, ...more] = idsToday(purged, id);
  return found === undefined || more.length > 0 ? spec : found + steps;
}

/** Finds the commit that a name stands for. Digits that `log` shows may begin the ids of other commits too: here they mean the trail's own. */
async function resolveOnTrail(context: Context, trail: TrailHead, given: string): Promise<string> {
  const spec = await sincePurged(context, given);
  try {
    return await resolveCommit(context.repo, context.objects, spec);
  } catch (error) {
    const candidates = error instanceof EditError ? error.data.candidates : undefined;
    if (!Array.isArray(candidates)) throw error;
    const own: string[] = [];
    for await (const { commit } of walkTrail(context.objects, trail.oid, { ownOnly: !trail.checkedOut }))
      if (candidates.includes(commit)) own.push(commit);
    if (own.length !== 1) throw error;
    return takeSteps(context.objects, own[0]!, partsOf(spec).steps, spec);
  }
}

/**
 * True for a name that is counted from the trail's newest commit, and so means another commit after every edit: `@`, `~N`,
 * and the trail's own ref with and without steps.
 */
export async function isCounted(context: Context, trail: TrailHead, given: string): Promise<boolean> {
  const { base, steps } = partsOf(given.trim());
  if (isNewest(base, steps)) return true;
  return !isOid(base.toLowerCase()) && (await refNamed(context.repo, base))?.name === trail.ref;
}

/**
 * The commits that one request names. Each is found once, before the request waits for a lock or plans anything: who
 * edits meanwhile does not change what the caller meant.
 */
export class NamedCommits {
  /** The trail when the request was made. */
  readonly trail: TrailHead;
  readonly #context: Context;
  readonly #found = new Map<string, string>();

  private constructor(context: Context, trail: TrailHead) {
    this.#context = context;
    this.trail = trail;
  }

  /** `trail` is as log shows it. A name that fits no commit is refused where it is asked for. */
  static async of(context: Context, trail: TrailHead, names: readonly string[]): Promise<NamedCommits> {
    const named = new NamedCommits(context, trail);
    await Promise.allSettled(names.map(name => named.find(name)));
    return named;
  }

  /**
   * As findCommit. One that was not found is looked for again: a repair may have come in between; and one that was found is
   * named by the id that it has since a purge.
   */
  async find(name: string): Promise<string> {
    const known = this.#found.get(name);
    const found = known
      ? await sincePurged(this.#context, known)
      : await findCommit(this.#context, this.trail, name);
    this.#found.set(name, found);
    return found;
  }
}
