import { describe, expect, it } from 'vitest';
import { content, personRepo, vedit, veditJson } from '../../../helpers/vedit.ts';

const DIFF = '--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n';

describe('patch', () => {
  it.each([
    ['unified_diff', DIFF, []],
    ['apply_patch', '*** Begin Patch\n*** Update File: a.txt\n-two\n+TWO\n*** End Patch\n', []],
    ['context_patch', '@@ one\n-two\n+TWO\n', ['--path', 'a.txt']],
    ['search_replace', '<<<<<<< SEARCH\ntwo\n=======\nTWO\n>>>>>>> REPLACE\n', ['--path', 'a.txt']],
  ])('applies what it takes for %s', async (form, input, args) => {
    const box = personRepo();
    const { code, err } = await vedit(box, ['patch', ...args], { input });
    expect([code, content(box, 'a.txt')]).toEqual([0, 'one\nTWO\nthree\n']);
    expect(err).toMatch(new RegExp(`^\\[vedit/main [0-9a-f]{7}\\] ${form} a\\.txt \\(\\+1 -1\\)\\n$`));
  });

  it('is not told of options that it does not have', async () => {
    const box = personRepo();
    const added = '*** Begin Patch\n*** Add File: a.txt\n+x\n*** End Patch\n';
    const twice = '*** Begin Patch\n*** Update File: src/b.txt\n@@\n-x = 1\n+x = 2\n*** End Patch\n';
    box.write('src/b.txt', 'x = 1\nx = 1\n');
    for (const [input, code] of [
      [added, 'FILE_EXISTS'],
      [twice, 'AMBIGUOUS'],
    ] as const) {
      const { err } = await vedit(box, ['patch'], { input });
      expect(err).toContain(code);
      expect(err).not.toMatch(/--(all|overwrite)/);
    }
    expect((await vedit(box, ['create', 'a.txt', '--text', 'x'])).err).toContain('send --overwrite');
    expect((await vedit(box, ['replace', 'src/b.txt', 'x', 'y'])).err).toContain('set --all');
  });

  it('reads a file, is dry, and says what was put up with', async () => {
    const box = personRepo();
    box.write('x.patch', DIFF.replaceAll('1,3', '1,9'));
    const { code, out, err } = await vedit(box, ['patch', 'x.patch', '-n']);
    expect([code, content(box, 'a.txt')]).toEqual([0, 'one\ntwo\nthree\n']);
    expect(out).toMatch(/^diff --git /);
    expect(err).toContain('note: wrong counts in hunk headers were counted anew');
  });

  it('takes paths in a patch from the top, and --path from the folder', async () => {
    const box = personRepo();
    box.write('sub/b.txt', 'b\n');
    expect((await vedit(box, ['-C', 'sub', 'patch', '-'], { input: DIFF })).code).toBe(0);
    const blocks = '<<<<<<< SEARCH\nb\n=======\nB\n>>>>>>> REPLACE\n';
    expect((await vedit(box, ['-C', 'sub', 'patch', '--path', 'b.txt'], { input: blocks })).code).toBe(0);
    expect([content(box, 'a.txt'), content(box, 'sub/b.txt')]).toEqual(['one\nTWO\nthree\n', 'B\n']);
  });

  it('is refused as the edit is', async () => {
    const box = personRepo();
    const answer = await veditJson(box, ['patch', '--form', 'unified_diff'], { input: 'words' });
    expect(answer).toMatchObject({ ok: false, code: 'PATCH_SYNTAX', exit: 1 });
  });

  it.each([
    ['no line tells', [], 'words'],
    ['give --path', [], '@@\n-one\n+ONE\n'],
    ['leave --path out', ['--path', 'a.txt'], DIFF],
    ['--form must be one of', ['--form', 'x'], DIFF],
  ])('is used wrongly: %s', async (words, args, input) => {
    const { code, err } = await vedit(personRepo(), ['patch', ...args], { input });
    expect(code).toBe(2);
    expect(err).toContain(words);
  });
});
