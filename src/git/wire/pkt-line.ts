/** The packets that git's protocols are made of (gitprotocol-common(5), gitprotocol-pack(5)). */

import { concatBytes, fromLatin1, latin1, utf8 } from '../../bytes.ts';

/** The packet that ends a list. */
export const FLUSH: Uint8Array = fromLatin1('0000');

/** Makes a packet that holds a line. */
export function packetOf(line: string): Uint8Array {
  const bytes = utf8(line);
  return concatBytes([fromLatin1((bytes.length + 4).toString(16).padStart(4, '0')), bytes]);
}

/** One packet, read at `at`; `data` is `null` for a flush, and for the other packets without a line. */
export interface Packet {
  data: Uint8Array | null;
  end: number;
}

/** Reads a packet. Throws an Error where there is no whole one. */
export function readPacket(bytes: Uint8Array, at: number): Packet {
  const digits = latin1(bytes.subarray(at, at + 4));
  if (!/^[0-9a-f]{4}$/i.test(digits)) throw new Error('an answer that is not made of packets');
  const length = Number.parseInt(digits, 16);
  if (length < 3) return { data: null, end: at + 4 };
  const end = at + length;
  if (length < 4 || end > bytes.length) throw new Error('an answer that ends in the middle of a packet');
  return { data: bytes.subarray(at + 4, end), end };
}

/** Reads all packets up to the end. Throws an Error where the bytes are not whole packets. */
export function readPackets(bytes: Uint8Array): Array<Uint8Array | null> {
  const packets: Array<Uint8Array | null> = [];
  for (let at = 0; at < bytes.length; ) {
    const { data, end } = readPacket(bytes, at);
    packets.push(data);
    at = end;
  }
  return packets;
}

/** An answer by side-band, taken apart: the data, and the server's words to people. */
export interface SideBands {
  data: Uint8Array;
  words: string;
  /** True when the server said that it gave up. */
  failed: boolean;
}

const [DATA, WORDS, FAILURE] = [1, 2, 3];
const decoder = new TextDecoder();

/** Takes the bands apart. Throws an Error for another band. */
export function readSideBands(packets: ReadonlyArray<Uint8Array | null>): SideBands {
  const data: Uint8Array[] = [];
  const words: Uint8Array[] = [];
  let failed = false;
  for (const packet of packets) {
    if (packet === null) continue;
    const band = packet[0];
    if (band === DATA) data.push(packet.subarray(1));
    else if (band === WORDS || band === FAILURE) words.push(packet.subarray(1));
    else throw new Error('an answer of another kind than was asked for');
    failed ||= band === FAILURE;
  }
  return { data: concatBytes(data), words: decoder.decode(concatBytes(words)), failed };
}
