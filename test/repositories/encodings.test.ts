import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ENCODED, type EncodedCase, iconv } from '../helpers/encoded.ts';
import { git } from '../helpers/landing.ts';
import { codeOf, type Place, personRepo } from '../helpers/person-repo.ts';

const LINES = (word: string): string => Array.from({ length: 12 }, (_, n) => `${n + 1} ${word}\n`).join('');

/** A repository with one file of an encoding, which a declaration of this kind names. */
function declared(one: EncodedCase, by: 'git' | 'editorconfig' | 'option', text: string): Place {
  const repo = personRepo({ 'plain.txt': 'é\n' });
  if (by === 'git')
    repo.write(
      '.gitattributes',
      `*.txt working-tree-encoding=${one.git}\nplain.txt -working-tree-encoding\nplain.txt !working-tree-encoding\n`,
    );
  if (by === 'editorconfig')
    repo.write('.editorconfig', `root = true\n[*]\nindent_size = 2\n[old/*.txt]\ncharset = ${one.name}\n`);
  repo.write('old/a.txt', iconv(text, one));
  repo.git('add', '-A');
  repo.git('commit', '-q', '-m', 'files');
  return repo;
}

describe.each(['git', 'editorconfig', 'option'] as const)('a file whose encoding is declared by %s', by => {
  it.each(ENCODED.filter(one => by === 'git' || one.unmarked))(
    '$name: shown, edited, recorded and taken back',
    async one => {
      const [word, other] = one.words;
      const repo = declared(one, by, LINES(word));
      const options = by === 'option' ? { encodings: { 'old/**': one.name } } : {};
      const session = await repo.session('s1', options);
      const bytes = (): Buffer => readFileSync(repo.path('old/a.txt'));
      const seen = await session.view({ path: 'old/a.txt' });
      expect(seen.data).toMatchObject({ lines: 12, text: LINES(word) });
      await session.edit('str_replace', { path: 'old/a.txt', old_str: `3 ${word}`, new_str: `3 ${other}` });
      const changed = LINES(word).replace(`3 ${word}`, `3 ${other}`);
      expect(bytes()).toEqual(iconv(changed, one));
      expect(repo.git('rev-parse', 'vedit/main:old/a.txt')).toBe(repo.git('hash-object', 'old/a.txt'));
      const second = await session.edit('insert', {
        path: 'old/a.txt',
        insert_line: 10,
        insert_text: `neu ${other}\n`,
      });
      expect(second.data.diff).toContain(`+neu ${other}\n`);
      const blamed = await session.blame({ path: 'old/a.txt' });
      expect(blamed.message).toContain(`neu ${other}`);
      const [, first] = (await session.log()).data.entries;
      const back = await session.revert(first!.commit);
      expect(back.data.diff).toContain(`-3 ${other}\n+3 ${word}\n`);
      expect(bytes()).toEqual(iconv(LINES(word).replace(`10 ${word}\n`, `10 ${word}\nneu ${other}\n`), one));
      expect(repo.git('rev-parse', 'vedit/main:old/a.txt')).toBe(repo.git('hash-object', 'old/a.txt'));
      await session.rollback('~3');
      expect(bytes()).toEqual(iconv(LINES(word), one));
      await session.edit('create', { path: 'old/new.txt', file_text: `${word}\n` });
      expect(readFileSync(repo.path('old/new.txt'))).toEqual(
        iconv(`${word}\n`, one.name === 'utf-16 big' ? { iconv: 'UTF-16LE', mark: [0xff, 0xfe] } : one),
      );
      await session.edit('create', { path: 'old/a.txt', file_text: `${other}\n`, overwrite: true });
      expect(bytes()).toEqual(iconv(`${other}\n`, one));
      expect(repo.read('plain.txt')).toBe('é\n');
      expect(repo.git('status', '--porcelain', '--', 'plain.txt')).toBe('');
    },
  );
});

