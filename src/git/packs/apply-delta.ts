/** Applies a delta of a pack (gitformat-pack(5), "Deltified representation"). */

/** Applies a delta. Throws an Error when it does not fit the base or itself. */
export function applyDelta(base: Uint8Array, delta: Uint8Array): Uint8Array {
  const source = readSize(delta, 0);
  if (source.value !== base.length) throw new Error('the delta is for another base');
  const target = readSize(delta, source.end);
  const result = new Uint8Array(target.value);
  let written = 0;
  for (let at = target.end; at < delta.length; ) {
    const code = delta[at++]!;
    // Top bit set: copy from the base. Clear: that many literal bytes follow. Zero is reserved.
    const copies = code >= 0x80;
    let [start, length] = [at, code];
    if (copies) {
      start = 0;
      length = 0;
      for (let i = 0; i < 4; i++) if (code & (1 << i)) start += (delta[at++] ?? 0) * 256 ** i;
      for (let i = 0; i < 3; i++) if (code & (16 << i)) length += (delta[at++] ?? 0) << (8 * i);
      if (length === 0) length = 0x10000;
    } else at += code;
    const from = copies ? base : delta;
    const fits = length > 0 && start + length <= from.length && written + length <= result.length;
    if (!fits) throw new Error('an instruction of the delta leads out of its bounds');
    copy(result, written, from, start, length);
    written += length;
  }
  if (written !== result.length) throw new Error('the delta is cut off');
  return result;
}

/** A view of a few bytes costs more than to copy them. */
const FEW = 48;

function copy(to: Uint8Array, at: number, from: Uint8Array, start: number, length: number): void {
  if (length > FEW) to.set(from.subarray(start, start + length), at);
  else for (let i = 0; i < length; i++) to[at + i] = from[start + i]!;
}

/** Reads the size in bytes of what `applyDelta` will make. */
export function resultSize(delta: Uint8Array): number {
  return readSize(delta, readSize(delta, 0).end).value;
}

/** Reads a size: seven bits a byte, the lowest first; the top bit says that another byte follows. */
function readSize(bytes: Uint8Array, start: number): { value: number; end: number } {
  let value = 0;
  for (let at = start, factor = 1; at < bytes.length && factor < 2 ** 50; at++, factor *= 128) {
    const byte = bytes[at]!;
    value += (byte & 0x7f) * factor;
    if (byte < 0x80) return { value, end: at + 1 };
  }
  throw new Error('a size in the delta is damaged');
}
