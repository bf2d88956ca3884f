/** A change with so many bytes of objects that they go into a pack of their own, and not into the journal. */

import type { EncodedObject } from '../../git/objects/object.ts';
import { letPacksGo } from '../../git/packs/collector.ts';
import type { KeptPack } from '../../git/packs/kept-pack.ts';
import { type Context, collectorOf, packStoreOf } from '../context.ts';
import type { ChangeRecord } from './journal/record.ts';

/** Bytes of content, so that nothing has to be deflated to tell: text of this size has some 256 KiB when it is. */
const LARGE = 768 * 1024;

/** True where that many bytes wait for the disk; in memory nothing does. */
export function isLarge({ fs, codec }: Context, objects: readonly EncodedObject[]): boolean {
  const size = objects.reduce((sum, { content }) => sum + content.length, 0);
  return size > LARGE && codec.packing !== undefined && !fs.volatile;
}

/** The pack of a change under way: written before the record, synced with it. */
export class LargeChange {
  readonly pack: KeptPack;
  readonly #context: Context;

  private constructor(context: Context, pack: KeptPack) {
    this.#context = context;
    this.pack = pack;
  }

  /** `draft` begins names in tmp/ that nobody else uses. */
  static async write(
    context: Context,
    objects: readonly EncodedObject[],
    draft: string,
  ): Promise<LargeChange> {
    const { writeKept } = await import('../../git/packs/kept-pack.ts');
    return new LargeChange(context, await writeKept(packStoreOf(context, ''), objects, draft));
  }

  async sync(): Promise<void> {
    const { syncKept } = await import('../../git/packs/kept-pack.ts');
    await syncKept(packStoreOf(this.#context, ''), this.pack);
  }

  /** Lets git see the objects; to be called right before the ref moves to the commit. */
  async reveal(): Promise<void> {
    const { revealKept } = await import('../../git/packs/kept-pack.ts');
    await revealKept(packStoreOf(this.#context, ''), this.pack);
  }

  /** The change was not made. Objects that git has seen stay until a git gc: somebody may have the same, and rely on these. */
  async discard(): Promise<void> {
    const { dropHidden } = await import('../../git/packs/kept-pack.ts');
    if (!(await dropHidden(packStoreOf(this.#context, ''), this.pack.name)))
      await letPacksGo(collectorOf(this.#context), [this.pack.name]);
  }
}

/** Removes what large changes left that were not made; with the engine's lock held, while none is under way. */
export async function dropUnmade(context: Context): Promise<void> {
  const { dropAllHidden } = await import('../../git/packs/kept-pack.ts');
  await dropAllHidden(packStoreOf(context, ''));
}

/**
 * The records that count: the last one does not when a power cut took its pack, since the two were synced together and
 * the change was never acknowledged. Packs that are whole are for git to see, what is left of broken ones is removed.
 */
export async function withoutTorn<R extends { data: ChangeRecord }>(
  context: Context,
  records: readonly R[],
): Promise<readonly R[]> {
  const { isWhole, restoreKept } = await import('../../git/packs/kept-pack.ts');
  const store = packStoreOf(context, '');
  const last = records.at(-1)?.data;
  const isDoubtful = last?.pack && !(await isWhole(store, last.pack));
  await restoreKept(
    store,
    records.flatMap(({ data }) => data.pack ?? []),
  );
  return isDoubtful && !(await isElsewhere(context, last)) ? records.slice(0, -1) : records;
}

/** Somebody repacked everything, kept packs too. */
async function isElsewhere({ objects }: Context, { new: oid }: ChangeRecord): Promise<boolean> {
  return oid !== null && (await objects.readOrNull(oid).catch(() => null)) !== null;
}

/** At the checkpoint: the packs of these records are durable and reached by refs, so that they need no `.keep` any more. */
export async function releasePacks(
  context: Context,
  records: readonly ChangeRecord[],
  token: string,
): Promise<void> {
  const packs = records.flatMap(({ pack }) => pack ?? []);
  if (packs.length === 0) return;
  const { markKept } = await import('../../git/packs/kept-pack.ts');
  const store = packStoreOf(context, token);
  for (const pack of packs) await markKept(store, pack);
  await letPacksGo(
    collectorOf(context),
    packs.map(({ name }) => name),
  );
}
