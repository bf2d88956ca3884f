import { chmodSync, existsSync } from 'node:fs';
import { memfs } from 'memfs';
import { describe, expect, it } from 'vitest';
import { initRepository, openWorkspace } from '../../src/index.ts';
import { repository } from '../git/real-git.ts';
import { ADA, dirty, git, hook, three } from './landing.ts';
import { codeOf, filesEqual, ownRepo, type Place, personRepo, place } from './person-repo.ts';

const LINES = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n';

/** Two edits of one session, one of another. */
async function edited(repo: Place = personRepo({ 'a.txt': LINES, 'b.txt': LINES })): Promise<Place> {
  const first = await repo.session('s1');
  const second = await (await repo.open()).session({ id: 's2', agent: 'gpt' });
  await first.edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: 'ONE', reason: 'Louder.' });
  await second.edit('str_replace', { path: 'a.txt', old_str: 'seven', new_str: 'SEVEN' });
  await first.edit('create', { path: 'src/new.txt', file_text: 'new\n' });
  return repo;
}

describe('land', () => {
  it('makes one commit of the user, through the real git, and leaves the files alone', async () => {
    const repo = await edited();
    const workspace = await repo.open();
    const parent = repo.git('rev-parse', 'HEAD');
    const { data, message } = await workspace.land({ git });
    expect(data).toMatchObject({
      commit: repo.git('rev-parse', 'main'),
      parent,
      onto: 'main',
      hooks: true,
      left: 0,
    });
    expect(data.sessions).toEqual(['s1', 's2']);
    expect(data.paths.map(one => `${one.kind} ${one.path}`)).toEqual(['modify a.txt', 'create src/new.txt']);
    expect(message).toContain('3 edits landed on main');
    expect(repo.git('log', '--format=%an <%ae>|%cn|%P', '-1')).toBe(`Ada <ada@example.com>|Ada|${parent}`);
    expect(repo.git('log', '--format=%B', '-1').split('\n')).toEqual([
      '3 edits by 2 agents: a.txt, src/new.txt',
      '',
      '- str_replace a.txt (+1 -1): Louder.',
      '- str_replace a.txt (+1 -1)',
      '- create src/new.txt (+1 -0)',
      '',
      'Assisted-by: claude:m1',
      'Assisted-by: gpt',
      'Vedit-Session: s1',
      'Vedit-Session: s2',
      `Vedit-Lands: ${parent}..${repo.git('rev-parse', 'vedit/main')}`,
      '',
    ]);
    expect(repo.git('log', '-1', '--format=%(trailers:key=Assisted-by,valueonly)').split('\n')[0]).toBe(
      'claude:m1',
    );
    expect(repo.git('shortlog', '-s', '--group=trailer:assisted-by', 'HEAD').trim()).toMatch(/claude:m1/);
    expect(dirty(repo)).toEqual([]);
    expect(filesEqual(repo, 'HEAD')).toBe(true);
    expect(repo.git('fsck', '--strict')).toBe('');
    expect(await codeOf(workspace.land({ git }))).toBe('NO_CHANGE');
  });

  it('does the same without git, and says that hooks did not run', async () => {
    const repo = await edited();
    hook(repo, 'pre-commit', 'exit 1');
    repo.git('config', 'commit.gpgSign', 'true');
    const workspace = await repo.open({ user: ADA });
    const { data } = await workspace.land();
    expect(data).toMatchObject({ commit: repo.git('rev-parse', 'main'), hooks: false, signed: false });
    expect(data.notes).toEqual(['Hooks did not run, and the commit is not signed: there is no git here.']);
    expect(repo.git('log', '--format=%an <%ae>|%cn', '-1')).toBe('Ada <ada@example.com>|Ada');
    expect(repo.git('reflog', '-1', '--format=%gs', 'main')).toBe('vedit: land');
    expect(dirty(repo)).toEqual([]);
    expect(repo.git('fsck', '--strict')).toBe('');
    expect(await codeOf((await repo.open()).land())).toBe('NO_CHANGE');
  });

  it('needs to know whose commit it is', async () => {
    const repo = await edited();
    expect(await codeOf((await repo.open()).land())).toBe('INVALID_INPUT');
    expect(repo.git('log', '--format=%s', '-1')).toBe('start');
  });

  it('answers a dry run with all of it, and writes nothing', async () => {
    const repo = await edited();
    const before = repo.git('count-objects', '-v');
    const { data } = await (await repo.open()).land({ dry_run: true, git });
    expect(data).toMatchObject({ dry_run: true, commit: null, commits: [{ commit: null }] });
    expect(data.commits[0]!.message).toMatch(/^3 edits by 2 agents: /);
    expect(data.diff).toContain('+ONE');
    expect(repo.git('count-objects', '-v')).toBe(before);
    expect(repo.git('log', '--format=%s', '-1')).toBe('start');
  });

  it('takes a message, and co-authors only when asked for', async () => {
    const repo = await edited();
    const workspace = await repo.open();
    await workspace.land({
      git,
      message: 'Shout\n\nMore words.\n\nRefs: #12',
      co_authors: ['Bea <bea@example.com>'],
    });
    const [subject, , body, , ...trailers] = repo.git('log', '--format=%B', '-1').split('\n');
    expect([subject, body]).toEqual(['Shout', 'More words.']);
    expect(trailers.slice(0, 3)).toEqual([
      'Refs: #12',
      'Co-authored-by: Bea <bea@example.com>',
      'Assisted-by: claude:m1',
    ]);
  });

  it('lets no agent sign, or name people', async () => {
    const repo = personRepo({ 'a.txt': LINES });
    const reason = 'Fix.\n\nSigned-off-by: Linus <linus@example.com>\nCo-authored-by: Eve <eve@example.com>';
    await (await repo.session()).edit('str_replace', {
      path: 'a.txt',
      old_str: 'one',
      new_str: 'ONE',
      reason,
    });
    await (await repo.open()).land({ git });
    const message = repo.git('log', '--format=%B', '-1');
    expect(message).toMatch(/^Fix\.\n\nstr_replace a\.txt \(\+1 -1\)\n\nAssisted-by: claude:m1\n/);
    expect(message).not.toMatch(/linus|eve/i);
  });

  it.each([
    [{ message: ' \n' }],
    [{ co_authors: ['Bea'] }],
    [{ message: 'x', each: true }],
    [{ onto: 'no such' }],
    [{ onto: 'missing' }],
    [{ commits: ['main'] }],
    [{ commits: ['main..other'] }],
  ])('refuses %j', async options => {
    const repo = await edited();
    expect(await codeOf((await repo.open()).land({ git, ...options }))).toBe('INVALID_INPUT');
  });
});

