/** Declared encodings as they are read while others look anew. */

import { describe, expect, it } from 'vitest';
import { declaredEncodings, globPattern, parseEditorConfig } from '../../../src/engine/files/encodings.ts';
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

describe('an .editorconfig', () => {
  it('gives the charset of the last section that a path is in', () => {
    const config = parseEditorConfig(
      '\ufeff; comment\r\nRoot = TRUE\r\n\r\n[*]\r\ncharset=utf-8\r\nindent_size = 2\r\n[*.{txt,md}]\r\nCharset : latin1 # why\r\n[a/**.txt]\r\ncharset = unset\r\n',
    );
    expect(config.root).toBe(true);
    const paths = ['x.c', 'b/y.txt', 'a/b/z.txt', 'README.md'];
    expect(paths.map(path => config.value(path, 'charset'))).toEqual(['utf-8', 'latin1', 'unset', 'latin1']);
  });

  it('passes over what it does not know', () => {
    const config = parseEditorConfig(
      'charset = latin1\nroot = true\n[\n[*.c\ncharset\n=\n[*.h]\n[x]\nroot = false\n',
    );
    expect([config.root, config.value('a.c', 'charset'), config.value('a.h', 'charset')]).toEqual([
      true,
      undefined,
      undefined,
    ]);
  });

  it.each([
    ['*.txt', ['a.txt', 'b/c.txt'], ['a.txt.bak', 'txt']],
    ['/a.txt', ['a.txt'], ['b/a.txt']],
    ['lib/*.js', ['lib/a.js'], ['lib/b/a.js', 'x/lib/a.js']],
    ['lib/**.js', ['lib/a.js', 'lib/b/a.js'], ['a.js']],
    ['**/x/*', ['x/a', 'b/c/x/a'], ['x', 'xa/b']],
    ['{a,b*}.c', ['a.c', 'bb.c', 'd/b.c'], ['c.c']],
    ['[!a-c]?.h', ['de.h'], ['ae.h', 'd.h']],
    ['p{1..3}.c', ['p1.c', 'p3.c'], ['p4.c', 'p.c']],
    ['a+(b).c', ['a+(b).c'], ['aab.c']],
    ['{single}.c', ['{single}.c'], ['single.c']],
    ['[z-a].c', [], ['a.c']],
  ] as const)('knows the glob %s', (glob, paths, others) => {
    for (const path of paths) expect([path, globPattern(glob).test(path)]).toEqual([path, true]);
    for (const path of others) expect([path, globPattern(glob).test(path)]).toEqual([path, false]);
  });
});
