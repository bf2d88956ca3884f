import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { syncedSnapshot } from '../../src/engine/change/sync.ts';
import { unexplainedChanges } from '../../src/engine/files/unexplained.ts';
import { openTrail } from '../../src/engine/trails/open-trail.ts';
import { nodePlatform } from '../../src/git/native/platform.ts';
import { openWorkspace, type Session } from '../../src/index.ts';
import { unexplainedCount } from '../../src/queries/status.ts';
import { openContext } from '../../src/workspace/opening/open-context.ts';
import { inMemory } from '../helpers/in-memory.ts';
import { ownRepo, type Place, personRepo } from '../helpers/person-repo.ts';
import { sandbox } from '../helpers/real-git.ts';

const FILES = {
  'a.txt': 'one\n',
  'src/b.txt': 'x\n',
  'src/deep/c.txt': 'y\n',
  'd.txt': 'z\n',
  '.gitignore': '*.log\nout/\n!keep.log\n',
};

const told = async (session: Session): Promise<string[]> =>
  (await session.status()).data.unexplained.map(({ path, kind }) => `${kind} ${path}`);

/** The same by git, which says of the index and of the work tree what is said here of the work tree alone. */
function byGit(box: Place): string[] {
  const kinds: Record<string, string> = { '??': 'created', A: 'created', D: 'deleted' };
  const lines = box.git('status', '--porcelain', '-z', '--no-renames').split('\0').filter(Boolean);
  return lines
    .map(
      line =>
        `${kinds[line.slice(0, 2)] ?? kinds[line.slice(0, 2).trim()[0]!] ?? 'modified'} ${line.slice(3)}`,
    )
    .sort((a, b) => (a.split(' ')[1]! < b.split(' ')[1]! ? -1 : 1));
}