describe('what is landed', () => {
  it('a session alone, by merge where others edited the same file', async () => {
    const repo = await edited();
    const { data } = await (await repo.open()).land({ git, session: 's2' });
    expect(repo.git('show', 'HEAD:a.txt')).toBe(LINES.replace('seven', 'SEVEN').trimEnd());
    expect(data).toMatchObject({ left: 2, sessions: ['s2'] });
    expect(dirty(repo)).toEqual([' M a.txt']);
    await (await repo.open()).land({ git });
    expect(filesEqual(repo, 'HEAD')).toBe(true);
  });

  it('single edits and rows of them', async () => {
    const repo = await edited();
    const [first, second, third] = repo.git('rev-list', '--reverse', 'main..vedit/main').split('\n');
    await (await repo.open()).land({ git, commits: [third!.slice(0, 10)] });
    expect(repo.git('show', '--format=', '--name-only', 'HEAD')).toBe('src/new.txt');
    await (await repo.open()).land({ git, commits: [`${first}..`] });
    expect(repo.git('log', '-1', '--format=%(trailers:key=Vedit-Lands,valueonly)').trim()).toBe(second);
    expect(await codeOf((await repo.open()).land({ git, commits: [second!] }))).toBe('NO_CHANGE');
    await (await repo.open()).land({ git, commits: [`..${first}`] });
    expect(filesEqual(repo, 'HEAD')).toBe(true);
  });

  it('not what builds on text that stays behind: it says on which', async () => {
    const repo = await edited();
    const first = repo.git('rev-parse', 'vedit/main~2');
    const session = await repo.session('s3');
    await session.edit('str_replace', { path: 'a.txt', old_str: 'ONE', new_str: 'ONE!' });
    const workspace = await repo.open();
    const call = workspace.land({ git, session: 's3' });
    await expect(call).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining(first.slice(0, 12)),
      data: { conflicts: [{ path: 'a.txt', below: [{ commit: first, session: 's1' }, { session: 's2' }] }] },
    });
    expect(repo.git('log', '--format=%s', '-1')).toBe('start');
    await workspace.land({ git, commits: [first, '@'] });
    expect(repo.git('show', 'HEAD:a.txt')).toBe(LINES.replace('one', 'ONE!').trimEnd());
  });

  it('each edit as a commit of its own, without those that were taken back', async () => {
    const repo = await edited();
    const session = await repo.session('s1');
    await session.edit('str_replace', { path: 'b.txt', old_str: 'two', new_str: 'TWO' });
    await session.undo();
    const { data } = await (await repo.open()).land({ git, each: true });
    expect(data.commits.length).toBe(3);
    const log = repo.git('log', '--reverse', '--format=%s|%at', 'HEAD~3..HEAD').split('\n');
    const times = repo.git('log', '--reverse', '--format=%ct', 'main~3..vedit/main~2').split('\n');
    expect(log).toEqual(
      ['Louder.', 'str_replace a.txt (+1 -1)', 'create src/new.txt (+1 -0)'].map(
        (subject, index) => `${subject}|${times[index]}`,
      ),
    );
    expect(filesEqual(repo, 'HEAD')).toBe(true);
    expect(await codeOf((await repo.open()).land({ git }))).toBe('NO_CHANGE');
  });

  it('an undo of what landed before', async () => {
    const repo = await edited();
    const workspace = await repo.open();
    await workspace.land({ git });
    const session = await repo.session('s1');
    await session.undo();
    const { data } = await workspace.land({ git });
    expect(data.paths).toMatchObject([{ path: 'src/new.txt', kind: 'delete' }]);
    expect(existsSync(repo.path('src/new.txt'))).toBe(false);
    expect(dirty(repo)).toEqual([]);
    await session.redo();
    await workspace.land({ git });
    expect(repo.git('show', 'HEAD:src/new.txt')).toBe('new');
  });

  it('nothing when all was taken back, or nothing was done', async () => {
    const repo = personRepo({ 'a.txt': LINES });
    const workspace = await repo.open();
    expect(await codeOf(workspace.land({ git }))).toBe('NO_CHANGE');
    const session = await repo.session();
    await session.edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: 'ONE' });
    await session.undo();
    expect(await codeOf(workspace.land({ git }))).toBe('NO_CHANGE');
  });
});

