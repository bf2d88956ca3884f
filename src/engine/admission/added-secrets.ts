/** Looks for keys in the text that a change adds to history: what the trail holds already in the changed files is none. */

import { commonPrefix, commonSuffix, countByte } from '../../bytes.ts';
import { type FoundSecret, findSecrets } from '../../text/secrets.ts';
import type { Recorded } from '../../trail/steps.ts';
import type { DraftedChange } from '../change/planned.ts';
import type { Snapshot } from '../files/snapshot.ts';

/** A key that history would get, by the path of its file. */
export interface AddedSecret extends FoundSecret {
  path: string;
  /** True where the file holds it already, and nothing recorded it yet. */
  isThere: boolean;
}

export async function addedSecrets(
  snapshot: Snapshot,
  changes: readonly DraftedChange[],
): Promise<AddedSecret[]> {
  const found: AddedSecret[] = [];
  for (const { path, recorded, inPlace } of changes) {
    const known = await snapshot.recorded(path);
    const { before, after } = recorded;
    const isOutside = before !== null && before.version !== known?.oid;
    if (isOutside) found.push(...within(null, before.bytes).map(one => ({ ...one, path, isThere: true })));
    if (!after || after.version === before?.version) continue;
    const isThere = inPlace === true;
    found.push(...within(before?.bytes ?? null, after.bytes).map(one => ({ ...one, path, isThere })));
  }
  return found.length === 0 ? found : withoutKnown(snapshot, changes, found);
}

const decoder = new TextDecoder();

/** Texts before and after what differs, which a key may begin or end in. */
const AROUND = 1024;

/** Keys in the part of a content that the old one does not begin or end with. */
function within(old: Uint8Array | null, content: Uint8Array): FoundSecret[] {
  const prefix = old ? commonPrefix(old, content) : 0;
  const suffix = old ? commonSuffix(old, content, Math.min(old.length, content.length) - prefix) : 0;
  const start = Math.max(0, prefix - AROUND);
  const part = content.subarray(start, Math.min(content.length, content.length - suffix + AROUND));
  // Without NULs, so that keys are found in UTF-16 too.
  const text = decoder.decode(part).replaceAll('\0', '');
  const found = findSecrets(text);
  if (found.length === 0 || start === 0) return found;
  const above = countByte(content, 10, start);
  return found.map(one => ({ ...one, line: one.line + above }));
}

/** Text may move within a file, and from one changed file to another. */
async function withoutKnown(
  snapshot: Snapshot,
  changes: readonly DraftedChange[],
  found: readonly AddedSecret[],
): Promise<AddedSecret[]> {
  const texts = await Promise.all(
    changes.map(async ({ path }) => textOf(snapshot, await snapshot.recorded(path))),
  );
  const isFirst = ({ path, text }: AddedSecret, at: number): boolean =>
    found.findIndex(one => one.path === path && one.text === text) === at;
  return found.filter((one, at) => isFirst(one, at) && !texts.some(known => known.includes(one.text)));
}

/** The text of an entry, as keys are looked for in it. */
async function textOf({ context: { objects } }: Snapshot, recorded: Recorded): Promise<string> {
  if (recorded === null || recorded.mode === '160000') return '';
  return decoder.decode((await objects.read(recorded.oid)).content).replaceAll('\0', '');
}
