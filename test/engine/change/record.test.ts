import { chmodSync, existsSync, rmSync, statSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { initRepository, memoryFs, openWorkspace, type WorkspaceEvent } from '../../../src/index.ts';
import { Branches } from '../../helpers/branches.ts';
import { codeOf, ownRepo, type Place, personRepo } from '../../helpers/person-repo.ts';

const subjects = (repo: Place, trail = 'vedit/main'): string[] =>
  repo.git('log', '--format=%s', trail).split('\n');

describe('record', () => {
  it('makes an edit of the session of what is in a file, and touches no file', async () => {
    const repo = personRepo({ 'a.txt': 'one\ntwo\n' });
    repo.write('a.txt', 'one\nTWO\n');
    const { ino, mtimeNs } = statSync(repo.path('a.txt'), { bigint: true });
    const session = await repo.session();
    const { message, data } = await session.record(['a.txt'], { op: 'Edit', callId: 't1', reason: 'why' });
    expect(message).toMatch(
      /^Edit done, commit .*\nedited a\.txt \(\+1 -1\), version [0-9a-f]{12}\na\.txt now:\n/,
    );
    expect(data.outside).toBeUndefined();
    expect(`${repo.git('diff', '--full-index', 'HEAD', 'vedit/main').replace(/^index .*\n/m, '')}\n`).toBe(
      data.diff,
    );
    expect(repo.git('log', '-1', '--format=%an|%s|%b', 'vedit/main')).toMatch(
      /^claude\|why \(a\.txt\)\|Vedit-Op: Edit\nVedit-Path: a\.txt\n(?:.*\n)*Vedit-Session: s1\n(?:.*\n)*Vedit-Call: t1/,
    );
    expect(statSync(repo.path('a.txt'), { bigint: true })).toMatchObject({ ino, mtimeNs });
    expect(repo.git('status', '--porcelain')).toBe(' M a.txt');
    expect((await (await repo.open()).verify()).data.faults).toEqual([]);
    expect(repo.git('fsck', '--strict')).toBe('');
  });

  it('records what was changed before as outside, and the edit after it alone', async () => {
    const repo = personRepo({ 'a.txt': 'one\ntwo\n' });
    const events: WorkspaceEvent[] = [];
    const session = await repo.session('s1', { onEvent: event => events.push(event) });
    repo.write('a.txt', 'ONE\ntwo\n');
    const before = await session.record(['a.txt'], { outside: true });
    repo.write('a.txt', 'ONE\nTWO\n');
    const after = await session.record(['a.txt']);
    expect(subjects(repo)).toEqual(['record a.txt (+1 -1)', 'outside a.txt', 'start']);
    expect(after.data.parent).toBe(before.data.commit);
    expect(before.data).toMatchObject({
      op: 'outside',
      subject: 'outside a.txt',
      paths: [{ added: 1, removed: 1 }],
    });
    expect(repo.git('show', '--format=', 'vedit/main')).toMatch(/ ONE\n-two\n\+TWO$/);
    expect(events.map(event => event.kind)).toEqual(['outside', 'edit']);
    await session.undo();
    expect(repo.read('a.txt')).toBe('ONE\ntwo\n');
    expect(await codeOf(session.undo())).toBe('NO_CHANGE');
  });

  it('records new files, deleted files, modes and several paths as one edit', async () => {
    const repo = personRepo({ 'a.txt': 'a\n', 'b.sh': 'b\n', 'same.txt': 'same\n' });
    repo.write('new/c.txt', 'c\n');
    unlinkSync(repo.path('a.txt'));
    chmodSync(repo.path('b.sh'), 0o755);
    const session = await repo.session();
    const { data } = await session.record(['a.txt', './b.sh', 'new/c.txt', 'same.txt', repo.path('b.sh')]);
    expect(data.paths.map(({ path, kind }) => `${kind} ${path}`)).toEqual([
      'delete a.txt',
      'modify b.sh',
      'create new/c.txt',
    ]);
    expect(
      repo
        .git('diff', '--summary', 'HEAD', 'vedit/main')
        .split('\n')
        .map(line => line.trim()),
    ).toEqual([
      'delete mode 100644 a.txt',
      'mode change 100644 => 100755 b.sh',
      'create mode 100644 new/c.txt',
    ]);
    await session.undo();
    expect([repo.read('a.txt'), statSync(repo.path('b.sh')).mode & 0o111]).toEqual(['a\n', 0]);
    expect(repo.git('status', '--porcelain')).toBe('');
    await session.redo();
    expect(repo.read('new/c.txt')).toBe('c\n');
  });

  it('keeps the index in step where the trail is the branch', async () => {
    const repo = ownRepo({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    repo.write('a.txt', 'A\n');
    repo.write('b.txt', 'staged\n');
    repo.git('add', 'b.txt');
    repo.write('b.txt', 'later\n');
    const session = await repo.session();
    await session.record(['a.txt', 'b.txt'], { op: 'Write' });
    expect(subjects(repo, 'main')).toEqual([
      'Write 2 files (+2 -2)',
      'outside b.txt',
      'staged b.txt',
      'start',
    ]);
    expect(repo.git('status', '--porcelain')).toBe('');
    repo.write('a.txt', 'AA\n');
    await session.record(['a.txt'], { outside: true });
    expect(repo.git('status', '--porcelain')).toBe('');
    expect((await (await repo.open()).verify()).data.faults).toEqual([]);
  });

  it('records what git would: line ends are converted', async () => {
    const repo = personRepo({ '.gitattributes': '*.txt text eol=crlf\n', 'a.txt': 'one\r\ntwo\r\n' });
    repo.write('a.txt', 'one\r\nTWO\r\n');
    const session = await repo.session();
    const { data } = await session.record(['a.txt']);
    expect(data.diff).toContain('-two\r\n+TWO\r\n');
    expect(data.paths[0]).toMatchObject({ added: 1, removed: 1 });
    expect(repo.git('diff', '--stat', 'vedit/main')).toBe('');
    await session.undo();
    expect(repo.read('a.txt')).toBe('one\r\ntwo\r\n');
  });

  it('records bytes that are no text', async () => {
    const repo = personRepo({ 'a.bin': 'a\0' });
    repo.write('a.bin', new Uint8Array([0, 255, 1]));
    const session = await repo.session();
    expect((await session.record(['a.bin'])).data.diff).toContain('Binary files');
    expect(repo.git('diff', '--stat', 'vedit/main')).toBe('');
  });

  it('answers a dry run, and a repeated edit_id, without doing anything', async () => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    repo.write('a.txt', 'A\n');
    const session = await repo.session();
    expect((await session.record(['a.txt'], { dryRun: true })).data.commit).toBe(null);
    const first = await session.record(['a.txt'], { editId: 'e1' });
    const again = await session.record(['a.txt'], { editId: 'e1' });
    expect(again.data).toMatchObject({ commit: first.data.commit, repeated: true });
  });

  it('takes in HEAD that moved first', async () => {
    const repo = personRepo({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    const session = await repo.session();
    await session.edit('str_replace', { path: 'b.txt', old_str: 'b', new_str: 'B' });
    repo.git('commit', '-qm', 'by hand', '--allow-empty');
    repo.write('a.txt', 'A\n');
    await session.record(['a.txt']);
    expect(subjects(repo).slice(0, 2)).toEqual([
      'record a.txt (+1 -1)',
      expect.stringMatching(/^your commit /),
    ]);
  });
});

const REFUSED: ReadonlyArray<{ what: string; code: string; paths: string[]; op?: string }> = [
  { what: 'what is as recorded', code: 'NO_CHANGE', paths: ['a.txt'] },
  { what: 'what is nowhere', code: 'NO_CHANGE', paths: ['none.txt'] },
  { what: 'no path', code: 'NO_CHANGE', paths: [] },
  { what: 'a path that leads out', code: 'OUTSIDE_WORKSPACE', paths: ['../x.txt'] },
  { what: 'a file of git', code: 'PROTECTED_PATH', paths: ['.git/config'] },
  { what: 'an ignored file', code: 'IGNORED_PATH', paths: ['secret.env'] },
  { what: 'one of several', code: 'IGNORED_PATH', paths: ['new.txt', 'secret.env'] },
  { what: 'a folder', code: 'IS_DIRECTORY', paths: ['folder'] },
  { what: 'a link that leads out', code: 'OUTSIDE_WORKSPACE', paths: ['link'] },
  { what: 'a file that a filter rewrites', code: 'FILTERED_PATH', paths: ['big.lfs'] },
  { what: 'the name of an edit', code: 'INVALID_INPUT', paths: ['new.txt'], op: 'str_replace' },
  { what: 'the name of a way back', code: 'INVALID_INPUT', paths: ['new.txt'], op: 'undo' },
  { what: 'a name that is none', code: 'INVALID_INPUT', paths: ['new.txt'], op: 'a b' },
];

const NAMES = ['a.txt', 'crlf.win', 'new.txt'] as const;
const TEXTS = ['', 'one\n', 'one\ntwo\n', 'one\r\ntwo\r\n', 'TWO\r\nthree\n', 'no end'] as const;

/** What somebody does to a file, and for whom it is recorded then. */
const deeds = fc.array(
  fc.record({
    name: fc.constantFrom(...NAMES),
    text: fc.option(fc.constantFrom(...TEXTS)),
    executable: fc.boolean(),
    outside: fc.boolean(),
    recorded: fc.boolean(),
  }),
  { minLength: 1, maxLength: 4 },
);

describe.each([
  ['beside a branch', personRepo, 'vedit/main'],
  ['on a branch', ownRepo, 'main'],
])('record, on a trail %s', (_, make, trail) => {
  it('holds what git would record of the files, in a history that is sound', async () => {
    const branches = new Branches('recorded');
    await fc.assert(
      fc.asyncProperty(deeds, async list => {
        const repo = make({
          '.gitattributes': '*.win text eol=crlf\n',
          'a.txt': 'one\n',
          'crlf.win': 'one\r\n',
        });
        const session = await repo.session();
        for (const { name, text, executable, outside, recorded } of list) {
          rmSync(repo.path(name), { force: true });
          if (text !== null) writeFileSync(repo.path(name), text, { mode: executable ? 0o755 : 0o644 });
          if (!recorded) continue;
          expect(await codeOf(session.record([name], { outside }))).toBeOneOf([null, 'NO_CHANGE']);
          expect(onDisk(repo, name)).toBe(text);
          const told = repo.git('for-each-ref', '--format=%(refname:short)').split('\n');
          if (!told.includes(trail)) continue;
          branches.ran('recorded');
          expect(recordedIn(repo, trail, name)).toBe(asGitWould(repo, name, executable));
        }
        expect((await (await repo.open()).verify()).data.faults).toEqual([]);
      }),
      { numRuns: 8 },
    );
    branches.expectAll();
  });
});

/** As git lists it: mode and blob. */
function recordedIn(repo: Place, trail: string, name: string): string {
  return repo.git('ls-tree', '--format=%(objectmode) %(objectname)', trail, '--', name);
}

function asGitWould(repo: Place, name: string, executable: boolean): string {
  if (!existsSync(repo.path(name))) return '';
  return `${executable ? '100755' : '100644'} ${repo.git('hash-object', '--path', name, name)}`;
}

function onDisk(repo: Place, name: string): string | null {
  return existsSync(repo.path(name)) ? repo.read(name) : null;
}

describe('record refuses', () => {
  it.each(REFUSED)('$what', async ({ code, paths, op }) => {
    const repo = personRepo({
      'a.txt': 'a\n',
      '.gitignore': '*.env\n',
      '.gitattributes': '*.lfs filter=lfs\n',
    });
    for (const path of ['secret.env', 'big.lfs', 'folder/x', 'new.txt']) repo.write(path, 'new\n');
    symlinkSync('/etc/passwd', repo.path('link'));
    const session = await repo.session();
    expect(await codeOf(session.record(paths, { op }))).toBe(code);
    expect(repo.git('for-each-ref', 'refs/vedit')).toBe('');
  });

  it('an ignored file below the folder of the workspace, by its own path', async () => {
    const repo = personRepo({ '.gitignore': '/sub/secret.txt\n', 'sub/a.txt': 'a\n' });
    repo.write('sub/secret.txt', 's\n');
    const session = (await openWorkspace({ root: repo.path('sub') })).session();
    expect(await codeOf(session.record(['secret.txt']))).toBe('IGNORED_PATH');
    const edit = { path: 'secret.txt', file_text: 'x', overwrite: true };
    expect(await codeOf(session.edit('create', edit))).toBe('IGNORED_PATH');
  });

  it('where files live in the history alone', async () => {
    const fs = memoryFs();
    await initRepository({ root: '/bare', fs, bare: true });
    const session = (await openWorkspace({ root: '/bare', fs })).session();
    expect(await codeOf(session.record(['a.txt']))).toBe('INVALID_INPUT');
  });

  it('changes of others, where the workspace refuses those', async () => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    repo.write('a.txt', 'A\n');
    const session = await repo.session('s1', { outside: 'refuse' });
    expect(await codeOf(session.record(['a.txt'], { outside: true }))).toBe('STALE');
    expect(await codeOf(session.record(['a.txt']))).toBe(null);
  });
});
