import { describe, expect, it } from 'vitest';
import { type ExportEntry, type LogOptions, openWorkspace, type Session } from '../../src/index.ts';
import { type Place, personRepo } from '../helpers/person-repo.ts';

async function exported(session: Session, options?: LogOptions): Promise<ExportEntry[]> {
  const found: ExportEntry[] = [];
  for await (const entry of session.export(options)) found.push(entry);
  return found;
}

async function edited(): Promise<{ repo: Place; session: Session }> {
  const repo = personRepo({ 'a.txt': '1\n2\n3\n4\n', 'sub/b.txt': 'b\n' });
  const session = await repo.session();
  await session.edit('str_replace', {
    path: 'a.txt',
    old_str: '2\n',
    new_str: 'two\nand\n',
    reason: 'words',
  });
  await session.edit('move', { path: 'sub/b.txt', new_path: 'sub/c.txt' });
  repo.write('a.txt', '1\ntwo\nand\n3\n');
  await session.edit('insert', {
    path: 'a.txt',
    before_line: 1,
    insert_text: '0',
    version: repo.git('hash-object', 'a.txt'),
  });
  await session.undo();
  return { repo, session };
}

describe('export', () => {
  it('gives each commit with its files, versions and lines, newest first', async () => {
    const { repo, session } = await edited();
    const entries = await exported(session);
    expect(entries.map(({ op, status }) => `${op}${status.now === 'taken back' ? ' undone' : ''}`)).toEqual([
      'undo',
      'insert undone',
      'outside',
      'move',
      'str_replace',
    ]);
    const [undo, insert, outside, move, replace] = entries.map(entry => entry.files[0]!);
    expect(undo).toMatchObject({ added: 0, removed: 1, ranges: [] });
    expect(insert).toMatchObject({ path: 'a.txt', kind: 'modify', ranges: [{ start_line: 1, end_line: 1 }] });
    expect(outside).toMatchObject({ added: 0, removed: 1, ranges: [] });
    expect(move).toMatchObject({ kind: 'move', from: 'sub/b.txt', path: 'sub/c.txt', ranges: [] });
    expect(replace).toMatchObject({ ranges: [{ start_line: 2, end_line: 3 }], binary: false });
    for (const { commit, parents, files } of entries) {
      const [{ path, from, before, after }] = files as [ExportEntry['files'][0]];
      expect(after).toBe(repo.git('rev-parse', `${commit}:${path}`));
      expect(before).toBe(repo.git('rev-parse', `${parents[0]}:${from ?? path}`));
    }
    expect(entries.at(-1)!.files[0]!.diff).toContain('-2\n+two\n+and\n');
  });

  it('takes the same filters as the log, and names files from the top of the repository', async () => {
    const { repo, session } = await edited();
    expect((await exported(session, { path: 'sub', limit: 1 })).map(entry => entry.op)).toEqual(['move']);
    expect(await exported(session, { agent: 'nobody' })).toEqual([]);
    const inside = (await openWorkspace({ root: repo.path('sub') })).session();
    const [entry] = await exported(inside, { path: 'c.txt' });
    expect(entry).toMatchObject({ paths: ['sub/b.txt', 'sub/c.txt'], files: [{ path: 'sub/c.txt' }] });
  });

  it('gives no files of a commit that joins two histories', async () => {
    const { repo, session } = await edited();
    repo.write('other.txt', 'x\n');
    repo.git('add', 'other.txt');
    repo.git('commit', '-qm', 'by hand');
    await session.edit('create', { path: 'new.txt', file_text: 'new' });
    const [create, sync] = await exported(session, { limit: 2 });
    expect(create!.files).toMatchObject([{ before: null, ranges: [{ start_line: 1, end_line: 1 }] }]);
    expect(sync).toMatchObject({ op: 'head', files: [] });
  });
});