describe('the user’s own work', () => {
  it('stays unstaged, staged and untracked as it was', async () => {
    const repo = personRepo({ 'a.txt': LINES, 'b.txt': LINES, 'c.txt': 'c\n' });
    repo.write('b.txt', `${LINES}staged\n`);
    repo.git('add', 'b.txt');
    repo.write('b.txt', `${LINES}staged\nand more\n`);
    repo.write('c.txt', 'c by hand\n');
    repo.write('u.txt', 'untracked\n');
    await edited(repo);
    repo.write('a.txt', `${repo.read('a.txt')}by hand since\n`);
    await (await repo.open()).land({ git });
    expect(repo.git('show', '--format=', '--name-only', 'HEAD').split('\n')).toEqual([
      'a.txt',
      'src/new.txt',
    ]);
    expect(dirty(repo)).toEqual([' M a.txt', 'MM b.txt', ' M c.txt']);
    expect(three(repo, 'b.txt')).toEqual({
      head: LINES.trimEnd(),
      index: `${LINES}staged`,
      file: `${LINES}staged\nand more\n`,
    });
    expect(repo.git('diff', '--stat', 'HEAD', '--', 'a.txt')).toContain('1 insertion(+)');
    expect(repo.git('ls-files', '-o')).toBe('u.txt');
  });

  it('is left out of the commit where an edit was made beside it', async () => {
    const repo = personRepo({ 'a.txt': LINES });
    repo.write('a.txt', `${LINES}by hand\n`);
    await (await repo.session()).edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: 'ONE' });
    const { data } = await (await repo.open()).land({ git });
    expect(three(repo, 'a.txt')).toEqual({
      head: LINES.replace('one', 'ONE').trimEnd(),
      index: LINES.replace('one', 'ONE').trimEnd(),
      file: `${LINES.replace('one', 'ONE')}by hand\n`,
    });
    expect(data.outside).toEqual(['a.txt']);
    expect(data.notes).toEqual(['Changed outside the engine, and still uncommitted: a.txt.']);
    expect(dirty(repo)).toEqual([' M a.txt']);
  });

  it('is asked for where an edit changed it, and lands when allowed', async () => {
    const repo = personRepo({ 'a.txt': LINES });
    repo.write('a.txt', `${LINES}by hand\n`);
    await (await repo.session()).edit('str_replace', {
      path: 'a.txt',
      old_str: 'by hand',
      new_str: 'by two hands',
    });
    const workspace = await repo.open();
    await expect(workspace.land({ git })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('--with-outside'),
    });
    await workspace.land({ git, outside: true });
    expect(repo.git('show', 'HEAD:a.txt')).toBe(`${LINES}by two hands`);
    expect(dirty(repo)).toEqual([]);
  });

  it('staged in the same file stays staged, on top of what landed', async () => {
    const repo = personRepo({ 'a.txt': LINES });
    repo.write('a.txt', LINES.replace('four', 'four staged'));
    repo.git('add', 'a.txt');
    repo.write('a.txt', LINES);
    await (await repo.session()).edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: 'ONE' });
    await (await repo.open()).land({ git });
    const landed = LINES.replace('one', 'ONE');
    expect(three(repo, 'a.txt')).toEqual({
      head: landed.trimEnd(),
      index: landed.replace('four', 'four staged').trimEnd(),
      file: landed,
    });
  });

  it('staged in the same lines refuses the landing', async () => {
    const repo = personRepo({ 'a.txt': LINES });
    repo.write('a.txt', LINES.replace('one', 'staged'));
    repo.git('add', 'a.txt');
    repo.write('a.txt', LINES);
    await (await repo.session()).edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: 'ONE' });
    await expect((await repo.open()).land({ git })).rejects.toMatchObject({
      code: 'CONFLICT',
      data: { staged: true },
    });
    expect(three(repo, 'a.txt').index).toBe(LINES.replace('one', 'staged').trimEnd());
  });

  it('text of the agents that he staged, or meant to add, is not his own', async () => {
    const repo = personRepo({ 'a.txt': LINES });
    const session = await repo.session();
    await session.edit('create', { path: 'n.txt', file_text: 'first\n' });
    await session.edit('create', { path: 'm.txt', file_text: 'm\n' });
    await session.edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: 'ONE' });
    repo.git('add', 'n.txt', 'a.txt');
    repo.git('add', '-N', 'm.txt');
    await session.edit('create', { path: 'n.txt', file_text: 'second\n', overwrite: true });
    await session.edit('str_replace', { path: 'a.txt', old_str: 'ONE', new_str: 'ONE ONE' });
    await (await repo.open()).land({ git });
    expect(dirty(repo)).toEqual([]);
    expect(filesEqual(repo, 'HEAD')).toBe(true);
  });

  it('hidden in the second of the index is not forgotten', async () => {
    const repo = await edited(personRepo({ 'a.txt': LINES, 'b.txt': LINES, 'same.txt': 'abcd\n' }));
    repo.git('status');
    repo.write('same.txt', 'dcba\n');
    await (await repo.open()).land({ git });
    expect(dirty(repo)).toEqual([' M same.txt']);
  });

  it('in a merge that waits for him is not disturbed', async () => {
    const repo = await edited();
    repo.write('.git/MERGE_HEAD', `${repo.git('rev-parse', 'HEAD')}\n`);
    expect(await codeOf((await repo.open()).land({ git }))).toBe('CONFLICT');
  });
});

