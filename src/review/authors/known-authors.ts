/**
 * Remembers who is behind the hunks of files: while agents edit one file, a review is asked for again and again, and in
 * the others nothing has changed. What is known of a file holds as long as its texts do, and no commit came that is
 * about it.
 */

import type { Context } from '../../engine/context.ts';
import type { Snapshot } from '../../engine/files/snapshot.ts';
import type { AuthorSet, Reviewed } from '../../engine/rejections/people.ts';
import { type Side, same } from '../../engine/rejections/side.ts';
import { isSync } from '../../operations.ts';
import { type TrailRow, walkRows } from '../../trail/walk.ts';
import type { ReviewedFile } from '../accepted/accepted-text.ts';
import { findAuthors } from './authors.ts';
import type { ComparedFile } from './file-authors.ts';

interface KnownFile extends Pick<ReviewedFile, 'accepted' | 'recorded' | 'present'> {
  /** The newest commit that may be about the file; `undefined`: none of the trail. */
  newest: string | undefined;
  /** Up to which commit the review had come; `undefined` where that made no difference. */
  base: string | null | undefined;
  authors: AuthorSet[];
}

/** The most files that are remembered, and the most characters that the texts of one of them have together. */
const MOST = { files: 5_000, characters: 500_000 };

const known = new WeakMap<Context, Map<string, KnownFile>>();

/** Returns the authors of each change of each file, in their order; of a file as a whole, those of the whole. */
export async function authorsOf(review: Reviewed, files: readonly ComparedFile[]): Promise<AuthorSet[][]> {
  const { context } = review.snapshot;
  const paths = files.map(({ path }) => path);
  const newest = await newestAbout(review.snapshot, paths);
  const base = review.newest?.meta?.base ?? null;
  const kept = known.get(context) ?? new Map<string, KnownFile>();
  known.set(context, kept);
  const isKnown = (file: ComparedFile): boolean => {
    const one = kept.get(file.path);
    if (!one || one.newest !== newest.get(file.path)) return false;
    return (one.base === undefined || one.base === base) && hasTexts(one, file);
  };
  const found = new Map<ComparedFile, AuthorSet[]>();
  for (const file of files) if (isKnown(file)) found.set(file, kept.get(file.path)!.authors);
  const unknown = files.filter(file => !found.has(file));
  for (const { file, authors, usesBase } of await findAuthors(review, unknown)) {
    found.set(file, authors);
    if (lengthOf(file) > MOST.characters || kept.size >= MOST.files) continue;
    const sides = {
      accepted: light(file.accepted),
      recorded: light(file.recorded),
      present: light(file.present),
    };
    const at = { newest: newest.get(file.path), base: usesBase ? base : undefined };
    kept.set(file.path, { ...at, ...sides, authors });
  }
  return files.map(file => found.get(file)!);
}

function hasTexts(one: KnownFile, file: ReviewedFile): boolean {
  return (['accepted', 'recorded', 'present'] as const).every(side => same(one[side], file[side]));
}

function lengthOf({ accepted, recorded, present }: ReviewedFile): number {
  return [accepted, recorded, present].reduce((sum, { text }) => sum + (text?.length ?? 0), 0);
}

function light({ file, text }: Side): Side {
  return { file: file && { ...file, bytes: new Uint8Array() }, text };
}

/** Finds for each path the newest commit of the trail that may be about it, where there is one. */
async function newestAbout(
  { context, trail }: Snapshot,
  paths: readonly string[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const open = new Set(paths);
  for await (const rows of walkRows(context.objects, trail.parent, { ownOnly: !trail.checkedOut })) {
    for (const row of rows) {
      if (open.size === 0) return found;
      for (const path of (await namesAll(row)) ? row.paths : [...open])
        if (open.delete(path)) found.set(path, row.commit);
    }
  }
  return found;
}

/** True for edits and ways back, which name what they change; commits of others do not. */
async function namesAll(row: TrailRow): Promise<boolean> {
  if (row.isPlain) return true;
  return row.op !== null && !isSync(row.op) && (await row.entry()).parents.length === 1;
}
