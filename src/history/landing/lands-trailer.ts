/**
 * The trailer by which a landed commit names the trail's commits that it holds:
 *
 *     Vedit-Lands: <commit>             one
 *     Vedit-Lands: <after>..<last>      all after the one, up to the other
 */

/** One commit, or with `after` a row of them, both ids full. */
export interface Lands {
  after: string | null;
  last: string;
}

export function formatLands({ after, last }: Lands): string {
  return after === null ? last : `${after}..${last}`;
}

/** Names the edits by the ids that they have since a purge: a landed commit names those of its time. */
export function presentLands(
  lands: readonly Lands[],
  ids: ReadonlyMap<string, string> | null,
): readonly Lands[] {
  if (ids === null) return lands;
  return lands.map(({ after, last }) => ({
    after: after === null ? null : (ids.get(after) ?? after),
    last: ids.get(last) ?? last,
  }));
}

/** Finds the trailers wherever they stand: a squashed merge indents messages and puts them one after another. */
export function parseLands(message: string): Lands[] {
  const found = message.matchAll(/^\s*Vedit-Lands: (?:([0-9a-f]{40})\.\.)?([0-9a-f]{40})\s*$/gm);
  return [...found].map(([, after, last]) => ({ after: after ?? null, last: last! }));
}