describe('hooks', () => {
  it('run, see what lands and nothing else, and may change it', async () => {
    const repo = await edited();
    repo.write('b.txt', 'not staged\n');
    hook(
      repo,
      'pre-commit',
      'git diff --cached --name-only > seen; git show :a.txt | tr a-z A-Z > up; cp up a.txt; git add a.txt',
    );
    hook(repo, 'commit-msg', 'echo "Checked-by: hook" >> "$1"');
    hook(repo, 'post-commit', 'git log -1 --format=%s > after');
    const { data } = await (await repo.open()).land({ git });
    expect(repo.read('seen')).toBe('a.txt\nsrc/new.txt\n');
    expect(repo.git('show', 'HEAD:a.txt')).toBe(LINES.toUpperCase().trimEnd());
    expect(data.changed_by_hooks).toEqual(['a.txt']);
    expect(data.commits[0]!.message).toContain('Checked-by: hook');
    expect(repo.read('after')).toBe('3 edits by 2 agents: a.txt, src/new.txt\n');
    expect(dirty(repo)).toEqual([' M b.txt']);
  });

  it.each(['pre-commit', 'commit-msg', 'prepare-commit-msg'])(
    '%s that says no changes nothing',
    async name => {
      const repo = await edited();
      const state = (): string[] => [
        repo.git('rev-parse', 'HEAD'),
        repo.git('ls-files', '-s'),
        repo.git('status', '--porcelain'),
      ];
      const before = state();
      hook(repo, name, 'echo "no secrets, please" >&2; exit 7');
      const call = (await repo.open()).land({ git });
      await expect(call).rejects.toMatchObject({
        code: 'GIT_REFUSED',
        message: expect.stringContaining('no secrets, please'),
        data: { output: expect.stringContaining('no secrets') },
      });
      expect(state()).toEqual(before);
      expect(existsSync(repo.path('.git/index.lock'))).toBe(false);
    },
  );

  it('that refuse the second of several commits take back the first', async () => {
    const repo = await edited();
    const before = [repo.git('rev-parse', 'HEAD'), repo.git('ls-files', '-s')];
    hook(repo, 'pre-commit', 'test ! -e .git/once || exit 1; touch .git/once');
    expect(await codeOf((await repo.open()).land({ git, each: true }))).toBe('GIT_REFUSED');
    expect([repo.git('rev-parse', 'HEAD'), repo.git('ls-files', '-s')]).toEqual(before);
  });

  it('see the branch that they run on, and can keep it from moving', async () => {
    const repo = await edited();
    hook(
      repo,
      'pre-commit',
      'git symbolic-ref --short HEAD > branch; git commit-tree -p HEAD -m other HEAD^{tree} > other; git update-ref refs/heads/main $(cat other)',
    );
    const call = (await repo.open()).land({ git });
    expect(await codeOf(call)).not.toBe(null);
    expect(repo.read('branch')).toBe('main\n');
    expect(repo.git('log', '--format=%s', '-1')).toBe('other');
    expect(existsSync(repo.path('.git/index.lock'))).toBe(false);
  });
});

