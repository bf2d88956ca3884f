/**
 * A journal is a file in the repository, so it may come with one that somebody else made. What recovery does by it is
 * therefore held to what the engine itself would have written: paths are found anew, ids and names are checked.
 */

import { fromBase64 } from '../../git/bytes.ts';
import type { JournalEntry, JournalIndexEntry } from '../../git/journal.ts';
import type { LooseObject } from '../../git/objects/loose.ts';
import { isOid, parseObject, ZERO_OID } from '../../git/objects/object.ts';
import { checkRefName } from '../../git/refs/ref-name.ts';
import { refPath } from '../../git/refs/refs.ts';
import { checkPath } from '../../stores/paths.ts';
import type { Context } from '../context.ts';

/** The entry with the paths that this repository has, or `null` when the engine did not write it. */
export function checkedEntry(context: Context, entry: JournalEntry): JournalEntry | null {
  const { repo } = context;
  try {
    if (entry.format !== 1 || !/^[0-9a-f]{24}$/.test(entry.token) || !isTrailRef(entry.ref)) return null;
    const { old, new: oid, objects, index, landing } = entry;
    const isWhole =
      isIdOrNone(old) &&
      isOid(oid) &&
      Array.isArray(objects) &&
      (index === null || index.every(isIndexEntry));
    if (!isWhole) return null;
    if (landing && !(isTrailRef(landing.ref) && isIdOrNone(landing.from) && landing.staged.every(isStaged)))
      return null;
    const path = refPath(repo, entry.ref);
    const locks = [`${repo.gitDir}/index.lock`, `${repo.gitDir}/HEAD.lock`, `${path}.lock`];
    return { ...entry, refPath: path, locks: [...new Set(locks)] };
  } catch {
    return null;
  }
}

function isTrailRef(ref: string): boolean {
  return ref === 'HEAD' || (/^refs\/(heads|vedit)\//.test(ref) && checkRefName(ref));
}

function isIdOrNone(oid: string | null): boolean {
  return oid === null || oid === ZERO_OID || isOid(oid);
}

function isIndexEntry({ path, before, after }: JournalIndexEntry): boolean {
  return isPath(path) && isSide(before) && isSide(after);
}

function isStaged({ path, before, after }: NonNullable<JournalEntry['landing']>['staged'][number]): boolean {
  return isPath(path) && isSide(before) && (after === 'branch' || isSide(after));
}

function isSide(side: JournalIndexEntry['before']): boolean {
  return side === null || (/^(100644|100755|120000|160000)$/.test(side.mode) && isOid(side.oid));
}

/** Paths of links, submodules and .gitmodules may be in an index that follows a branch. */
function isPath(path: string): boolean {
  return checkPath(path, { gitmodules: true }) === path;
}

/** The objects that an entry carries and that are what their ids say. */
export async function carriedObjects({ codec }: Context, entry: JournalEntry): Promise<LooseObject[]> {
  const whole: LooseObject[] = [];
  for (const [oid, text] of entry.objects) {
    const deflated = fromBase64(text);
    const stored = await Promise.resolve(codec.inflate(deflated)).catch(() => null);
    const object = stored && parseObject(stored);
    if (object && (await codec.hash(object.type, object.content)) === oid) whole.push({ oid, deflated });
  }
  return whole;
}
