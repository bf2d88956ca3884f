import { chmodSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { LogEntry, LogOptions, Session } from '../../../src/index.ts';
import { ownRepo, type Place, personRepo } from '../../helpers/person-repo.ts';

async function entries(session: Session, options: LogOptions): Promise<LogEntry[]> {
  const found: LogEntry[] = [];
  for await (const entry of session.entries(options)) found.push(entry);
  return found;
}

/** `12\t3\tname` a file, commit by commit, as git counts. */
function numstat(repo: Place, ...args: string[]): string[] {
  const text = repo.git('log', '--format=tformat:>', '--numstat', '--no-renames', ...args);
  return text
    .split('>')
    .slice(1)
    .map(part => part.trim());
}

const told = (entry: LogEntry): string =>
  entry
    .stats!.map(({ added, removed, binary, path }) => `${binary ? '-\t-' : `${added}\t${removed}`}\t${path}`)
    .join('\n');

/** Edits of agents, changes and commits of a person, binary files, modes, a sync: what a log can hold. */
async function busyRepo(make: typeof personRepo): Promise<Place> {
  const repo = make({ 'a.txt': '1\n2\n3\n4\n5\n', 'src/b.txt': 'b\n', 'bin.dat': 'x\0y' });
  const session = await repo.session();
  await session.edit('str_replace', { path: 'a.txt', old_str: '2\n3', new_str: 'two\nand\nmore\n3' });
  repo.write('src/b.txt', 'b\nby hand\n');
  await session.edit('create', { path: 'src/new.txt', file_text: 'no newline' });
  await session.edit('str_replace', { path: 'src/b.txt', old_str: 'b\n', new_str: 'B\n' });
  repo.write('bin.dat', 'x\0yz');
  repo.write('c.txt', 'c\n');
  chmodSync(repo.path('c.txt'), 0o755);
  repo.git('add', 'bin.dat', 'c.txt');
  repo.git('commit', '-qm', 'by hand', 'bin.dat', 'c.txt');
  await session.edit('delete', { path: 'src/new.txt' });
  await session.edit('str_replace', { path: 'a.txt', old_str: '1\n', new_str: '' });
  await session.undo();
  return repo;
}

describe.each([
  ['beside the branch', personRepo, ['main..vedit/main', '--first-parent']],
  ['on the branch', ownRepo, ['main']],
] as const)('the numbers of the log, %s', (_where, make, range) => {
  it('are those of git log --numstat', async () => {
    const repo = await busyRepo(make);
    const found = await entries(await repo.session(), { stats: true });
    const git = numstat(repo, ...range, '--diff-merges=off');
    expect(found.map(told)).toEqual(git);
    expect(git.length).toBeGreaterThan(6);
  });

  it.each(['a.txt', 'src', 'src/b.txt'])('are those of git for %s alone', async path => {
    const repo = await busyRepo(make);
    const found = await entries(await repo.session(), { path, stats: true, patch: true });
    expect(found.map(told)).toEqual(numstat(repo, ...range, '--diff-merges=off', '--', path));
    for (const entry of found) expect(entry.diff).toMatch(new RegExp(`^diff --git a/${path}`));
  });

  it('are not read unless they are asked for', async () => {
    const [entry] = await entries(await (await busyRepo(make)).session(), { limit: 1 });
    expect(Object.keys(entry!).filter(key => key === 'stats' || key === 'diff')).toEqual([]);
  });
});

describe('the log', () => {
  it('of a file holds the sync that brought a commit of the person to it', async () => {
    const repo = personRepo({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    const session = await repo.session();
    await session.edit('create', { path: 'c.txt', file_text: 'c' });
    repo.write('a.txt', 'A\n');
    repo.git('commit', '-qam', 'hand');
    await session.edit('create', { path: 'd.txt', file_text: 'd' });
    expect((await entries(session, { path: 'a.txt' })).map(entry => entry.op)).toEqual(['head']);
    expect(await entries(session, { path: 'b.txt' })).toEqual([]);
  });
});

describe('show', () => {
  it('tells what a sync brought in', async () => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    const session = await repo.session();
    await session.edit('create', { path: 'c.txt', file_text: 'c' });
    repo.write('a.txt', 'A\n');
    repo.git('commit', '-qam', 'hand');
    await session.edit('create', { path: 'd.txt', file_text: 'd' });
    const { data } = await session.show('~1');
    expect(data.op).toBe('head');
    expect(data.stats).toEqual([{ path: 'a.txt', kind: 'modify', added: 1, removed: 1 }]);
    expect(data.diff).toContain('-a\n+A\n');
  });

  it('names both sides of a move, and the sizes of what is no text', async () => {
    const repo = personRepo({ 'a.txt': 'a\n', 'bin.dat': 'x\0y' });
    const session = await repo.session();
    await session.edit('move', { path: 'a.txt', new_path: 'b.txt' });
    expect((await session.show('@')).data.stats).toEqual([
      { path: 'b.txt', from: 'a.txt', kind: 'move', added: 0, removed: 0 },
    ]);
    expect((await session.show('main')).data.stats).toContainEqual({
      path: 'bin.dat',
      kind: 'create',
      added: 0,
      removed: 0,
      binary: { bytes_before: 0, bytes_after: 3 },
    });
  });
});
