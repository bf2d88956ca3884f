/** What is around a patch, and patches of other forms. */

import { describe, expect, it } from 'vitest';
import { applied, refusedEdit } from '../../../helpers/patch-files.ts';
import { refusal, update } from './patches.ts';

describe('what is around the patch', () => {
  const plain = update('-a', '+A').patch;

  it.each([
    [
      'blanks around the markers',
      plain.replace('*** Begin', '  *** Begin').replace('*** Update', ' *** Update').replace(/$/, '  \n\n'),
      [],
    ],
    ['a code fence', `\`\`\`diff\n${plain}\n\`\`\`\n`, ['the code fence around the patch was left out']],
    [
      'a heredoc',
      `apply_patch <<'EOF'\n${plain}\nEOF\n`,
      ['the heredoc lines around the patch were left out'],
    ],
    ['another heredoc', `<<"PATCH"\n\n${plain}\nPATCH`, ['the heredoc lines around the patch were left out']],
    ['CRLF', plain.replaceAll('\n', '\r\n'), []],
    ['a byte order mark', `\uFEFF${plain}`, []],
  ])('may be %s', (_, patch, notes) => {
    const outcome = applied('apply_patch', { patch }, { 'f.txt': 'a\n' });
    expect(outcome.files).toEqual({ 'f.txt': 'A\n' });
    expect(outcome.notes).toEqual(notes);
  });

  it.each([
    [
      'a missing end',
      '*** Begin Patch\n*** Update File: f.txt\n-a\n+A\n',
      /without "\*\*\* End Patch": it was probably cut off\. Nothing was changed\. Send all of it again/,
      4,
    ],
    [
      'a missing beginning',
      '*** Update File: f.txt\n-a\n+A\n*** End Patch',
      /Expected "\*\*\* Begin Patch"/,
      1,
    ],
    ['text behind the end', `${plain}\nThat is all.`, /comes after "\*\*\* End Patch"/, 6],
    ['two patches', `${plain}\n${plain}`, /no line of this format/, 5],
    ['nothing', '', /does not begin/, null],
    ['no operation', '*** Begin Patch\n*** End Patch', /holds no operation/, null],
    ['an unknown line', plain.replace('-a', '*** Frobnicate\n-a'), /no line of this format/, 3],
    [
      'an environment',
      plain.replace('*** Update', '*** Environment ID: x\n*** Update'),
      /no line of this format/,
      2,
    ],
    ['stray text', plain.replace('*** Update', 'Now:\n*** Update'), /belongs to no operation/, 2],
    [
      'text in a new file',
      '*** Begin Patch\n*** Add File: g\n+a\nb\n*** End Patch',
      /no line of the new file/,
      4,
    ],
    [
      'a hole in a new file',
      '*** Begin Patch\n*** Add File: g\n+a\n\n+b\n*** End Patch',
      /no line of the new file/,
      5,
    ],
    [
      'lines of a deleted file',
      '*** Begin Patch\n*** Delete File: f.txt\n-a\n*** End Patch',
      /belongs to no operation/,
      3,
    ],
    [
      'a decorated name',
      '*** Begin Patch\n*** Add File: g.txt ***\n+a\n*** End Patch',
      /more than a path/,
      2,
    ],
    ['a quoted name', '*** Begin Patch\n*** Add File: "g.txt"\n+a\n*** End Patch', /more than a path/, 2],
    ['no name', '*** Begin Patch\n*** Add File:\n+a\n*** End Patch', /names no file/, 2],
    ['a unified diff', plain.replace('-a\n+A', '--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+A'), /unified diff/, 5],
    [
      'a marker of a unified diff',
      plain.replace('+A', '+A\n\\ No newline at end of file'),
      /belongs to a unified diff/,
      5,
    ],
    ['a line without mark', plain.replace('+A', '+A\nb'), /begins with no mark/, 5],
    ['an anchor without lines', plain.replace('-a\n+A', '@@ a'), /has no lines/, null],
    [
      'lines behind the end of the file',
      plain.replace('+A', '+A\n*** End of File\n b'),
      /comes after "\*\*\* End of File"/,
      6,
    ],
    ['a second move', plain.replace('+A', '+A\n*** Move to: x'), /not in this place/, 5],
  ])('may not be %s', (_, patch, message, line) => {
    const error = refusal('a\n', { patch });
    expect(error.code).toBe('PATCH_SYNTAX');
    expect(error.message).toMatch(message);
    if (line !== null) expect(error.data.patch_line).toBe(line);
  });
});

describe('forms of other tools', () => {
  const CASES = [
    ['--- a/f.txt\n+++ b/f.txt\n@@ -1 +1 @@\n-a\n+b\n', 'unified_diff'],
    ['Here it is:\ndiff --git a/f.txt b/f.txt\n', 'unified_diff'],
    ['<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n', 'search_replace'],
  ] as const;

  it.each(CASES)('are called what they are: %j', (patch, form) => {
    const error = refusal('a\n', { patch });
    expect([error.code, error.data.form]).toEqual(['PATCH_SYNTAX', form]);
    expect(error.message).toMatch(/begins a (unified diff|SEARCH\/REPLACE block)/);
    expect(error.message).toContain(`For this one use ${form}.`);
  });

  it('are not read as lines of the one-file form', () => {
    for (const operation of ['create', 'update']) {
      const error = refusedEdit('apply_patch', { path: 'f.txt', operation, diff: CASES[0][0] }, {});
      expect([error.code, error.data.form]).toEqual(['PATCH_SYNTAX', 'unified_diff']);
    }
  });
});
