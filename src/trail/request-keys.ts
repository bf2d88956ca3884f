/**
 * The keys of edits, made from the ids that they were asked for under: the caller's own (`edit_id`), and those of tool
 * calls, which count within a session. Each commit has two keys, as 64-bit fingerprints: they only say where to look,
 * and whoever finds a commit by one reads there what the key is. A table has 36 bytes for each commit: its id, its
 * first and its second key.
 */

import { uint32 } from '../bytes.ts';
import { toHex } from '../git/objects/object.ts';
import { numbers } from './kept-file.ts';
import type { TrailMeta } from './message.ts';

/** The bytes of an id, of the keys of a commit, and of a row of a table. */
export const ID = 20;
const KEYS = 16;
export const ROW: number = ID + KEYS;

/** A request with an id: the caller's own for it, or that of the tool call. */
export type RequestId = { editId: string; call?: undefined } | { editId?: undefined; call: string };

/** A request with an id, and what tells it apart: the hash of its tool and input, and its session. */
export type IdentifiedRequest = RequestId & { editHash: string; session: string };

/** The texts by which an edit is found: with its tool and input, and with its session; '' for none. */
export type RequestKeys = readonly [same: string, own: string];

export function keysOf({ editId, call, editHash, session }: IdentifiedRequest): RequestKeys {
  if (call !== undefined) return [['call', call, editHash, session].join('\t'), ''];
  return [['id', editId, editHash].join('\t'), ['own', editId, session].join('\t')];
}

/** In a commit of an older version no hash stands beside the id, which is the same as no request. */
export function keysIn({ meta }: { meta: TrailMeta | null }): RequestKeys | null {
  const { editId, call, editHash, session = '' } = meta ?? {};
  if (editId !== undefined) return keysOf({ editId, editHash: editHash ?? '-', session });
  return call === undefined || editHash === undefined ? null : keysOf({ call, editHash, session });
}

const NONE: Uint8Array = new Uint8Array(KEYS);

export function keysOfEntry(entry: { meta: TrailMeta | null }): Uint8Array {
  const keys = keysIn(entry);
  return keys ? numbers(...fingerprint(keys[0]), ...fingerprint(keys[1])) : NONE;
}

/** The first commit of a table with this key, or with one of the same fingerprint; `null` for none. */
export function commitWith(table: Uint8Array, which: 'same' | 'own', key: string): string | null {
  const [high, low] = fingerprint(key);
  for (let at = which === 'same' ? ID : ID + KEYS / 2; at < table.length; at += ROW) {
    if (uint32(table, at) !== high || uint32(table, at + 4) !== low) continue;
    const start = at - (at % ROW);
    return toHex(table.subarray(start, start + ID));
  }
  return null;
}

/** Two independent 32-bit hashes of the text, of multiplications as in MurmurHash. */
function fingerprint(text: string): readonly [number, number] {
  if (text === '') return [0, 0];
  let high = 0x9e3779b9 ^ text.length;
  let low = 0x85ebca6b ^ text.length;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    high = Math.imul(high ^ unit, 0x5bd1e995);
    low = Math.imul(low ^ unit, 0x1b873593);
    high ^= high >>> 13;
    low ^= low >>> 15;
  }
  return [high >>> 0, low >>> 0];
}
