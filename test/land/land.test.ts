import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ADA, dirty, edited, git, hook, LINES } from '../helpers/landing.ts';
import { codeOf, filesEqual, personRepo } from '../helpers/person-repo.ts';

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
      '- Louder. (a.txt)',
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
    expect(repo.git('reflog', '-1', '--format=%gs', 'main')).toBe(
      'commit: 3 edits by 2 agents: a.txt, src/new.txt',
    );
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
    const { data } = await (await repo.open()).land({ dryRun: true, git });
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
      coAuthors: ['Bea <bea@example.com>'],
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
    expect(message).toMatch(/^Fix\.\n\nAssisted-by: claude:m1\n/);
    expect(message).not.toMatch(/linus|eve/i);
  });

  it.each([
    [{ message: ' \n' }],
    [{ coAuthors: ['Bea'] }],
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
      data: { conflicts: [{ path: 'a.txt', below: [{ commit: first, session: 's1' }] }] },
    });
    expect(repo.git('log', '--format=%s', '-1')).toBe('start');
    await workspace.land({ git, commits: [first, '@'] });
    expect(repo.git('show', 'HEAD:a.txt')).toBe(LINES.replace('one', 'ONE!').trimEnd());
  });

  it('names an agent that a commit from elsewhere calls by a control character without that', async () => {
    const repo = await edited();
    const raw = repo
      .git('cat-file', 'commit', 'vedit/main')
      .replace(/Vedit-Agent: \w+/, 'Vedit-Agent: ev\u0007il');
    const commit = repo.pipe(`${raw}\n`, 'hash-object', '-t', 'commit', '-w', '--stdin').toString().trim();
    repo.git('update-ref', 'refs/vedit/main', commit);
    await (await repo.open()).land({ git });
    expect(repo.git('log', '--format=%(trailers:key=Assisted-by,valueonly)', '-1')).toContain('ev il');
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

  it('and names nobody whose edit was taken back', async () => {
    const repo = personRepo({ 'a.txt': LINES });
    const good = await repo.session('good');
    const wrong = (await repo.open()).session({ id: 'wrong', agent: 'WRONG', model: 'MW' });
    await good.edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: 'ONE' });
    await wrong.edit('str_replace', { path: 'a.txt', old_str: 'seven', new_str: 'SEVEN' });
    await wrong.undo();
    const workspace = await repo.open();
    await workspace.land({ git });
    const message = repo.git('log', '--format=%B', '-1');
    expect(message).toMatch(/^str_replace a.txt/);
    expect(message).toContain('Vedit-Session: good');
    expect(message).not.toMatch(/wrong|MW/i);
    expect(await codeOf(workspace.land({ git }))).toBe('NO_CHANGE');
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
