/** Files are found by the names that they go by: in another Unicode form, and with a root that a link leads to. */

import { mkdirSync, mkdtempSync, readdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { codeOf, personRepo } from '../helpers/person-repo.ts';

const NAMES = [
  'Absch\u00e4tzung.md',
  '\u00e9t\u00e9/r\u00e9sum\u00e9.txt',
  '\uac00\ub098.txt',
  '\u1ec7/\u1ec7\u1ec7',
  'A\u030a.txt',
];

describe('a path in another Unicode form', () => {
  const cases = NAMES.flatMap(name => [
    [name.normalize('NFC'), name.normalize('NFD')] as const,
    [name.normalize('NFD'), name.normalize('NFC')] as const,
  ]);

  it.each(cases)(
    '%j is what review, land, accept, undo, rollback and purge know as %j',
    async (given, there) => {
      const repo = personRepo({ [there]: 'a\nb\n' });
      const workspace = await repo.open();
      const session = workspace.session({ agent: 'm' });
      await session.edit('str_replace', { path: there, old_str: 'b', new_str: 'B' });
      for (const path of new Set([given, given.split('/')[0]!])) {
        expect((await workspace.review({ path })).data.hunks).toMatchObject([{ path: there }]);
        expect((await workspace.land({ paths: [path], dryRun: true })).data.paths).toMatchObject([
          { path: there },
        ]);
        expect((await session.undo({ path, dryRun: true })).data.paths).toMatchObject([{ path: there }]);
        const back = { paths: [path], dryRun: true, withOthers: true };
        expect((await session.rollback('~1', back)).data.paths).toMatchObject([{ path: there }]);
        const purged = await workspace.purge({ path, reason: 'a key', dryRun: true });
        expect(purged.message).not.toContain('No history has');
      }
      expect((await workspace.accept({ path: given })).data.hunks).toBe(1);
    },
  );

  it.each(cases)('%j finds %j', async (given, there) => {
    const repo = personRepo({ [there]: 'a\nb\n' });
    const session = await repo.session();
    const viewed = await session.view({ path: given });
    expect(viewed.data.path).toBe(there);
    expect(viewed.message).toContain('another Unicode form');
    const edited = await session.edit('str_replace', { path: given, old_str: 'b', new_str: 'B' });
    expect(edited.data.paths.map(one => one.path)).toEqual([there]);
    expect(edited.message).toContain('another Unicode form');
    expect(await codeOf(session.edit('create', { path: given, file_text: 'x\n' }))).toBe('FILE_EXISTS');
    expect((await session.log({ path: given })).data.entries).toHaveLength(1);
    expect((await session.blame({ path: given })).data.lines).toHaveLength(2);
    await session.edit('delete', { path: given });
    await session.restore({ path: [given], from: '@~1' });
    expect(repo.read(there)).toBe('a\nB\n');
    expect(readdirSync(repo.path('.')).filter(name => name !== '.git')).toHaveLength(1);
  });

  it('finds nothing where two names are that form, and each by its own', async () => {
    const [nfc, nfd] = ['\u1eadx', 'a\u0323\u0302x'];
    const repo = personRepo({ [nfc]: 'c\n', [nfd]: 'd\n' });
    const session = await repo.session();
    expect((await session.view({ path: nfc })).data.path).toBe(nfc);
    expect((await session.view({ path: nfd })).data.path).toBe(nfd);
    expect(await codeOf(session.view({ path: 'a\u0302\u0323x' }))).toBe('FILE_NOT_FOUND');
  });
});

describe('a path that begins with a variable', () => {
  it.each([
    '$HOME/x',
    '$HOME',
    '$PWD/a/b',
    '$\x7bHOME}/x',
    '$\x7bPWD:-x}/y',
    '%USERPROFILE%/x',
    '%TEMP%/x',
    '$env:TEMP/x',
    '$XDG_DATA_HOME/y',
    '%ProgramFiles(x86)%/y',
  ])('%s is refused', async path => {
    const session = await personRepo({}).session();
    const call = session.edit('create', { path, file_text: 'x\n' });
    await expect(call).rejects.toMatchObject({ code: 'OUTSIDE_WORKSPACE', data: { rule: 'variable' } });
  });

  it.each([
    '$id.tsx',
    'routes/$slug/a.ts',
    'a$HOME/x',
    '$types.d.ts',
    '100%/x',
    'a/%TEMP%/x',
    '$lib/a.ts',
    '$',
    '%/x%',
    'src/$\x7bname}.txt',
  ])('%s is a name', async path => {
    const session = await personRepo({}).session();
    await session.edit('create', { path, file_text: 'x\n' });
    expect((await session.view({ path })).data.path).toBe(path);
  });
});

describe('a root that a link leads to', () => {
  it.each([
    ['the link itself', 'link', 'link/d/a.txt', 'd/a.txt'],
    ['the link, named by its real name', 'link', 'real/d/a.txt', 'd/a.txt'],
    ['a folder below the link', 'link/d', 'link/d/a.txt', 'a.txt'],
    ['a link above the repository', 'above/real', 'above/real/d/a.txt', 'd/a.txt'],
    ['the real name', 'real', 'real/d/a.txt', 'd/a.txt'],
    ['a link to a folder in it', 'inner', 'inner/a.txt', 'a.txt'],
    ['with a slash at its end', 'link/', 'link/d/a.txt', 'd/a.txt'],
    ['a link to a link', 'twice', 'twice/d/a.txt', 'd/a.txt'],
  ])('%s takes paths under either name', async (_what, root, path, expected) => {
    const repo = personRepo({ 'd/a.txt': 'a\n' });
    const top = realpathSync(mkdtempSync(join(tmpdir(), 'vedit-names-')));
    symlinkSync(repo.dir, join(top, 'link'));
    symlinkSync(join(top, 'link'), join(top, 'twice'));
    symlinkSync(join(repo.dir, 'd'), join(top, 'inner'));
    mkdirSync(join(top, 'to'));
    symlinkSync(repo.dir, join(top, 'to', 'real'));
    symlinkSync(join(top, 'to'), join(top, 'above'));
    symlinkSync(repo.dir, join(top, 'real'));
    const session = await repo.session('s1', { root: join(top, root) });
    const absolute =
      path.startsWith('real/') && !root.startsWith('real')
        ? join(realpathSync(repo.dir), path.slice(5))
        : join(top, path);
    expect((await session.view({ path: absolute })).data.path).toBe(expected);
    writeFileSync(repo.path('d/a.txt'), 'a\n');
    const edited = await session.edit('str_replace', { path: absolute, old_str: 'a', new_str: 'b' });
    expect(edited.data.paths[0]!.path).toBe(expected);
    expect(await codeOf(session.view({ path: join(top, 'other/a.txt') }))).toBe('OUTSIDE_WORKSPACE');
  });
});
