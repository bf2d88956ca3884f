/** Asking a server to move refs (gitprotocol-pack(5), "Pushing Data To a Server"), each from the value that it must have now. */

import { concatBytes, fromLatin1, fromUtf8 } from '../../bytes.ts';
import { newObjects } from '../../git/objects/new-objects.ts';
import { type Codec, fromHex, ZERO_OID } from '../../git/objects/object.ts';
import type { ObjectDatabase } from '../../git/objects/object-database.ts';
import { buildPack } from '../../git/packs/build-pack.ts';
import { revList } from '../../git/rev-list.ts';
import { FLUSH, packetOf, readPackets, readSideBands } from '../../git/wire/pkt-line.ts';
import { withoutSecrets } from '../failures.ts';
import type { PushReport, RefUpdate } from '../transport.ts';

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