describe('signing', () => {
  const signer = [
    '#!/bin/sh',
    'cat > /dev/null',
    'echo "[GNUPG:] SIG_CREATED D" >&2',
    'printf "%s\\n" "-----BEGIN PGP SIGNATURE-----" "" fake "-----END PGP SIGNATURE-----"',
  ];

  it('is git’s, also on a branch that is not checked out', async () => {
    const repo = await edited();
    repo.write('../signer', signer.join('\n'));
    chmodSync(repo.path('../signer'), 0o755);
    repo.git('config', 'gpg.program', repo.path('../signer'));
    repo.git('config', 'commit.gpgSign', 'true');
    repo.git('branch', 'other');
    const workspace = await repo.open();
    expect((await workspace.land({ git, onto: 'other' })).data).toMatchObject({ signed: true, hooks: false });
    expect((await workspace.land({ git, each: true })).data).toMatchObject({ signed: true, hooks: true });
    for (const branch of ['other', 'main', 'main~1']) {
      expect(repo.git('cat-file', 'commit', branch)).toMatch(/^gpgsig -----BEGIN PGP SIGNATURE-----$/m);
    }
  });

  it('that fails refuses the landing', async () => {
    const repo = await edited();
    repo.git('config', 'gpg.program', '/bin/false');
    repo.git('config', 'commit.gpgSign', 'true');
    repo.git('branch', 'other');
    const workspace = await repo.open();
    expect(await codeOf(workspace.land({ git }))).toBe('GIT_REFUSED');
    expect(await codeOf(workspace.land({ git, onto: 'other' }))).toBe('GIT_REFUSED');
    expect(repo.git('rev-parse', 'other')).toBe(repo.git('rev-parse', 'main'));
    expect(repo.git('log', '--format=%s', '-1')).toBe('start');
  });
});

