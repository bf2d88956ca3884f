/**
 * The keys of edits, made from the ids that they were asked for under: the caller's own (`edit_id`), and those of tool
 * calls, which count within a session. Rows have them as short hashes: they only say where to look, and whoever finds a
 * commit by one reads there what the key is.
 */

import type { TrailMeta } from './message.ts';

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

/** Returns the keys of a commit; `null` of one that was not asked for under an id. */
export function keysIn({ meta }: { meta: TrailMeta | null }): RequestKeys | null {
  const { editId, call, editHash, session = '' } = meta ?? {};
  if (editHash === undefined) return null;
  if (editId !== undefined) return keysOf({ editId, editHash, session });
  return call === undefined ? null : keysOf({ call, editHash, session });
}

/** Hashes a key: two independent 32-bit hashes, of multiplications as in MurmurHash. '' stays ''. */
export function shortKey(key: string): string {
  if (key === '') return '';
  let high = 0x9e3779b9 ^ key.length;
  let low = 0x85ebca6b ^ key.length;
  for (let at = 0; at < key.length; at++) {
    const unit = key.charCodeAt(at);
    high = Math.imul(high ^ unit, 0x5bd1e995);
    low = Math.imul(low ^ unit, 0x1b873593);
    high ^= high >>> 13;
    low ^= low >>> 15;
  }
  return `${(high >>> 0).toString(36)}.${(low >>> 0).toString(36)}`;
}
