/** The commit of HEAD's history that brought something into a file. */

import { revList } from '../../git/rev-list.ts';
import { rowsInTree } from '../../trail/history/file-rows.ts';
import type { FileHistory } from '../../trail/history/versions.ts';
import type { WovenRow } from '../../trail/history/weave.ts';
import { treeOf } from '../../trail/walk.ts';
import type { Context } from '../context.ts';

/** The most commits to look through for the one that brought an edit into HEAD's history. */
const MOST_CANDIDATES = 500;

/** Goes down from a commit that has it, as long as a commit below it has it too; not to one `without` it. */
export async function firstWith(
  { objects }: Pick<Context, 'objects'>,
  { weave, names }: Pick<FileHistory, 'weave' | 'names'>,
  has: (held: ReadonlySet<WovenRow>) => boolean,
  { newest, without }: { newest: string; without: string | null },
): Promise<string> {
  const between = await revList(objects, newest, without);
  const isIn = async (commit: string): Promise<boolean> =>
    has(weave.place(await rowsInTree(objects, await treeOf(objects, commit), names)).held);
  let now = newest;
  for (let looked = 0; looked < MOST_CANDIDATES; ) {
    const below = ((await objects.commitInfo(now))?.parents ?? []).filter(oid => between.has(oid));
    let next: string | null = null;
    for (const oid of below) {
      looked++;
      if (next === null && (await isIn(oid))) next = oid;
    }
    if (next === null) return now;
    now = next;
  }
  return now;
}
