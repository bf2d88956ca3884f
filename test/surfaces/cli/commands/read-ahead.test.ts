import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { readAhead } from '../../../../src/surfaces/cli/commands/apply.ts';

async function* sent(chunks: readonly string[]): AsyncGenerator<string> {
  for (const chunk of chunks) {
    await new Promise(done => setImmediate(done));
    yield chunk;
  }
}

const idle = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) await new Promise(done => setImmediate(done));
};

describe('reading ahead', () => {
  it('gives every chunk in its order, with what was so when it came', async () => {
    let answered = 0;
    const seen: Array<[string | Uint8Array, number]> = [];
    for await (const { chunk, at } of readAhead(Readable.from(sent(['a', 'b', 'c'])), () => answered)) {
      seen.push([chunk, at]);
      await idle();
      answered++;
    }
    expect(seen).toEqual([
      ['a', 0],
      ['b', 0],
      ['c', 0],
    ]);
  });

  it('does not read on without end while nobody works', async () => {
    let read = 0;
    async function* endless(): AsyncGenerator<string> {
      for (;;) {
        read++;
        yield 'x'.repeat(300_000);
      }
    }
    const chunks = readAhead(Readable.from(endless()), () => read)[Symbol.asyncIterator]();
    for (let n = 1; n <= 3; n++) {
      await chunks.next();
      await idle();
      expect(read).toBeLessThan(n + 30);
    }
    await chunks.return?.();
  });

  it('tells what went wrong after what came before it', async () => {
    async function* broken(): AsyncGenerator<string> {
      yield 'a';
      throw new Error('EIO');
    }
    const chunks = readAhead(Readable.from(broken()), () => 0)[Symbol.asyncIterator]();
    await idle();
    expect((await chunks.next()).value).toMatchObject({ chunk: 'a' });
    await expect(chunks.next()).rejects.toThrow('EIO');
  });

  it('of nothing gives nothing', async () => {
    expect(
      await readAhead(Readable.from(sent([])), () => 0)
        [Symbol.asyncIterator]()
        .next(),
    ).toMatchObject({ done: true });
  });
});
