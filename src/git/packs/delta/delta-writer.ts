/** Writes the instructions of a delta: copies from the base, and literal bytes. */

/** Git reads longer copies, and writes none. */
const LONGEST_COPY = 0x10000;
const LONGEST_INSERT = 0x7f;

export class DeltaWriter {
  readonly #target: Uint8Array;
  #bytes = new Uint8Array(64);
  #length = 0;

  /** `target` is what literal bytes are taken from. */
  constructor(baseLength: number, target: Uint8Array) {
    this.#target = target;
    this.#putSize(baseLength);
    this.#putSize(target.length);
  }

  copy(start: number, length: number): void {
    for (let done = 0; done < length; done += LONGEST_COPY)
      this.#putCopy(start + done, Math.min(LONGEST_COPY, length - done));
  }

  /** The bytes of the target from `from` up to `to`. */
  insert(from: number, to: number): void {
    for (let at = from; at < to; at += LONGEST_INSERT) {
      const part = this.#target.subarray(at, Math.min(to, at + LONGEST_INSERT));
      this.#reserve(1 + part.length);
      this.#bytes[this.#length++] = part.length;
      this.#bytes.set(part, this.#length);
      this.#length += part.length;
    }
  }

  finish(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  /** Four bytes of place and two of length, lowest first; those that are 0 are left out, and a length of 65,536 is 0. */
  #putCopy(start: number, length: number): void {
    this.#reserve(7);
    const codeAt = this.#length++;
    let code = 0x80;
    for (let i = 0; i < 4; i++) code |= this.#putByte((start / 256 ** i) & 0xff) << i;
    const size = length === LONGEST_COPY ? 0 : length;
    for (let i = 0; i < 2; i++) code |= this.#putByte((size >> (8 * i)) & 0xff) << (4 + i);
    this.#bytes[codeAt] = code;
  }

  /** 1 when the byte had to be written. */
  #putByte(byte: number): number {
    if (byte === 0) return 0;
    this.#bytes[this.#length++] = byte;
    return 1;
  }

  /** Seven bits a byte, the lowest first; the top bit says that another byte follows. */
  #putSize(size: number): void {
    this.#reserve(8);
    let rest = size;
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) this.#bytes[this.#length++] = (rest % 0x80) | 0x80;
    this.#bytes[this.#length++] = rest;
  }

  #reserve(length: number): void {
    if (this.#length + length <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + length));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}
