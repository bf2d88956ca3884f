/** A file that is written anew keeps what nobody sees of it; a new one gets what is declared. */

import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { personRepo } from '../helpers/person-repo.ts';

const MARK = '\ufeff';

describe('a whole file written anew', () => {
  it.each([
    ['a byte order mark', `${MARK}one\n`, 'two\n', `${MARK}two\n`],
    ['a byte order mark, of an empty text', `${MARK}one\n`, '', MARK],
    ['a byte order mark that is given, too', `${MARK}one\n`, `${MARK}two\n`, `${MARK}two\n`],
    ['CRLF', 'a\r\nb\r\n', 'a\nc\n', 'a\r\nc\r\n'],
    ['CRLF without a last line end', 'a\r\nb', 'x\ny', 'x\r\ny'],
    ['both', `${MARK}a\r\n`, 'b\nc\n', `${MARK}b\r\nc\r\n`],
    ['no CRLF where the new text has some', 'a\r\nb\r\n', 'a\r\nc\n', 'a\r\nc\n'],
    ['nothing of mixed line ends', 'a\r\nb\n', 'c\nd\n', 'c\nd\n'],
    ['nothing of lone CR', 'a\r\nb\rc\r\n', 'c\nd\n', 'c\nd\n'],
    ['LF', 'a\nb\n', 'c\r\nd\r\n', 'c\r\nd\r\n'],
    ['nothing of a file that is no text', 'a\0\r\n', 'c\n', 'c\n'],
    ['nothing of an empty file', '', 'c\n', 'c\n'],
  ])('keeps %s', async (_what, old, given, expected) => {
    const repo = personRepo({ 'a.txt': old });
    const session = await repo.session();
    const { message } = await session.edit('create', { path: 'a.txt', file_text: given, overwrite: true });
    expect(repo.read('a.txt')).toBe(expected);
    expect(/a\.txt kept its (byte order mark|CRLF)/.test(message)).toBe(expected !== given);
    writeFileSync(repo.path('a.txt'), old);
    await session.edit('create', { path: 'a.txt', file_text: `${given}!\n`, overwrite: true, exact: true });
    expect(repo.read('a.txt')).toBe(`${given}!\n`);
    await session.undo();
    expect(repo.read('a.txt')).toBe(old);
  });

  it('is the same where nothing but what is kept differs', async () => {
    const repo = personRepo({ 'a.txt': `${MARK}a\r\n` });
    const call = (await repo.session()).edit('create', { path: 'a.txt', file_text: 'a\n', overwrite: true });
    await expect(call).rejects.toMatchObject({ code: 'NO_CHANGE' });
  });
});

describe('a new file', () => {
  const FILES = {
    '.gitattributes': '*.bat text eol=crlf\n*.sh text eol=lf\n*.raw -text\n',
    '.editorconfig':
      'root = true\n[*]\nend_of_line = crlf\n[*.{sh,lf}]\nend_of_line = LF\n[*.old]\nend_of_line = cr\n[*.any]\nend_of_line = unset\n',
  };

  it.each([
    ['a.bat', 'a\nb\n', 'a\r\nb\r\n'],
    ['d/a.bat', 'a\r\nb\r\n', 'a\r\nb\r\n'],
    ['a.sh', 'a\r\nb\r\n', 'a\nb\n'],
    ['a.sh', 'a\nb\n', 'a\nb\n'],
    ['a.lf', 'a\r\nb', 'a\nb'],
    ['a.txt', 'a\nb\n', 'a\r\nb\r\n'],
    ['a.txt', 'a', 'a'],
    ['a.txt', 'a\r\nb\n', 'a\r\nb\n'],
    ['a.raw', 'a\nb\n', 'a\nb\n'],
    ['a.old', 'a\nb\n', 'a\nb\n'],
    ['a.any', 'a\nb\n', 'a\nb\n'],
  ])('%s of %j has the line ends that are declared', async (path, given, expected) => {
    const repo = personRepo(FILES);
    const session = await repo.session();
    const patch = `*** Begin Patch\n*** Add File: p-${path.replace('/', '-')}\n+a\n+b\n*** End Patch`;
    const { message } = await session.edit('create', { path, file_text: given });
    expect(readFileSync(repo.path(path), 'utf8')).toBe(expected);
    expect(message.includes('as declared')).toBe(expected !== given);
    await session.edit('create', { path: `exact-${path.replace('/', '-')}`, file_text: given, exact: true });
    expect(repo.read(`exact-${path.replace('/', '-')}`)).toBe(given);
    await session.edit('apply_patch', { patch });
    const isCrlf = expected.includes('\r') ? path !== 'a.sh' : path === 'a.txt';
    expect(repo.read(`p-${path.replace('/', '-')}`)).toBe(isCrlf ? 'a\r\nb\r\n' : 'a\nb\n');
  });
});
