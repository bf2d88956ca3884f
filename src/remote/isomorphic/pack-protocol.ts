/**
 * Requests to a server and its answers (gitprotocol-pack(5)): for what some refs lead to and this repository does not have,
 * stateless; and to move refs, each from the value that it must have now.
 */

import { concatBytes, fromLatin1, fromUtf8 } from '../../bytes.ts';
import { newObjects } from '../../git/objects/new-objects.ts';
import { type Codec, fromHex, ZERO_OID } from '../../git/objects/object.ts';
import type { ObjectDatabase } from '../../git/objects/object-database.ts';
import { buildPack } from '../../git/packs/build-pack.ts';
import { AncestorWalk, revList } from '../../git/rev-list.ts';
import { FLUSH, packetOf, readPacket, readPackets, readSideBands } from '../../git/wire/pkt-line.ts';
import { withoutSecrets } from '../failures.ts';
import type { PushReport, RefUpdate } from '../transport.ts';

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

/** Makes the request. The old values are what is expected, not what the server just said: it compares them under its lock. */
export function pushRequest(updates: readonly RefUpdate[], capabilities: ReadonlySet<string>): Uint8Array[] {
  const used = ['report-status', 'side-band-64k'].filter(one => capabilities.has(one));
  const asked = `\0 ${[...used, 'agent=vedit'].join(' ')}`;
  const lines = updates.map(({ ref, old, oid }, n) =>
    packetOf(`${old ?? ZERO_OID} ${oid ?? ZERO_OID} ${ref}${n === 0 ? asked : ''}\n`),
  );
  return [...lines, FLUSH];
}

/**
 * Packs what a server that has `there` needs for these commits: as many objects as the edits are, not as the trees. In
 * memory, as a whole. Throws CORRUPT, STORE_FAILED.
 */
export async function packFor(
  objects: ObjectDatabase,
  tips: readonly string[],
  there: Iterable<string>,
): Promise<Uint8Array> {
  const known: string[] = [];
  for (const oid of new Set(there))
    if ((await objects.commitInfo(oid).catch(() => null)) !== null) known.push(oid);
  const commits = new Set<string>();
  for (const tip of tips) for (const oid of await revList(objects, tip, known)) commits.add(oid);
  const wanted = await newObjects(objects, commits);
  if (wanted.size === 0) return emptyPack(objects.codec);
  return concatBytes((await buildPack(objects.codec, wanted.values())).pack);
}

async function emptyPack(codec: Codec): Promise<Uint8Array> {
  const header = concatBytes([fromLatin1('PACK'), Uint8Array.of(0, 0, 0, 2, 0, 0, 0, 0)]);
  return concatBytes([header, fromHex(await codec.sha1(header))]);
}

/** Reads what the server answered. Throws an Error where that is not an answer. */
export function reportOf(
  answer: Uint8Array,
  updates: readonly RefUpdate[],
  capabilities: ReadonlySet<string>,
): PushReport {
  const isBanded = capabilities.has('side-band-64k');
  const bands = isBanded ? readSideBands(readPackets(answer)) : { data: answer, words: '', failed: false };
  const lines = readPackets(bands.data).flatMap(one =>
    one === null ? [] : [(fromUtf8(one) ?? '').trimEnd()],
  );
  const [unpacked = '', ...results] = lines;
  const moved = new Set(results.flatMap(line => /^ok (.+)$/.exec(line)?.[1] ?? []));
  const rejected = new Map(results.flatMap(line => refusal(line)));
  const reasons = [...rejected].map(([ref, why]) => `${ref}: ${why}`);
  const failure = unpacked === 'unpack ok' || unpacked === '' ? [] : [unpacked];
  return {
    done: !bands.failed && updates.every(({ ref }) => moved.has(ref)),
    rejected: new Set(rejected.keys()),
    words: withoutSecrets([bands.words.trim(), ...failure, ...reasons].filter(Boolean).join('\n')),
  };
}

function refusal(line: string): Array<[ref: string, why: string]> {
  const [, ref, why] = /^ng (\S+) ?(.*)$/.exec(line) ?? [];
  return ref === undefined ? [] : [[ref, why ?? '']];
}