describe('changed files that no edit explains', () => {
  it('are those of git status: modified, deleted, new, by its rules for what is ignored', async () => {
    const box = personRepo(FILES);
    box.write('a.txt', 'ONE\n');
    box.write('new.txt', 'n\n');
    box.write('noise.log', 'n\n');
    box.write('keep.log', 'n\n');
    box.write('out/o.txt', 'n\n');
    box.write('some/folder/f.txt', 'n\n');
    box.write('empty/only.log', 'n\n');
    box.write('src/new.txt', 'n\n');
    rmSync(box.path('src/deep'), { recursive: true });
    chmodSync(box.path('d.txt'), 0o755);
    symlinkSync('a.txt', box.path('link'));
    expect(await told(await box.session())).toEqual(byGit(box));
    expect(byGit(box)).toHaveLength(8);
  });

  it('are told of what is staged, of a folder in the place of a file, and of a file in that of a folder', async () => {
    const box = personRepo(FILES);
    box.write('a.txt', 'ONE\n');
    box.write('new/n.txt', 'n\n');
    box.git('add', '-A');
    rmSync(box.path('d.txt'));
    box.write('d.txt/in.txt', 'n\n');
    rmSync(box.path('src/deep'), { recursive: true });
    box.write('src/deep', 'n\n');
    box.git('rm', '-q', '--cached', 'src/b.txt');
    expect(await told(await box.session())).toEqual([
      'modified a.txt',
      'created d.txt/',
      'deleted d.txt',
      'created new/n.txt',
      'deleted src/deep/c.txt',
      'created src/deep',
    ]);
  });

  it('are not those that an edit explains, nor those that changed since one and are told already', async () => {
    const box = personRepo(FILES);
    const session = await box.session();
    await session.edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: 'two' });
    await session.edit('create', { path: 'made/by/an/edit.txt', file_text: 'e\n' });
    await session.edit('delete', { path: 'd.txt' });
    expect(await told(session)).toEqual([]);
    box.write('a.txt', 'mine\n');
    box.write('made/by/hand.txt', 'h\n');
    box.write('src/b.txt', 'mine\n');
    const { data, message } = await session.status();
    expect(data.outside).toEqual([{ path: 'a.txt', kind: 'modified' }]);
    expect(data.unexplained).toEqual([
      { path: 'made/by/hand.txt', kind: 'created' },
      { path: 'src/b.txt', kind: 'modified' },
    ]);
    expect(message).toContain('2 changed files that no edit explains: made/by/hand.txt, src/b.txt');
  });

  it('are found where git would look at the content: a file that was written in the moment of the index', async () => {
    const box = personRepo(FILES);
    box.write('a.txt', 'two\n');
    expect(await told(await box.session())).toEqual(['modified a.txt']);
    box.write('a.txt', 'one\n');
    expect(await told(await box.session())).toEqual([]);
  });

  it('are found with a split index, which is not read', async () => {
    const box = personRepo(FILES);
    box.git('update-index', '--split-index');
    box.write('a.txt', 'two\n');
    expect(await told(await box.session())).toEqual(['modified a.txt']);
  });

  it('are told below the folder of the workspace, in linked work trees, and where the branch is the trail', async () => {
    const box = ownRepo(FILES);
    box.write('a.txt', 'ONE\n');
    box.write('src/deep/c.txt', 'Y\n');
    const inner = await openWorkspace({ root: box.path('src') });
    expect(await told(inner.session({ agent: 'claude' }))).toEqual(['modified deep/c.txt']);
    await inner.close();
    const session = await box.session();
    expect(await told(session)).toEqual(['modified a.txt', 'modified src/deep/c.txt']);
    await session.edit('str_replace', { path: 'd.txt', old_str: 'z', new_str: 'Z' });
    expect(await told(session)).toEqual(['modified a.txt', 'modified src/deep/c.txt']);
    box.git('worktree', 'add', '-q', '../linked', '-b', 'other');
    writeFileSync(box.path('../linked/a.txt'), 'linked\n');
    const linked = await openWorkspace({ root: box.path('../linked') });
    expect(await told(linked.session({ agent: 'claude' }))).toEqual(['modified a.txt']);
    await linked.close();
  });

  it('leaves what is in other repositories, and names a file that cannot be compared', async () => {
    const box = personRepo({ ...FILES, '.gitattributes': '*.bin filter=lfs\n', 'big.bin': 'b\n' });
    mkdirSync(box.path('nested'));
    box.git('-C', 'nested', 'init', '-q');
    box.write('big.bin', 'other\n');
    const { data } = await (await box.session()).status();
    expect(data.unexplained).toEqual([
      { path: 'big.bin', kind: 'modified', unreadable: 'FILTERED_PATH' },
      { path: 'nested/', kind: 'created' },
    ]);
  });

  it('are none in a bare repository', async () => {
    const bare = sandbox();
    bare.git('init', '-q', '--bare', '-b', 'main');
    const workspace = await openWorkspace({ root: bare.dir });
    const session = workspace.session({ agent: 'claude' });
    await session.edit('create', { path: 'a.txt', file_text: 'a\n' });
    expect(await told(session)).toEqual([]);
    await workspace.close();
  });

  it('are found in memory, without git', async () => {
    const { fs, workspace } = await inMemory();
    const session = workspace.session({ agent: 'claude' });
    await session.edit('create', { path: 'a.txt', file_text: 'a\n' });
    await fs.promises.writeFile('/w/b.txt', 'b\n');
    expect(await told(session)).toEqual(['created b.txt']);
    await workspace.close();
  });

  it('are said to be maybe not all where there was no time to look', async () => {
    const box = personRepo(FILES);
    box.write('a.txt', 'ONE\n');
    const context = await openContext(nodePlatform(), { root: box.dir });
    const snapshot = await syncedSnapshot(context, await openTrail(context));
    expect(await unexplainedChanges(snapshot, 0)).toEqual({ changes: [], more: true });
    const words = unexplainedCount({ unexplained: [], unexplained_more: true });
    expect(words).toBe('no changed files that no edit explains, and maybe more: the look was cut at 1 s');
  });
});
