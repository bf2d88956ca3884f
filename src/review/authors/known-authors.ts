/**
 * Remembers who is behind the hunks of files: while agents edit one file, a review is asked for again and again, and in
 * the others nothing has changed. What is known of a file holds as long as its texts do, and no commit came that is
 * about it.
 */

import type { Context } from '../../engine/context.ts';
import type { Snapshot } from '../../engine/files/snapshot.ts';
import type { AuthorSet } from '../../engine/rejections/people.ts';
import { type Side, same } from '../../engine/rejections/side.ts';
import { isSync } from '../../operations.ts';
import type { TrailRow } from '../../trail/walk.ts';
import { walkRows } from '../../trail/walk.ts';
import type { ReviewedFile } from '../accepted/accepted-text.ts';

interface Known extends Pick<ReviewedFile, 'accepted' | 'recorded' | 'present'> {
  /** Up to which commit the review had come; `undefined` where that made no difference. */
  base: string | null | undefined;
  authors: AuthorSet[];
}

export interface Found {
  authors: AuthorSet[];
  /** True where it depends on what was made since the review. */
  usesBase: boolean;
}

/** The most files that are remembered, and the most characters that the texts of one of them have together. */
const MOST = { files: 5_000, characters: 500_000 };
/** Commits that are looked through for what they are about; after more, all is found out anew. */
const COMMITS = 1_000;

export class KnownAuthors {
  #ref: string | null = null;
  #tip: string | null = null;
  readonly #known = new Map<string, Known>();

  /** Forgets what commits since the last time are about. Call it before `get`. */
  async follow({ context, trail: { ref, parent } }: Snapshot): Promise<void> {
    if (this.#ref === ref && this.#tip === parent) return;
    const isSame = this.#ref === ref && this.#tip !== null;
    const since = isSame ? await pathsSince(context, parent, this.#tip!) : null;
    if (since) for (const path of since) this.#known.delete(path);
    else this.#known.clear();
    this.#ref = ref;
    this.#tip = parent;
  }

  get(file: ReviewedFile, base: string | null): AuthorSet[] | null {
    const known = this.#known.get(file.path);
    if (!known || (known.base !== undefined && known.base !== base)) return null;
    const isSame = (['accepted', 'recorded', 'present'] as const).every(one => same(known[one], file[one]));
    return isSame ? known.authors : null;
  }

  /** `tip`: the trail's newest commit when it was found out. */
  add(file: ReviewedFile, { authors, usesBase }: Found, base: string | null, tip: string | null): void {
    const { path, accepted, recorded, present } = file;
    const length = [accepted, recorded, present].reduce((sum, { text }) => sum + (text?.length ?? 0), 0);
    if (tip !== this.#tip || length > MOST.characters || this.#known.size >= MOST.files) return;
    const sides = { accepted: light(accepted), recorded: light(recorded), present: light(present) };
    this.#known.set(path, { ...sides, authors, base: usesBase ? base : undefined });
  }
}

const all = new WeakMap<Context, KnownAuthors>();

export function knownAuthors(context: Context): KnownAuthors {
  const known = all.get(context) ?? new KnownAuthors();
  all.set(context, known);
  return known;
}

function light({ file, text }: Side): Side {
  return { file: file && { ...file, bytes: new Uint8Array() }, text };
}

/**
 * Returns the paths that the commits from `newest` down to `until` are about; `null` where that cannot be told from the
 * newest ones.
 */
async function pathsSince(
  { objects }: Context,
  newest: string | null,
  until: string,
): Promise<Set<string> | null> {
  const paths = new Set<string>();
  for await (const rows of walkRows(objects, newest, { ownOnly: false, limit: COMMITS })) {
    for (const row of rows) {
      if (row.commit === until) return paths;
      if (!(await namesAll(row))) return null;
      for (const path of row.paths) paths.add(path);
    }
  }
  return null;
}

/** Edits and ways back name what they change; merges and commits of others do not. */
async function namesAll(row: TrailRow): Promise<boolean> {
  if (row.isPlain) return true;
  return row.op !== null && !isSync(row.op) && (await row.entry()).parents.length === 1;
}
