/** Reading ahead of the work, so that it is known of each chunk when it came, and not only when it was looked at. */

type Chunk = Uint8Array | string;

/** Bytes or characters that wait at most; what is longer still comes as one chunk. */
const AHEAD = 1024 * 1024;

/** Each chunk of the stream with what `stamp` answered when it came. */
export async function* readAhead<Stamp>(
  stream: AsyncIterable<Chunk>,
  stamp: () => Stamp,
): AsyncGenerator<{ chunk: Chunk; at: Stamp }> {
  const waiting: Array<{ chunk: Chunk; at: Stamp }> = [];
  let size = 0;
  let changed = (): void => {};
  const change = (): Promise<void> => new Promise(resolve => (changed = resolve));
  let ended = false;
  const reading = (async () => {
    for await (const chunk of stream) {
      waiting.push({ chunk, at: stamp() });
      size += chunk.length;
      changed();
      while (size > AHEAD) await change();
    }
  })().finally(() => {
    ended = true;
    changed();
  });
  // Told below, when all that came before is read.
  reading.catch(() => {});
  for (;;) {
    const next = waiting.shift();
    if (next) {
      size -= next.chunk.length;
      changed();
      yield next;
    } else if (ended) {
      await reading;
      return;
    } else await change();
  }
}
