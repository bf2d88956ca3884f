/** A change that is ready to be published, and what the journal says of it. */

import { toBase64 } from '../../git/bytes.ts';
import type { WantedLock } from '../../git/git-locks.ts';
import type { JournalEntry, JournalIndexEntry } from '../../git/journal.ts';
import type { EncodedObject } from '../../git/objects/object.ts';
import { refPath } from '../../git/refs/refs.ts';
import type { TrailHead } from '../../trail/head.ts';
import type { DraftedChange } from '../change/drafted-change.ts';
import type { Context } from '../context.ts';

export interface Transaction {
  trail: TrailHead;
  /** The commit that the ref shall point to. */
  commit: string;
  objects: readonly EncodedObject[];
  changes: readonly DraftedChange[];
  /** Entries of git's index to keep in step; `null` on a trail beside the branch. */
  index: JournalIndexEntry[] | null;
  /** True when git's locks were taken before the planning (holdLocks). */
  holding: boolean;
  /** For the reflog: `Name <email> seconds zone`, and what happened. */
  committer: string;
  summary: string;
}

/** Larger changes are synced in their own files at once: a journal is read whole. */
const CARRIED_BYTES = 256 * 1024;

/** True when the journal carries the new objects, and they need not be durable before the answer. */
export function isCarried(context: Context, { objects }: Pick<Transaction, 'objects'>): boolean {
  return context.durability === 'journal' && sizeOf(objects) <= CARRIED_BYTES;
}

/** `token` is that of the engine's lock, `record` what the store needs. */
export async function journalEntry(
  context: Context,
  transaction: Transaction,
  token: string,
  locks: readonly WantedLock[],
  record: unknown,
): Promise<JournalEntry> {
  const { trail, commit, index, objects } = transaction;
  const exact = await exactContents(context, transaction.changes);
  const carried = [...(isCarried(context, transaction) ? objects : []), ...exact];
  return {
    format: 1,
    token,
    ref: trail.ref,
    refPath: refPath(context.repo, trail.ref),
    old: trail.oid,
    new: commit,
    locks: locks.map(lock => lock.path),
    objects: carried.map(({ oid, deflated }) => [oid, toBase64(deflated)]),
    store: record,
    index,
  };
}

/** The bytes of files of which git records others: no object has them, and recovery needs them. */
async function exactContents(context: Context, changes: readonly DraftedChange[]): Promise<EncodedObject[]> {
  const found: EncodedObject[] = [];
  for (const { before, after, recorded } of changes) {
    for (const [file, kept] of [[before, recorded.before] as const, [after, recorded.after] as const]) {
      if (file && file.version !== kept?.version) found.push(await context.codec.encode('blob', file.bytes));
    }
  }
  return sizeOf(found) <= CARRIED_BYTES ? found : [];
}

function sizeOf(objects: readonly EncodedObject[]): number {
  return objects.reduce((sum, object) => sum + object.deflated.length, 0);
}
