import { rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { codeOf, personRepo } from '../helpers/person-repo.ts';
import {
  commitText,
  damageObject,
  objectPath,
  rewriteTrail,
  storeCommit,
  TRAIL,
  trailCommits,
} from '../helpers/tampering.ts';
import { found, started, verified } from './verified-history.ts';

describe('a commit that was tampered with', () => {
  it('rewritten by somebody else', async () => {
    const repo = await started();
    rewriteTrail(repo, (text, index) =>
      index === 1 ? text.replace(/^committer .* <.*>/m, 'committer Eve <eve@example.com>') : text,
    );
    expect(await found(repo)).toEqual(['rewritten 1', 'names 4', 'names 5']);
  });

  it('rewritten without a trace, once an id was noted', async () => {
    const repo = await started();
    const noted = repo.git('rev-parse', TRAIL);
    rewriteTrail(repo, (text, index) => (index === 1 ? text.replace('two', '2') : text), true);
    rewriteTrail(repo, text => text.replace(/^Vedit-Session: .*$/m, 'Vedit-Session: s2'), true);
    expect(await found(repo)).toEqual([]);
    expect(await found(repo, noted)).toEqual(['expected']);
  });

  it('dropped from the middle', async () => {
    const repo = await started();
    rewriteTrail(repo, (text, index) => (index === 1 ? null : text), true);
    expect(await found(repo)).toEqual(['paths 1 b.txt', 'back 5 b.txt']);
  });

  it('dropped from the beginning', async () => {
    const repo = await started();
    rewriteTrail(repo, (text, index) => (index === 0 ? null : text), true);
    expect(await found(repo)).toEqual(['link 0', 'paths 0 a.txt']);
  });

  it('declared to be the first, so that what is below does not count', async () => {
    const repo = await started();
    rewriteTrail(repo, (text, index) =>
      index === 3 ? text.replace(/^Vedit-Head: .*$/m, `$&\nVedit-Line: 2`) : text,
    );
    expect(await found(repo)).toContain('link 3');
  });

  it('dropped from the end', async () => {
    const repo = await started();
    const noted = repo.git('rev-parse', TRAIL);
    repo.git('update-ref', TRAIL, `${TRAIL}~1`);
    expect(await found(repo, noted)).toEqual(['expected', 'changed b.txt']);
  });

  it('inserted by hand, at the end and in the middle', async () => {
    const repo = await started();
    const tree = repo.git('rev-parse', `${TRAIL}^{tree}`);
    repo.git('update-ref', TRAIL, repo.git('commit-tree', '-p', TRAIL, '-m', 'mine', tree));
    expect(await found(repo)).toEqual(['foreign 7']);
    await (await repo.session()).edit('create', { path: 'n.txt', file_text: 'n\n' });
    expect((await found(repo))[0]).toBe('foreign 7');
  });

  it('inserted under a false name', async () => {
    const repo = await started();
    const text = commitText(repo, TRAIL);
    const forged = text
      .replace(/^tree .*$/m, `tree ${repo.git('rev-parse', 'main^{tree}')}`)
      .replace(/^parent .*$/m, `parent ${repo.git('rev-parse', TRAIL)}`);
    repo.git('update-ref', TRAIL, storeCommit(repo, forged));
    expect(await found(repo)).toEqual(['paths 7 a.txt', 'paths 7 b.txt', 'changed a.txt']);
  });

  it.each([
    ['a path', 0, /^Vedit-Path: .*$/m, 'Vedit-Path: c.txt', ['paths 0 a.txt', 'paths 0 c.txt']],
    ['a path more', 0, /^Vedit-Path: .*$/m, 'Vedit-Path: a.txt\nVedit-Path: c.txt', ['paths 0 c.txt']],
    ['the counts', 3, /\(\+2 -1\)/, '(+1 -1)', ['lines 3']],
    ['HEAD', 2, /^Vedit-Head: .*$/m, `Vedit-Head: ${'1'.repeat(40)}`, ['link 2', 'names 2', 'link 3']],
    ['that anything is undone', 4, /^Vedit-Undoes: .*\n/m, '', ['back 4']],
    ['what is undone', 4, /^Vedit-Undoes: .*$/m, `Vedit-Undoes: ${'2'.repeat(40)}`, ['names 4']],
    ['what is restored', 6, /^Vedit-Restores: .*$/m, `Vedit-Restores: ${'3'.repeat(40)}`, ['names 6']],
    ['the base', 0, /^Vedit-Op: /m, `Vedit-Base: ${'4'.repeat(40)}\nVedit-Op: `, ['names 0']],
    ['the operation', 0, /^Vedit-Op: .*$/m, 'Vedit-Op: head', ['link 0']],
    ['all trailers', 1, /^Vedit-Op: .*\n/m, '', ['foreign 1', 'link 2', 'back 6 b.txt']],
  ] as const)('a trailer edited: %s', async (_, at, from, to, expected) => {
    const repo = await started();
    rewriteTrail(repo, (text, index) => (index === at ? text.replace(from, to) : text), true);
    expect(await found(repo)).toEqual(expected);
  });

  it('an undo that names another edit, a rollback that goes elsewhere', async () => {
    const repo = await started();
    const [first, second] = trailCommits(repo);
    rewriteTrail(repo, (text, index) => {
      if (index === 4) return text.replace(/^Vedit-Undoes: .*$/m, `Vedit-Undoes: ${first}`);
      return index === 6 ? text.replace(/^Vedit-Restores: .*$/m, `Vedit-Restores: ${second}`) : text;
    });
    expect(await found(repo)).toEqual(['back 4 a.txt', 'back 6 b.txt']);
  });

  it.each([
    ['one line', 'TWO', ['back a.txt']],
    ['a line that somebody typed, which may stay', 'typed', []],
  ])('a rollback that leaves %s standing', async (_, line, expected) => {
    const repo = personRepo({ 'a.txt': 'one\ntwo\nthree\nfour\nfive\n' });
    const session = await repo.session();
    const change = (old_str: string, new_str: string) =>
      session.edit('str_replace', { path: 'a.txt', old_str, new_str });
    const { data } = await change('five', 'FIVE');
    await change('two', 'TWO');
    repo.write('a.txt', `typed\n${repo.read('a.txt')}`);
    await change('four', 'FOUR');
    await session.rollback(data.commit!);
    expect((await verified(repo)).faults).toEqual([]);
    const text = line === 'TWO' ? repo.read('a.txt').replace('two', 'TWO') : repo.read('a.txt');
    expect(text).toContain(line);
    const blob = repo.pipe(text, 'hash-object', '-w', '--stdin').toString().trim();
    const tree = repo.pipe(`100644 blob ${blob}\ta.txt\n`, 'mktree').toString().trim();
    const forged = commitText(repo, TRAIL).replace(/^tree .*$/m, `tree ${tree}`);
    repo.git('update-ref', TRAIL, storeCommit(repo, forged));
    expect((await verified(repo)).faults.map(({ kind, path }) => `${kind} ${path}`)).toEqual(expected);
  });

  it('a sync that brings what nobody had', async () => {
    const repo = await started();
    repo.write('c.txt', 'committed\n');
    repo.git('commit', '-qm', 'hand', 'c.txt');
    await (await repo.session()).edit('create', { path: 'n.txt', file_text: 'n\n' });
    const [sync, edit] = [commitText(repo, `${TRAIL}~1`), commitText(repo, TRAIL)];
    const blob = repo.pipe('slipped in\n', 'hash-object', '-w', '--stdin').toString().trim();
    const tree = repo.git('ls-tree', `${TRAIL}~1`).replace(/blob \w+\tc\.txt/, `blob ${blob}\tc.txt`);
    const forged = repo.pipe(`${tree}\n`, 'mktree').toString().trim();
    const below = storeCommit(repo, sync.replace(/^tree .*$/m, `tree ${forged}`));
    repo.git('update-ref', TRAIL, storeCommit(repo, edit.replace(/^parent .*$/m, `parent ${below}`)));
    const kinds = (await verified(repo)).faults.map(({ kind, path }) => `${kind} ${path}`);
    expect(kinds).toEqual(['head c.txt', 'paths c.txt']);
  });
});

describe('an object that was damaged', () => {
  it.each([
    ['the blob of an edit', 'main..:b.txt', ['unreadable 1 b.txt', 'unreadable 6 b.txt']],
    ['a tree', '^{tree}', ['unreadable 1', 'unreadable 2']],
  ])('%s', async (_, what, expected) => {
    const repo = await started();
    const commit = trailCommits(repo)[1]!;
    damageObject(repo, repo.git('rev-parse', what.startsWith('^') ? commit + what : `${commit}:b.txt`));
    expect((await found(repo)).slice(0, 2)).toEqual(expected);
  });

  it('a commit: what is below cannot be reached, and it is named', async () => {
    const repo = await started();
    const commits = trailCommits(repo);
    rmSync(objectPath(repo, commits[2]!));
    const { faults } = await verified(repo);
    expect(faults[0]).toMatchObject({ kind: 'unreadable', commit: commits[3] });
    expect(faults[0]!.message).toContain(commits[2]);
  });

  it('the newest commit, or the ref itself', async () => {
    const repo = await started();
    writeFileSync(repo.path('.git', TRAIL), 'nonsense\n');
    expect((await verified(repo)).faults).toMatchObject([{ kind: 'unreadable', commit: null }]);
  });

  it('is found although this process remembers it', async () => {
    const repo = await started();
    const workspace = await repo.open();
    expect((await workspace.verify()).data.sound).toBe(true);
    await workspace.session().log();
    damageObject(repo, repo.git('rev-parse', `${TRAIL}~2`));
    expect((await workspace.verify()).data.faults[0]).toMatchObject({ kind: 'unreadable' });
  });
});

describe('files', () => {
  it('changed, deleted, made again, and one in the place of a folder', async () => {
    const repo = await started();
    const session = await repo.session();
    await session.edit('delete', { path: 'c.txt' });
    await session.edit('create', { path: 'd/e.txt', file_text: 'e\n' });
    repo.write('a.txt', 'changed\n');
    rmSync(repo.path('b.txt'));
    repo.write('c.txt', 'c\n');
    rmSync(repo.path('d'), { recursive: true });
    repo.write('d', 'now a file\n');
    expect(await found(repo)).toEqual(['changed a.txt', 'changed b.txt', 'changed c.txt', 'changed d/e.txt']);
  });

  it('a folder where a file was deleted is no fault', async () => {
    const repo = await started();
    const session = await repo.session();
    await session.edit('delete', { path: 'c.txt' });
    await session.edit('create', { path: 'c.txt/inner.txt', file_text: 'x\n' });
    expect(await found(repo)).toEqual([]);
  });
});

describe('what may be expected', () => {
  it('is the id of a commit', async () => {
    const repo = await started();
    const workspace = await repo.open();
    expect(await codeOf(workspace.verify({ expect: ['main'] }))).toBe('INVALID_INPUT');
  });
});
