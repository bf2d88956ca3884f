/** Plain byte arrays from node's buffers. */

/**
 * The bytes as a plain array (`Buffer.slice` shares memory where `Uint8Array.slice` copies), copied when they would
 * keep a much larger block of memory alive: zlib answers with a slice of 16 KiB however short the result is.
 */
export function compact(buffer: Buffer): Uint8Array {
  const view = new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);
  return buffer.buffer.byteLength > 2 * view.length ? view.slice() : view;
}
