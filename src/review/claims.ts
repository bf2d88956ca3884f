/**
 * Claims: a person says that text is theirs which came from outside while an agent was at work. A claim stands on the commits
 * of their review, by commit and path (`Vedit-Claims`), and travels with it; blame reads it, and no commit is rewritten.
 */

import type { Context } from '../engine/context.ts';
import type { Author } from '../engine/rejections/people.ts';
import { listRefs } from '../git/refs/ref-list.ts';
import { isUnclaimed } from '../history/editors.ts';
import { PEERS_PREFIX, parsePublished } from '../history/peer-names.ts';
import { acceptances, REVIEW_PREFIX } from './review-ref.ts';

/** Reads who claims what of which change from outside; several do where clones claim the same. */
export class Claims {
  readonly #names = new Map<string, Set<string>>();

  add(claim: string, name: string): void {
    this.#names.set(claim, (this.#names.get(claim) ?? new Set()).add(name));
  }

  /** The names of those who claim what this commit changed in the path, in alphabetical order. */
  of(commit: string, path: string): string[] {
    return [...(this.#names.get(claimOf(commit, path)) ?? [])].sort();
  }

  /** True for what came from outside into this path, may be an agent's, and nobody claims. */
  leavesOpen(author: Author, path: string): boolean {
    return author !== null && isUnclaimed(author) && this.of(author.commit, path).length === 0;
  }
}

/** A value of Vedit-Claims. `path`: as the trail records it. */
export function claimOf(commit: string, path: string): string {
  return `${commit} ${path}`;
}

/** All that people claim here, and those of other clones whose reviews were fetched. */
export async function readClaims(context: Context): Promise<Claims> {
  const claims = new Claims();
  for (const { oid } of await listRefs(context.repo, REVIEW_PREFIX))
    await addClaims(context, claims, oid, '');
  for (const { name, oid } of await listRefs(context.repo, PEERS_PREFIX)) {
    const published = parsePublished(name);
    if (published?.reviewer !== undefined)
      await addClaims(context, claims, oid, ` (says ${published.clone})`);
  }
  return claims;
}

/** Adds the claims of one review, but for those that were taken back. What an agent accepts, it does not claim. */
async function addClaims(context: Context, claims: Claims, tip: string, said: string): Promise<void> {
  for await (const { author, meta } of acceptances(context.objects, tip))
    for (const claim of meta!.agent === undefined ? (meta!.claims ?? []) : [])
      claims.add(claim, `${author.name}${said}`);
}
