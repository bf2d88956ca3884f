import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { nativeCodec } from '../../../src/git/native/codec.ts';
import type { GitObject } from '../../../src/git/objects/object.ts';
import { openObjects } from '../../../src/git/objects/object-database.ts';
import { memoryFs } from '../../../src/index.ts';
import { TreeVersions } from '../../../src/workspace/transaction/tree-versions.ts';

const text = (content: string): Uint8Array => new TextEncoder().encode(content);

it('a missing tree is one failure, also while the other one is still being read', async () => {
  const [old, now] = ['1'.repeat(40), '2'.repeat(40)];
  const commit = (tree: string): GitObject => ({ type: 'commit', content: text(`tree ${tree}\n\n`) });
  const objects = openObjects({ fs: memoryFs() as never, objectsDir: '/objects', codec: nativeCodec });
  objects.read = async oid => {
    if (oid === now) throw new Error('missing');
    await turn();
    return oid === old ? { type: 'tree', content: new Uint8Array(0) } : commit(old);
  };
  const unhandled: unknown[] = [];
  const note = (reason: unknown): unknown => unhandled.push(reason);
  process.on('unhandledRejection', note);
  const added = new TreeVersions(objects).add('3'.repeat(40), { oid: '4'.repeat(40), ...commit(now) });
  await expect(added).rejects.toThrow('missing');
  await turn();
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});
