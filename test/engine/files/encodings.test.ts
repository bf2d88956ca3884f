/** Declared encodings as they are read while others look anew. */

import { expect, it } from 'vitest';
import { declaredEncodings } from '../../../src/engine/files/encodings.ts';
import { parseConfig } from '../../../src/git/repository/config.ts';

it('forgets what a look reads that began before', async () => {
  const texts = ['root=true\n[*]\ncharset=latin1\n', 'root=true\n[*]\ncharset=utf-8\n'];
  const reads: Array<() => void> = [];
  const fs = {
    lstat: async (path: string) => (path.endsWith('.editorconfig') ? { type: 'file' } : null),
    readFile: async (path: string) => {
      if (!path.endsWith('.editorconfig')) throw Object.assign(new Error('none'), { code: 'ENOENT' });
      const text = texts[reads.length];
      await new Promise<void>(go => reads.push(go));
      return new TextEncoder().encode(text);
    },
  };
  const begun = async (count: number): Promise<void> => {
    while (reads.length < count) await new Promise(resolve => setImmediate(resolve));
  };
  const repo = { fs, workDir: '/w', commonDir: '/w/.git', config: parseConfig('') } as never;
  const encodings = await declaredEncodings({ repo, attributesFiles: [], prefix: '', encodings: undefined });
  const before = encodings.of('a.txt');
  await begun(1);
  encodings.renew();
  const after = encodings.of('a.txt');
  await begun(2);
  reads[1]!();
  await after;
  reads[0]!();
  await before;
  expect((await encodings.of('b.txt'))?.encoding.name).toBe('utf-8');
});