describe('the branch', () => {
  it('may be another one, whose own text stays', async () => {
    const repo = personRepo({ 'a.txt': LINES, 'b.txt': LINES });
    repo.git('branch', 'release');
    repo.git('worktree', 'add', '-q', '../linked', 'release');
    repo.write('../linked/a.txt', LINES.replace('four', 'FOUR'));
    repo.git('-C', repo.path('../linked'), 'commit', '-qam', 'on release');
    repo.git('worktree', 'remove', '../linked');
    await edited(repo);
    const index = repo.git('ls-files', '-s');
    const { data } = await (await repo.open()).land({ git, onto: 'release' });
    expect(repo.git('show', 'release:a.txt')).toBe(
      LINES.replace('one', 'ONE').replace('four', 'FOUR').replace('seven', 'SEVEN').trimEnd(),
    );
    expect(repo.git('log', '--format=%an %s', '-2', 'release').split('\n')[1]).toContain('on release');
    expect(data.notes).toEqual(['Hooks did not run: release is not checked out.']);
    expect([repo.git('rev-parse', 'HEAD'), repo.git('ls-files', '-s')]).toEqual([
      data.parent && repo.git('rev-parse', 'main'),
      index,
    ]);
    expect(await codeOf((await repo.open()).land({ git, onto: 'release' }))).toBe('NO_CHANGE');
    expect((await (await repo.open()).land({ user: ADA, git } as object)).data.onto).toBe('main');
  });

  it('may not be checked out in another work tree', async () => {
    const repo = await edited();
    repo.git('worktree', 'add', '-q', '-b', 'other', '../linked', 'main');
    await expect((await repo.open()).land({ git, onto: 'other' })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('another work tree'),
    });
  });

  it('in a linked work tree is that work tree’s', async () => {
    const main = personRepo({ 'a.txt': LINES });
    main.git('worktree', 'add', '-q', '-b', 'topic', '../linked');
    const workspace = await main.open({ root: main.path('../linked') });
    await workspace
      .session({ id: 's' })
      .edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: 'ONE' });
    await workspace.land({ git });
    expect(main.git('show', 'topic:a.txt')).toBe(LINES.replace('one', 'ONE').trimEnd());
    expect(main.git('-C', main.path('../linked'), 'status', '--porcelain')).toBe('');
    expect(main.git('log', '--format=%s', '-1', 'main')).toBe('start');
  });

  it('may be a detached HEAD, or one without commits', async () => {
    const repo = personRepo({ 'a.txt': LINES });
    repo.git('checkout', '-q', '--detach');
    await (await repo.session()).edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: 'ONE' });
    expect((await (await repo.open()).land({ git })).data.onto).toBe('HEAD');
    expect(repo.git('log', '--format=%s', '-1', 'main')).toBe('start');
    repo.git('checkout', '-q', '--orphan', 'fresh');
    repo.git('rm', '-rq', '--cached', '.');
    await (await repo.session()).edit('create', { path: 'f.txt', file_text: 'f\n' });
    await (await repo.open()).land({ git });
    expect(repo.git('ls-tree', '--name-only', 'fresh')).toBe('f.txt');
    expect(repo.git('log', '--format=%P', 'fresh')).toBe('');
  });

  it('in a repository without commits and index gets the first', async () => {
    const repo = place(repository());
    await (await repo.session()).edit('create', { path: 'f.txt', file_text: 'f\n' });
    await (await repo.open()).land({ git });
    expect(repo.git('log', '--format=%P%s')).toBe('create f.txt (+1 -0)');
    expect(repo.git('status', '--porcelain')).toBe('');
  });

  it('in memory is committed by the engine: a git of the machine sees another disk', async () => {
    const { fs } = memfs();
    const root = '/repo';
    const options = { root, fs: fs as never };
    fs.mkdirSync(root);
    await initRepository(options);
    const workspace = await openWorkspace({ ...options, user: ADA });
    const session = workspace.session();
    const { data: first } = await session.edit('create', { path: 'a.txt', file_text: LINES });
    fs.writeFileSync('/repo/.git/refs/heads/clean', `${first.commit}\n`);
    await session.edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: 'ONE' });
    const { data } = await workspace.land({ onto: 'clean', git });
    expect(data).toMatchObject({ hooks: false, paths: [{ path: 'a.txt', kind: 'modify' }] });
    expect(String(fs.readFileSync('/repo/.git/refs/heads/clean'))).toBe(`${data.commit}\n`);
  });

  it('where the trail is the checked-out branch, is another one', async () => {
    const repo = ownRepo({ 'a.txt': LINES });
    repo.git('branch', 'clean');
    const session = await repo.session();
    await session.edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: 'ONE' });
    repo.write('m.txt', 'm\n');
    repo.git('add', 'm.txt');
    repo.git('commit', '-qm', 'by hand');
    await session.edit('str_replace', { path: 'a.txt', old_str: 'two', new_str: 'TWO' });
    const workspace = await repo.open();
    await expect(workspace.land({ git })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      data: { field: 'onto' },
    });
    await workspace.land({ git, onto: 'clean' });
    expect(repo.git('ls-tree', '--name-only', 'clean')).toBe('a.txt');
    expect(repo.git('show', 'clean:a.txt')).toBe(LINES.replace('one', 'ONE').replace('two', 'TWO').trimEnd());
    expect(await codeOf(workspace.land({ git, onto: 'clean' }))).toBe('NO_CHANGE');
  });
});
