/** Asking a server for what some refs lead to and this repository does not have (gitprotocol-pack(5), stateless). */

import { fromUtf8 } from '../../bytes.ts';
import type { ObjectDatabase } from '../../git/objects/object-database.ts';
import { AncestorWalk, revList } from '../../git/rev-list.ts';
import { FLUSH, packetOf, readPacket, readPackets, readSideBands } from '../../git/wire/pkt-line.ts';

export interface FetchRequest {
  wants: readonly string[];
  haves: readonly string[];
  /** Commits whose parents are not here (a shallow clone). */
  shallow: readonly string[];
  capabilities: ReadonlySet<string>;
}

/** The abilities that this understands; without thin packs, whose deltas are of objects that are not in them. */
const UNDERSTOOD = ['side-band-64k', 'ofs-delta', 'no-progress'];

export function fetchRequest({ wants, haves, shallow, capabilities }: FetchRequest): Uint8Array[] {
  const used = [...UNDERSTOOD.filter(one => capabilities.has(one)), 'agent=vedit'].join(' ');
  const lines = [...new Set(wants)].map((oid, n) => packetOf(`want ${oid}${n === 0 ? ` ${used}` : ''}\n`));
  return [
    ...lines,
    ...shallow.map(oid => packetOf(`shallow ${oid}\n`)),
    FLUSH,
    ...haves.map(oid => packetOf(`have ${oid}\n`)),
    packetOf('done\n'),
  ];
}

/** Takes the pack out of an answer. Throws an Error with the server's words where there is none. */
export function packOf(answer: Uint8Array, capabilities: ReadonlySet<string>): Uint8Array {
  let at = 0;
  for (;;) {
    const { data, end } = readPacket(answer, at);
    const line = data === null ? '' : (fromUtf8(data) ?? '');
    if (line.startsWith('ERR ')) throw new Error(line.slice(4));
    if (data !== null && !/^(NAK|ACK [0-9a-f]{40}|(un)?shallow [0-9a-f]{40})\b/.test(line)) break;
    at = end;
    // Without side-band the pack follows as it is.
    if (!capabilities.has('side-band-64k') && /^(NAK|ACK)/.test(line)) return answer.subarray(at);
  }
  const { data, words, failed } = readSideBands(readPackets(answer.subarray(at)));
  if (failed) throw new Error(words);
  return data;
}

/** The most commits that are named, the newest first, besides the tips of refs. */
const NAMED = 256;
/** The most refs of the server that are looked for in the history here. */
const LOOKED_FOR = 64;

/** Lists commits that are here with all behind them: the server leaves out what they lead to. */
export async function knownCommits(
  objects: ObjectDatabase,
  tips: readonly string[],
  advertised: Iterable<string>,
): Promise<string[]> {
  const own: string[] = [];
  for (const oid of new Set(tips))
    if ((await objects.commitInfo(oid).catch(() => null)) !== null) own.push(oid);
  const known = new Set(own);
  let looks = 0;
  for (const oid of new Set(advertised)) {
    if (known.has(oid) || own.length === 0 || !(await objects.has(oid)) || ++looks > LOOKED_FOR) continue;
    const beyond = await revList(objects, oid, own).catch(() => null);
    if (beyond?.size === 0) known.add(oid);
  }
  const walk = new AncestorWalk(objects, own, { lenient: true });
  for (let n = 0; n < NAMED; n++) {
    const next = await walk.next();
    if (next === null) break;
    known.add(next.oid);
  }
  return [...known];
}
