/** Applies a delta of a pack (gitformat-pack(5), "Deltified representation"). */

/** The result. Throws an Error when the delta does not fit the base or itself. */
export function applyDelta(base: Uint8Array, delta: Uint8Array): Uint8Array {
  const source = readSize(delta, 0);
  if (source.value !== base.length) throw new Error('the delta is for another base');
  const target = readSize(delta, source.end);
  const result = new Uint8Array(target.value);
  let written = 0;
  for (let at = target.end; at < delta.length; ) {
    const { from, start, length, end } = readInstruction(base, delta, at);
    const fits = length > 0 && start + length <= from.length && written + length <= result.length;
    if (!fits) throw new Error('an instruction of the delta leads out of its bounds');
    result.set(from.subarray(start, start + length), written);
    written += length;
    at = end;
  }
  if (written !== result.length) throw new Error('the delta is cut off');
  return result;
}

/** The size in bytes of what `applyDelta` will make. */
export function resultSize(delta: Uint8Array): number {
  return readSize(delta, readSize(delta, 0).end).value;
}

/** Seven bits a byte, the lowest first; the top bit says that another byte follows. */
function readSize(bytes: Uint8Array, start: number): { value: number; end: number } {
  let value = 0;
  for (let at = start, factor = 1; at < bytes.length && factor < 2 ** 50; at++, factor *= 128) {
    const byte = bytes[at]!;
    value += (byte & 0x7f) * factor;
    if (byte < 0x80) return { value, end: at + 1 };
  }
  throw new Error('a size in the delta is damaged');
}

interface Instruction {
  from: Uint8Array;
  start: number;
  length: number;
  /** Where the next instruction begins. */
  end: number;
}

/** Top bit set: copy from the base. Clear: that many literal bytes follow. Zero is reserved. */
function readInstruction(base: Uint8Array, delta: Uint8Array, at: number): Instruction {
  const code = delta[at]!;
  if (code < 0x80) return { from: delta, start: at + 1, length: code, end: at + 1 + code };
  let end = at + 1;
  const field = (firstBit: number, bytes: number) => {
    let value = 0;
    for (let i = 0; i < bytes; i++) if (code & (firstBit << i)) value += (delta[end++] ?? 0) * 256 ** i;
    return value;
  };
  const start = field(0x01, 4);
  const length = field(0x10, 3) || 0x10000;
  return { from: base, start, length, end };
}
