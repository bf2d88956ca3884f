import { describe, expect, it } from 'vitest';
import { applied, refusedEdit } from './patch/files.ts';
import { refusal, result, update, wrapped } from './patch/v4a/patches.ts';

describe('apply_patch of several files', () => {
  const before = { 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' };

  it('adds, updates, moves and deletes', () => {
    const patch = wrapped(
      '*** Add File: new/d.txt',
      '+d',
      '+',
      '*** Add File: empty.txt',
      '*** Update File: a.txt',
      '@@',
      '-a',
      '+A',
      '',
      '*** Update File: ./b.txt',
      '*** Move to: moved/b.txt',
      '*** Delete File: c.txt',
      '',
    );
    const outcome = applied('apply_patch', patch, { ...before, 'a.txt': 'a\n\n' });
    expect(outcome.files).toEqual({
      'new/d.txt': 'd\n\n',
      'empty.txt': '',
      'a.txt': 'A\n\n',
      'moved/b.txt': 'b\n',
    });
    expect(outcome.changes.map(({ kind }) => kind)).toEqual(['create', 'create', 'modify', 'move', 'delete']);
  });

  it('goes on with what its earlier parts left', () => {
    const patch = wrapped(
      '*** Update File: a.txt',
      '-a',
      '+A',
      '*** Update File: a.txt',
      '*** Move to: d.txt',
      '-A',
      '+AA',
      '*** Delete File: b.txt',
      '*** Add File: b.txt',
      '+anew',
      '*** Update File: b.txt',
      ' anew',
      '+more',
    );
    expect(refusedEdit('apply_patch', patch, before).code).toBe('PATCH_FAILED');
    const ordered = { patch: patch.patch.replace('*** Move to: d.txt\n', '') };
    expect(applied('apply_patch', ordered, before).files).toEqual({
      'a.txt': 'AA\n',
      'b.txt': 'anew\nmore\n',
      'c.txt': 'c\n',
    });
  });

  it.each([
    ['adding over a file', '*** Add File: b.txt\n+b', 'FILE_EXISTS'],
    ['moving onto a file', '*** Update File: a.txt\n*** Move to: b.txt\n-a\n+A', 'FILE_EXISTS'],
    ['updating what is not there', '*** Update File: x.txt\n-a\n+A', 'FILE_NOT_FOUND'],
    ['deleting what is not there', '*** Delete File: x.txt', 'FILE_NOT_FOUND'],
    ['adding twice', '*** Add File: x.txt\n+b\n*** Add File: x.txt\n+b', 'FILE_EXISTS'],
  ])('refuses %s', (_, lines, code) => {
    expect(refusedEdit('apply_patch', wrapped(lines), before).code).toBe(code);
  });

  it('takes a move to the same path for an update', () => {
    const patch = wrapped('*** Update File: a.txt', '*** Move to: ./a.txt', '-a', '+A');
    expect(applied('apply_patch', patch, before).files).toEqual({ ...before, 'a.txt': 'A\n' });
    const alone = wrapped('*** Update File: a.txt', '*** Move to: a.txt');
    expect(refusedEdit('apply_patch', alone, before).code).toBe('NO_CHANGE');
  });

  it('moves files that are no text, and keeps line ends and byte order marks on the way', () => {
    const bytes = new Uint8Array([0, 1, 2]);
    const move = wrapped('*** Update File: x.bin', '*** Move to: y.bin');
    expect(applied('apply_patch', move, { 'x.bin': bytes }).files).toEqual({ 'y.bin': '\u0000\u0001\u0002' });
    const edit = wrapped('*** Update File: a.txt', '*** Move to: d.txt', '-b', '+B');
    expect(applied('apply_patch', edit, { 'a.txt': '\uFEFFa\r\nb\r\n' }).files).toEqual({
      'd.txt': '\uFEFFa\r\nB\r\n',
    });
  });
});

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
    ['a missing end', '*** Begin Patch\n*** Update File: f.txt\n-a\n+A\n', /may have been cut off/, 4],
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

describe('line ends and the end of the file', () => {
  it.each([
    ['keep every kind', 'a\r\nb\nc\r\n', ['-a', '-b', '+x', '+y', '+z'], 'x\r\ny\nz\nc\r\n'],
    ['are those of the neighbour', 'a\r\nb\r\n', ['@@ a', '+x'], 'a\r\nx\r\nb\r\n'],
    ['may be CR', 'a\rb\rc', [' a', '-b', '+x', '+y'], 'a\rx\ry\rc'],
    ['stay open', 'a\nb', ['-b', '+x', '+y'], 'a\nx\ny'],
    ['stay open when the last line goes', 'a\nb', [' a', '-b'], 'a'],
    ['stay closed', 'a\nb\n', ['-b', '+x'], 'a\nx\n'],
    ['close where the patch says so', 'a\nb', [' b', '+'], 'a\nb\n'],
    ['open where the patch says so', 'a\nb\n', ['-b', '-', '+c'], 'a\nc'],
    ['vanish with the last line', 'a\n', ['-a'], ''],
  ])('%s', (_, before, lines, expected) => {
    expect(result(before, update(...lines))).toBe(expected);
    expect(result(`\uFEFF${before}`, update(...lines))).toBe(`\uFEFF${expected}`);
  });

  it('are no empty line to add lines after', () => {
    const error = refusal('a\nb\n', update(' b', '', '+c'));
    expect(error.code).toBe('PATCH_FAILED');
    expect(error.message).toMatch(
      /line 4 of the patch is an empty context line, but the file has no empty line there/,
    );
  });
});

describe('the one-file form', () => {
  const one = (fields: object): object => ({ path: 'f.txt', ...fields });

  it.each([
    ['update', 'a\n', { diff: '-a\n+b' }, { 'f.txt': 'b\n' }],
    ['update_file', 'a\n', { type: 'update_file', diff: '@@\n-a\n+b\n' }, { 'f.txt': 'b\n' }],
    ['a fence', 'a\n', { diff: '```\n-a\n+b\n```' }, { 'f.txt': 'b\n' }],
    ['a move', 'a\n', { diff: ' a', moveTo: 'g.txt' }, { 'g.txt': 'a\n' }],
    ['a move alone', 'a\n', { move_to: 'g.txt' }, { 'g.txt': 'a\n' }],
    ['delete', 'a\n', { operation: 'delete_file' }, {}],
    ['create', null, { operation: 'create', diff: '+a\n+b\n' }, { 'f.txt': 'a\nb' }],
    ['create with a final newline', null, { operation: 'create_file', diff: '+a\n+' }, { 'f.txt': 'a\n' }],
    ['create an empty file', null, { operation: 'create', diff: '' }, { 'f.txt': '' }],
  ])('does %s', (_, before, fields, expected) => {
    expect(applied('apply_patch', one(fields), { 'f.txt': before }).files).toEqual(expected);
  });

  it.each([
    ['no diff', {}, 'INVALID_INPUT'],
    ['an empty diff', { diff: '' }, 'PATCH_SYNTAX'],
    ['patch and path', { patch: '*** Begin Patch\n*** End Patch' }, 'INVALID_INPUT'],
    ['a move of a new file', { operation: 'create', diff: '+a', move_to: 'g.txt' }, 'INVALID_INPUT'],
    [
      'an envelope',
      { diff: '*** Begin Patch\n*** Update File: f.txt\n-a\n+b\n*** End Patch' },
      'PATCH_SYNTAX',
    ],
    ['another file in the middle', { diff: '-a\n+b\n*** Update File: g.txt\n-a\n+b' }, 'PATCH_SYNTAX'],
    ['lines without + in a new file', { operation: 'create', diff: '+a\nb' }, 'PATCH_SYNTAX'],
    ['a diff of a file that goes', { operation: 'delete', diff: '-a' }, 'PATCH_SYNTAX'],
    ['a file that is there', { operation: 'create', diff: '+a' }, 'FILE_EXISTS'],
  ])('refuses %s', (_, fields, code) => {
    expect(refusedEdit('apply_patch', one(fields), { 'f.txt': 'a\n' }).code).toBe(code);
  });

  it('asks for a patch or a path', () => {
    expect(refusedEdit('apply_patch', {}, {}).message).toMatch(/patch is missing/);
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

describe('numbers behind @@', () => {
  it('are taken for a bare @@, and the answer says so', () => {
    const { files, notes } = applied('apply_patch', update('@@ -1,2 +1,2 @@ def f():', '-a', '+A'), {
      'f.txt': 'a\nb\n',
    });
    expect(files).toEqual({ 'f.txt': 'A\nb\n' });
    expect(notes).toEqual([
      expect.stringMatching(/^hunk 1 of f.txt: the line numbers behind "@@" were not used/),
    ]);
  });

  it('choose no place', () => {
    expect(refusal('a\nb\na\n', update('@@ -3,1 +3,1 @@', '-a', '+A')).code).toBe('AMBIGUOUS');
  });
});

describe('line ends of a new file', () => {
  const crlf = wrapped('*** Add File: n.txt', '+a', '+b').patch.replaceAll('\n', '\r\n');

  it('are those of the patch, and the answer says so', () => {
    const { files, notes } = applied('apply_patch', { patch: crlf }, {});
    expect(files).toEqual({ 'n.txt': 'a\r\nb\r\n' });
    expect(notes).toEqual(['the lines of the patch end with CRLF, and so do those of n.txt']);
    expect(applied('apply_patch', wrapped('*** Add File: n.txt', '+a'), {}).notes).toEqual([]);
  });

  it('are those of the one-file form too', () => {
    const diff = { path: 'n.txt', operation: 'create', diff: '+a\r\n+b\r\n+\r\n' };
    expect(applied('apply_patch', diff, {}).files).toEqual({ 'n.txt': 'a\r\nb\r\n' });
    const blocks = '<<<<<<< SEARCH\r\n=======\r\na\r\n>>>>>>> REPLACE\r\n';
    expect(applied('search_replace', { path: 'n.txt', blocks }, {}).files).toEqual({ 'n.txt': 'a\r\n' });
  });
});

describe('lines added at an end of the file', () => {
  it.each([
    ['at the start', 'import x\nimport y\n', ['+import x', ' import y']],
    ['at the end', 'a\nb\n', [' a', '+b']],
    ['at the end, by a mark', 'a\nb\n', ['+b', '*** End of File']],
    ['at the end, behind an anchor', 'a\nb\n', ['@@ a', '-a', '+a', '+b']],
    ['several', 'x\ny\nz\n', ['+x', '+y', ' z']],
  ])('are refused when they stand there already: %s', (_, before, lines) => {
    const error = refusal(before, update(...lines));
    expect([error.code, error.message]).toEqual(['PATCH_FAILED', expect.stringContaining('already applied')]);
  });

  it.each([
    ['x\ny\n', ['+x', ' y'], 'not'],
    ['import z\nimport y\n', ['+import x', ' import y'], 'import z\nimport x\nimport y\n'],
    ['b\nb\na\n', [' a', '+b'], 'b\nb\na\nb\n'],
    ['a\nb\nc\n', [' a', '+b'], 'a\nb\nb\nc\n'],
    ['\na\n', ['+', ' a'], '\n\na\n'],
  ])('are put in when they do not: %j', (before, lines, after) => {
    if (after === 'not') expect(refusal(before, update(...lines)).code).toBe('PATCH_FAILED');
    else expect(result(before, update(...lines))).toBe(after);
  });
});
