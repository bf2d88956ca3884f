/** Reading ahead of the work, so that it is known of each chunk when it came, and not only when it was looked at. */

type Chunk = Uint8Array | string;

/** Bytes or characters that wait at most; what is longer still comes as one chunk. */
const AHEAD = 1024 * 1024;

/** Each chunk of the stream with what `stamp` answered when it came. A stream that is left before its end is destroyed. */
export async function* readAhead<Stamp>(
  stream: AsyncIterable<Chunk> & { destroy?(): unknown },
  stamp: () => Stamp,
): AsyncGenerator<{ chunk: Chunk; at: Stamp }> {
  const waiting: Array<{ chunk: Chunk; at: Stamp }> = [];
  let size = 0;
  let state: 'reading' | 'ended' | 'left' = 'reading';
  let changed = (): void => {};
  const change = (): Promise<void> => new Promise(resolve => (changed = resolve));
  const read = async (): Promise<void> => {
    for await (const chunk of stream) {
      waiting.push({ chunk, at: stamp() });
      size += chunk.length;
      changed();
      while (size > AHEAD && state === 'reading') await change();
      if (state === 'left') return;
    }
  };
  const reading = read().finally(() => {
    state = 'ended';
    changed();
  });
  // Told below, when all that came before is given.
  reading.catch(() => {});
  const isEnded = (): boolean => state === 'ended';
  try {
    while (waiting.length > 0 || !isEnded()) {
      const next = waiting.shift();
      if (next) {
        size -= next.chunk.length;
        changed();
        yield next;
      } else await change();
    }
    await reading;
  } finally {
    if (!isEnded()) stream.destroy?.();
    state = 'left';
    changed();
  }
}