describe('a file of another encoding', () => {
  const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

  it('that none is declared for is refused with those in which it would be text, and how to declare one', async () => {
    const repo = personRepo({});
    repo.write('a.txt', latin1('caf\xe9\n'));
    repo.write('b.txt', Buffer.from('a\n', 'utf16le'));
    const session = await repo.session();
    const edit = { path: 'a.txt', old_str: 'caf', new_str: 'Caf' };
    const refusals = [session.view({ path: 'a.txt' }), session.edit('str_replace', edit)];
    for (const error of (await Promise.allSettled(refusals)).map(
      one => (one as PromiseRejectedResult).reason,
    )) {
      expect([error.code, error.data.encodings]).toEqual([
        'NOT_UTF8',
        ['windows-1252', 'iso-8859-1', 'koi8-r'],
      ]);
      expect(error.message).toContain('working-tree-encoding=<name> in .gitattributes');
    }
    const wide = await session.view({ path: 'b.txt' }).catch((error: unknown) => error);
    expect(wide).toMatchObject({ code: 'BINARY_FILE', data: { encodings: ['utf-16le', 'utf-16be'] } });
    expect(readFileSync(repo.path('a.txt'))).toEqual(latin1('caf\xe9\n'));
  });

  it('is refused where its bytes, or the new text, do not fit what is declared', async () => {
    const repo = personRepo({
      '.gitattributes': '*.txt working-tree-encoding=EUC-JP\n*.u16 working-tree-encoding=UTF-16\n',
    });
    repo.write('a.txt', latin1('caf\xe9\n'));
    repo.write('b.txt', 'ok\n');
    repo.write('c.u16', Buffer.from('ok\n', 'utf16le'));
    const session = await repo.session();
    const replace = (path: string, old: string, fresh: string) =>
      session.edit('str_replace', { path, old_str: old, new_str: fresh });
    expect(await codeOf(replace('a.txt', 'caf', 'Caf'))).toBe('ENCODING');
    expect(await codeOf(session.view({ path: 'a.txt' }))).toBe('ENCODING');
    expect(await codeOf(session.edit('create', { path: 'n.txt', file_text: '€\n' }))).toBe('ENCODING');
    const error = await replace('b.txt', 'ok', 'Ω € ok').catch((one: unknown) => one);
    expect(error).toMatchObject({ code: 'ENCODING', data: { character: '€', line: 1, encoding: 'euc-jp' } });
    // Git wants a byte order mark here.
    expect(await codeOf(replace('c.u16', 'ok', 'no'))).toBe('BINARY_FILE');
    expect([repo.read('b.txt'), repo.git('for-each-ref', 'refs/vedit')]).toEqual(['ok\n', '']);
  });

  it('is told by its mark where none is declared, and keeps it when all of it is written anew', async () => {
    const repo = personRepo({});
    repo.write('a.txt', iconv('日本\r\n', { iconv: 'UTF-16BE', mark: [0xfe, 0xff] }));
    const session = await repo.session();
    const { diff } = (await session.edit('str_replace', { path: 'a.txt', old_str: '本', new_str: '語' }))
      .data;
    expect(diff).toContain('-\ufeff日本\r\n+\ufeff日語\r\n');
    await session.edit('create', { path: 'a.txt', file_text: 'neu\n', overwrite: true });
    const bytes = iconv('neu\r\n', { iconv: 'UTF-16BE', mark: [0xfe, 0xff] });
    expect(readFileSync(repo.path('a.txt'))).toEqual(bytes);
    expect(repo.pipe('', 'cat-file', 'blob', 'vedit/main:a.txt')).toEqual(bytes);
  });

  it('is reviewed, taken back under later edits, landed, and moved whole', async () => {
    const repo = personRepo({ '.editorconfig': '[*.txt]\ncharset = windows-1252\n' });
    const lines = Array.from({ length: 9 }, (_, n) => `line number ${n + 1} é\n`).join('');
    repo.write('a.txt', latin1(lines));
    repo.git('add', '-A');
    repo.git('commit', '-q', '-m', 'a');
    const workspace = await repo.open();
    const session = workspace.session({ id: 's1', agent: 'claude' });
    const replace = (n: number): Promise<unknown> =>
      session.edit('str_replace', { path: 'a.txt', old_str: `${n} é`, new_str: `${n} à` });
    for (const n of [2, 5, 8]) await replace(n);
    const person = { name: 'Ada', email: 'ada@example.com' };
    const shown = await workspace.review({ reviewer: person });
    expect(JSON.stringify(shown.data)).toContain('5 à');
    await workspace.reject({
      reviewer: person,
      path: 'a.txt',
      lines: { start_line: 5, end_line: 5 },
      reason: 'no',
    });
    const now = lines.replace('2 é', '2 à').replace('8 é', '8 à');
    expect(readFileSync(repo.path('a.txt'))).toEqual(latin1(now));
    expect(await codeOf(replace(5))).toBe('REJECTED');
    await workspace.land({ git });
    expect(repo.pipe('', 'cat-file', 'blob', 'main:a.txt')).toEqual(latin1(now));
    await session.edit('move', { path: 'a.txt', new_path: 'b.txt' });
    expect(readFileSync(repo.path('b.txt'))).toEqual(latin1(now));
    const { entries } = (await session.log()).data;
    expect(entries.map(entry => entry.status.now)).toContain('landed');
  });

  it('that is none, a binary file, is recorded, moved, deleted and restored whole', async () => {
    const repo = personRepo({});
    const bytes = Uint8Array.from({ length: 70_000 }, (_, n) => (n * 7919) >> 3);
    repo.write('a.bin', bytes);
    const session = await repo.session();
    await session.edit('move', { path: 'a.bin', new_path: 'b/c.bin' });
    const { commit } = (await session.edit('delete', { path: 'b/c.bin' })).data;
    expect(repo.git('ls-files', '-co')).toBe('');
    await session.restore({ path: ['b/c.bin'], from: `${commit}^` });
    expect(readFileSync(repo.path('b/c.bin'))).toEqual(Buffer.from(bytes));
    expect(repo.pipe('', 'cat-file', 'blob', 'vedit/main:b/c.bin')).toEqual(Buffer.from(bytes));
  });

  it('has the encoding of the innermost .editorconfig, of the option before it, and of git before both', async () => {
    const repo = personRepo({
      '.editorconfig': 'root = true\n[*]\ncharset = koi8-r\n',
      'a/.editorconfig': '[x.txt]\ncharset = latin1\n[y.txt]\ncharset = unset\n',
      '.gitattributes': 'git.txt working-tree-encoding=CP1252\n',
    });
    const texts = { 'z.txt': 'ОП', 'a/w.txt': 'ОП', 'a/x.txt': 'ïð', 'o.txt': 'ïð', 'git.txt': 'ïð' };
    for (const path of [...Object.keys(texts), 'a/y.txt']) repo.write(path, Uint8Array.of(0xef, 0xf0));
    const session = await repo.session('s1', { encodings: { 'o.txt': 'cp1252', 'git.txt': 'koi8-r' } });
    for (const [path, text] of Object.entries(texts))
      expect([path, (await session.view({ path })).data]).toMatchObject([path, { text }]);
    expect(await codeOf(session.view({ path: 'a/y.txt' }))).toBe('NOT_UTF8');
    expect(await codeOf(repo.open({ encodings: { x: 'klingon' } }))).toBe('INVALID_INPUT');
  });
});
