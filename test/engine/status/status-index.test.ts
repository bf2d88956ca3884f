import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type KeptEdits, StatusIndex } from '../../../src/engine/status/status-index.ts';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import { nativeCodec } from '../../../src/git/native/codec.ts';
import { numbers, RecordFile } from '../../../src/trail/record-file.ts';

const edits = (by: string | null): KeptEdits => [
  ['e1', { now: by ? 'superseded' : 'open', by, lines: { open: 2 }, landed_in: null, open: !by }],
];

describe('the index of what became of edits', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'vedit-kept-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const opened = (): StatusIndex =>
    new StatusIndex({ fs: nodeFs(), crc32: nativeCodec.packing!.crc32, folder });

  it('answers what was kept last of a file, for the same view and key alone', async () => {
    await opened().save('v', new Map([['a', { key: '1', value: edits(null) }]]));
    await opened().save(
      'v',
      new Map([
        ['a', { key: '2', value: edits('e2') }],
        ['ü', { key: '1', value: [] }],
      ]),
    );
    const index = opened();
    expect(await index.find('v', 'a', '2')).toEqual(edits('e2'));
    expect(await index.find('v', 'ü', '1')).toEqual([]);
    for (const [view, path, key] of [
      ['v', 'a', '1'],
      ['w', 'a', '2'],
      ['v', 'b', '2'],
    ] as const)
      expect(await index.find(view, path, key)).toBeNull();
  });

  it('keeps nothing of what was judged before a purge', async () => {
    let purges = '';
    const { crc32 } = nativeCodec.packing!;
    const index = new StatusIndex({ fs: nodeFs(), crc32, folder, purges: async () => purges });
    const save = (path: string) => index.save('v', new Map([[path, { key: '1', value: edits(null) }]]));
    await save('a');
    purges = 'one';
    await save('b');
    expect([await opened().find('v', 'a', '1'), await opened().find('v', 'b', '1')]).toEqual([null, null]);
    expect(await index.find('v', 'a', '1')).toBeNull();
    await save('c');
    expect(await opened().find('v', 'c', '1')).toEqual(edits(null));
  });

  it('knows nothing of a file that is damaged, and begins it anew', async () => {
    const path = join(folder, 'statuses');
    await opened().save('v', new Map([['a', { key: '1', value: edits(null) }]]));
    const whole = readFileSync(path);
    for (let at = 0; at < whole.length; at++) {
      const damaged = Buffer.from(whole);
      damaged[at]! ^= 0x40;
      writeFileSync(path, damaged);
      const index = opened();
      expect(await index.find('v', 'a', '1')).toBeNull();
      await index.save('v', new Map([['b', { key: '1', value: edits(null) }]]));
      expect(await opened().find('v', 'b', '1')).toEqual(edits(null));
    }
  });

  it.each(['nonsense', 'null', '["v",null]'])('knows nothing of a whole record of %s', async json => {
    const { crc32 } = nativeCodec.packing!;
    const path = join(folder, 'statuses');
    await opened().save('v', new Map([['a', { key: '1', value: edits(null) }]]));
    const file = new RecordFile({ fs: nodeFs(), crc32, path, magic: readFileSync(path).readUInt32BE() });
    await file.append({ kind: 1, body: Buffer.concat([numbers(json.length), Buffer.from(json)]) });
    const index = opened();
    expect(await index.find('v', 'b', '1')).toBeNull();
    await index.save('v', new Map([['b', { key: '1', value: edits(null) }]]));
    expect(await opened().find('v', 'b', '1')).toEqual(edits(null));
  });

  it('begins the file anew where most of it was replaced, with all that holds', async () => {
    const index = opened();
    await index.save('w', new Map([['a', { key: '1', value: edits('e3') }]]));
    const sizes: number[] = [];
    for (let round = 0; round < 30; round++) {
      const files = Array.from(
        { length: 100 },
        (_, n) => [`${n}`, { key: `${round}`, value: edits(null) }] as const,
      );
      await index.save('v', new Map(files));
      sizes.push(statSync(join(folder, 'statuses')).size);
    }
    expect(Math.max(...sizes)).toBeLessThan(13 * sizes[0]!);
    expect(await opened().find('v', '99', '29')).toEqual(edits(null));
    expect(await opened().find('w', 'a', '1')).toEqual(edits('e3'));
  });

  it('does not bring back what another process removed, as a purge does', async () => {
    const index = opened();
    await index.save('w', new Map([['a', { key: '1', value: edits('the secret') }]]));
    rmSync(join(folder, 'statuses'));
    const files = Array.from({ length: 100 }, (_, n) => [`${n}`, { key: '1', value: edits(null) }] as const);
    for (let round = 0; round < 30; round++) {
      await index.save('v', new Map(files));
      expect(readFileSync(join(folder, 'statuses'), 'utf8')).not.toContain('the secret');
    }
  });
});
