/**
 * Windows, macOS and Linux: each test runs on all of them and holds what the system at hand does. What only one of them has
 * by itself is made here too where that can be (rules of Windows, no sockets), and else skipped with the reason in its name.
 */

import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nodePlatform } from '../../src/git/native/platform.ts';
import type { Session } from '../../src/index.ts';
import { openOn } from '../../src/workspace/open.ts';
import { codeOf, type Place, personRepo } from '../helpers/person-repo.ts';

/** A session as on Windows, on this machine's disk. */
async function onWindows(repo: Place): Promise<Session> {
  const workspace = await openOn({ ...nodePlatform(), windows: true }, { root: repo.dir });
  return workspace.session({ agent: 'claude' });
}

const edit = { path: 'a.txt', old_str: 'two', new_str: 'TWO' };

describe('names', () => {
  it('a move to the same name in other letters is done, or refused where the disk takes both for one', async () => {
    const repo = personRepo({ 'Name.txt': 'one\n' });
    const foldsCase = existsSync(repo.path('NAME.TXT'));
    const session = await repo.session();
    const code = await codeOf(session.edit('move', { path: 'Name.txt', new_path: 'name.txt' }));
    expect(code).toBe(foldsCase ? 'INVALID_INPUT' : null);
    expect(readdirSync(repo.dir).sort()).toEqual(['.git', foldsCase ? 'Name.txt' : 'name.txt']);
  });

  it('a composed and a decomposed name are one file, of which no twin is made', async () => {
    const [composed, decomposed] = ['caf\u00e9.txt', 'cafe\u0301.txt'];
    const repo = personRepo({ [decomposed]: 'one\n' });
    const session = await repo.session();
    await session.edit('str_replace', { path: decomposed, old_str: 'one', new_str: 'two' });
    const code = await codeOf(session.edit('create', { path: composed, file_text: 'x\n' }));
    expect(code).toBe('FILE_EXISTS');
    expect(repo.read(decomposed)).toBe('two\n');
  });

  it.each([
    'con',
    'docs/NUL.txt',
    'aux.',
    'com1',
    'LPT9.log',
    'ab:c',
    'a.txt:stream',
    'x.',
    'y ',
    'q?.md',
    'a|b',
  ])('Windows cannot hold %j: refused there, before anything is made', async path => {
    const repo = personRepo({ 'a.txt': 'one\n' });
    const session = await onWindows(repo);
    expect(await codeOf(session.edit('create', { path, file_text: 'x\n' }))).toBe('INVALID_INPUT');
    expect(await codeOf(session.edit('move', { path: 'a.txt', new_path: path }))).toBe('INVALID_INPUT');
    expect(readdirSync(repo.dir).sort()).toEqual(['.git', 'a.txt']);
    expect(repo.git('for-each-ref', 'refs/vedit')).toBe('');
  });

  it('a path of 400 characters is made, edited and undone', async () => {
    const repo = personRepo({ 'a.txt': 'one\n' });
    repo.git('config', 'core.longPaths', 'true');
    const path = `${'a-long-name-of-a-folder/'.repeat(16)}file.txt`;
    const session = await repo.session();
    await session.edit('create', { path, file_text: 'one\n' });
    await session.edit('str_replace', { path, old_str: 'one', new_str: 'two' });
    expect(repo.read(path)).toBe('two\n');
    await session.undo({ count: 2 });
    expect(readdirSync(repo.dir).sort()).toEqual(['.git', 'a.txt']);
  });
});

describe('files', () => {
  it('a file that another program has open for a third of a second is edited', async () => {
    const repo = personRepo({ 'a.txt': 'one\ntwo\n' });
    const session = await repo.session();
    const fd = openSync(repo.path('a.txt'), 'r');
    const closed = new Promise<void>(resolve => setTimeout(() => resolve(closeSync(fd)), 300));
    await session.edit('str_replace', edit);
    expect(repo.read('a.txt')).toBe('one\nTWO\n');
    await closed;
  });

  it('a folder that is a link or a junction out of the workspace leads nowhere', async () => {
    const repo = personRepo({ 'a.txt': 'one\n' });
    const outside = mkdtempSync(join(tmpdir(), 'vedit-outside-'));
    symlinkSync(outside, repo.path('out'), 'junction');
    const session = await repo.session();
    const code = await codeOf(session.edit('create', { path: 'out/x.txt', file_text: 'x\n' }));
    expect(code).toBe('OUTSIDE_WORKSPACE');
    expect(readdirSync(outside)).toEqual([]);
  });

  it('with core.autocrlf a file keeps CRLF, and the trail has LF, as git would record it', async () => {
    const repo = personRepo({ 'seed.txt': 's\n' });
    repo.git('config', 'core.autocrlf', 'true');
    repo.write('a.txt', 'one\r\ntwo\r\n');
    repo.git('add', 'a.txt');
    repo.git('commit', '-qm', 'a');
    const session = await repo.session();
    await session.edit('str_replace', edit);
    expect(repo.read('a.txt')).toBe('one\r\nTWO\r\n');
    expect(repo.pipe('', 'cat-file', 'blob', 'refs/vedit/main:a.txt').toString()).toBe('one\nTWO\n');
    expect(repo.git('hash-object', 'a.txt')).toBe(repo.git('rev-parse', 'refs/vedit/main:a.txt'));
    await session.undo();
    expect(repo.git('status', '--porcelain')).toBe('');
  });

  it('where modes do not count (core.fileMode), an executable file of HEAD stays one on the trail', async () => {
    const repo = personRepo({ 'a.txt': 'one\ntwo\n' });
    repo.git('config', 'core.fileMode', 'false');
    repo.git('update-index', '--chmod=+x', 'a.txt');
    repo.git('commit', '-qm', 'executable');
    const session = await repo.session();
    await session.edit('str_replace', edit);
    expect(repo.git('ls-tree', 'refs/vedit/main', 'a.txt')).toMatch(/^100755 /);
  });
});

it('without sockets two workspaces take turns, and nothing of the lock is left', async () => {
  const repo = personRepo({ 'a.txt': 'one\ntwo\n' });
  const platform = nodePlatform();
  const processes = Object.assign(Object.create(platform.processes), { openSockets: async () => null });
  const open = () => openOn({ ...platform, processes }, { root: repo.dir });
  const all = await Promise.all([open(), open()]);
  await Promise.all(
    all.flatMap((one, n) =>
      [0, 1, 2].map(k =>
        one.session({ id: `s${n}-${k}` }).edit('create', { path: `${n}-${k}.txt`, file_text: 'x\n' }),
      ),
    ),
  );
  for (const one of all) await one.close();
  expect(repo.git('rev-list', '--count', 'main..refs/vedit/main')).toBe('6');
  expect(existsSync(repo.path('.git/vedit/lock'))).toBe(false);
});
