/** What recovery does with texts that an edit had moved aside, and how it makes a ref and evidence. */

import { decideAside, type Evidence } from '../../src/fs/recovery-rules.ts';
import type { Steps } from './edit.ts';
import type { JournalRecord, Staging, WorkFile, World } from './world.ts';

/** A text that somebody wrote into a file which an edit had moved aside. */
export function* returnAsides(world: World, token: number, records: readonly JournalRecord[]): Steps<void> {
  if (world.flaws.has('aside not looked at')) return;
  for (const [other, staging] of [...world.tmp]) {
    const record = records.findLast(one => one.token === other);
    if (other === token || !record) continue;
    for (const [key, aside] of [...staging.asides]) yield* returnAside(world, record, staging, key, aside);
  }
}

function* returnAside(
  world: World,
  record: JournalRecord,
  staging: Staging,
  key: string,
  aside: WorkFile,
): Steps<void> {
  const file = record.files.find(({ path }) => `${record.worktree}/${path}` === key);
  const present = world.file(key);
  const decision = decideAside({
    was: evidence(world, file?.was ?? null, ''),
    aside: evidence(world, aside.ino, aside.version)!,
    present: present && evidence(world, present.ino, present.version),
  });
  if (decision === 'keep') {
    const oid = world.newCommit({ parents: [], tree: { [key]: aside.version }, by: 'engine' });
    world.objects.set(oid, true);
    putRef(world, `refs/vedit-kept/${oid}`, oid);
  }
  staging.asides.delete(key);
  yield `aside ${key}`;
}

/** Durable before anything that follows: objects, the file, its folder. */
export function putRef(world: World, ref: string, value: string): void {
  world.syncObjects(world.reachable(value));
  world.setRef(ref, { value, ino: world.newInode(), by: 'engine' });
  world.syncRef(ref);
}

/** Evidence of an inode; as a negative control, its content. */
export function evidence(world: World, ino: number | null, content: string | null): Evidence | null {
  if (ino === null) return null;
  return { ino: world.flaws.has('no evidence') ? `${content}` : `${ino}`, mtimeNs: '0', size: 0 };
}
