/** Policies as an agent meets them: every way into history, and ten ways in which a repository tries to loosen them. */

import { chmodSync, mkdirSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemGit } from '../../../src/git/native/system-git.ts';
import { aMoment } from '../../helpers/agent-events.ts';
import { type Place, personRepo } from '../../helpers/person-repo.ts';
import { KEYS } from '../../text/key-forms.ts';

const FILES = { 'src/a.ts': 'one\n', 'infra/main.tf': 'a\n', 'secret/x.txt': 'hidden words\n' };

/** A file of the user's, outside the repository. */
function userPolicy(repo: Place, policy: object): string {
  const path = join(repo.dir, '..', `policy-${Math.random()}.json`);
  writeFileSync(path, JSON.stringify({ version: 1, ...policy }));
  return path;
}

const ruleOf = async (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'done',
    error => (error.code === 'DENIED' ? error.data.rule : error.code),
  );

const create = (path: string, text = 'x\n'): [string, object] => [
  'create',
  { path, file_text: text, overwrite: true },
];

describe('a rule', () => {
  it.each([
    [{ read_only: ['infra/'] }, create('infra/new.tf'), 'read_only'],
    [{ read_only: ['*.tf'] }, create('INFRA/NEW.TF'), 'read_only'],
    [{ read_only: ['infra/'] }, ['move', { path: 'infra/main.tf', new_path: 'src/main.tf' }], 'read_only'],
    [{ read_only: ['infra/'] }, ['delete', { path: 'infra/main.tf' }], 'read_only'],
    [{ read_only: ['infra/'] }, create('src/infra.ts'), 'done'],
    [{ allow: ['src/**'] }, create('docs/a.md'), 'allow'],
    [{ allow: ['src/**'] }, create('src/deep/a.md'), 'done'],
    [{ allow: [] }, create('src/a.ts'), 'allow'],
    [{ unreadable: ['secret/'] }, create('secret/x.txt'), 'unreadable'],
    [{ max_bytes: 10 }, create('a', 'x'.repeat(11)), 'max_bytes'],
    [{ max_bytes: 10 }, create('a', 'x'.repeat(10)), 'done'],
    [{ reason: true }, create('a'), 'reason'],
    [{ reason: true }, ['create', { path: 'a', file_text: 'a\n', reason: 'why' }], 'done'],
    [{ agents: ['fixer'] }, create('a'), 'agents'],
    [{ agents: ['claude'] }, create('a'), 'done'],
    [{ clients: ['cursor'] }, create('a'), 'clients'],
    [{}, create('.vedit/policy.json', '{"version":1}'), 'policy'],
  ] as Array<[object, [string, object], string]>)(
    '%j refuses %j: %s',
    async (policy, [name, input], rule) => {
      const repo = personRepo(FILES);
      const session = await repo.session('s1', { policyFiles: [userPolicy(repo, policy)] });
      expect(await ruleOf(session.edit(name, input))).toBe(rule);
    },
  );

  it('names itself and its policy, and no path of the host', async () => {
    const repo = personRepo(FILES);
    const session = await repo.session('s1', { policyFiles: [userPolicy(repo, { read_only: ['infra/'] })] });
    const error = await session.edit('delete', { path: 'infra/main.tf' }).catch(one => one);
    expect(error.message).toMatch(
      /infra\/main\.tf is read-only \(rule read_only of policy-[\d.]+\.json \(vedit\.policy\)\)/,
    );
    expect(error.message).not.toContain(join(repo.dir, '..'));
  });

  it('holds for undo, records of hooks and commands, and landings', async () => {
    const repo = personRepo(FILES);
    const git = systemGit(process.env);
    const before = await repo.session();
    await before.edit(...(create('infra/main.tf', 'b\n') as ['create', { path: string; file_text: string }]));
    await repo.close();
    const policyFiles = [userPolicy(repo, { read_only: ['infra/'] })];
    await using workspace = await repo.open({ policyFiles });
    const session = workspace.session({ id: 's1', agent: 'claude' });
    expect(await ruleOf(session.undo())).toBe('read_only');
    expect(await ruleOf(workspace.land({ message: 'x' }))).toBe('read_only');
    expect(await ruleOf(session.restore({ path: 'infra/main.tf', from: 'HEAD' }))).toBe('read_only');
    repo.write('infra/main.tf', 'c\n');
    expect(await ruleOf(session.record(['infra/main.tf']))).toBe('read_only');
    repo.write('src/a.ts', 'two\n');
    const { done } = await session.recordAll({ git, reason: 'a command' });
    expect(done!.paths.map(({ path }) => path)).toEqual(['src/a.ts']);
    expect(done!.notes).toEqual([expect.stringContaining('infra/main.tf is read-only')]);
  });

  it('keeps a file from every reader', async () => {
    const repo = personRepo(FILES);
    const free = await repo.session();
    await free.edit('str_replace', { path: 'secret/x.txt', old_str: 'hidden', new_str: 'HIDDEN' });
    await repo.close();
    const session = await repo.session('s2', {
      policyFiles: [userPolicy(repo, { unreadable: ['secret/'] })],
    });
    for (const path of ['secret/x.txt', './secret/x.txt']) {
      expect(await ruleOf(session.view({ path }))).toBe('unreadable');
      expect(await ruleOf(session.blame({ path }))).toBe('unreadable');
      expect(await ruleOf(session.view({ path, at: '@' }))).toBe('unreadable');
    }
    symlinkSync('secret/x.txt', repo.path('link.txt'));
    expect(await ruleOf(session.view({ path: 'link.txt' }))).toBe('unreadable');
    const shown = [await session.show('@'), await session.diff(), await session.log({ patch: true })];
    expect(JSON.stringify(shown)).not.toMatch(/hidden/i);
    expect(JSON.stringify(shown)).toContain('withheld: rule unreadable');
  });
});

describe('the policy of the repository', () => {
  const strict = { read_only: ['infra/'], max_bytes: 100, reason: true, agents: ['fixer'], commands: [] };
  const loose = JSON.stringify({
    version: 1,
    allow: ['**'],
    read_only: [],
    max_bytes: 1e9,
    reason: false,
    agents: ['claude'],
  });

  it.each([
    ['says less', (repo: Place) => repo.write('.vedit/policy.json', loose)],
    [
      'takes a pattern back',
      (repo: Place) => repo.write('.vedit/policy.json', '{"version":1,"read_only":["!infra/"]}'),
    ],
    [
      'names a command',
      (repo: Place) => repo.write('.vedit/policy.json', '{"version":1,"commands":[{"run":["touch","ran"]}]}'),
    ],
    [
      'allows keys',
      (repo: Place) => repo.write('.vedit/policy.json', '{"version":1,"secrets_allowed":["**"]}'),
    ],
    [
      'has a field that nobody knows',
      (repo: Place) => repo.write('.vedit/policy.json', '{"version":1,"override":true}'),
    ],
    ['is no JSON', (repo: Place) => repo.write('.vedit/policy.json', '{')],
    ['is a folder', (repo: Place) => mkdirSync(repo.path('.vedit/policy.json'), { recursive: true })],
    [
      'is named by its own config',
      (repo: Place) => {
        repo.write('loose.json', loose);
        repo.git('config', 'vedit.policy', repo.path('loose.json'));
      },
    ],
    [
      'is a link to one that says less',
      (repo: Place) => {
        repo.write('loose.json', loose);
        mkdirSync(repo.path('.vedit'));
        symlinkSync('../loose.json', repo.path('.vedit/policy.json'));
      },
    ],
    [
      'is committed, and says less',
      (repo: Place) => {
        repo.write('.vedit/policy.json', loose);
        repo.git('add', '.vedit');
        repo.git('commit', '-qm', 'loose');
      },
    ],
  ])('%s, and loosens nothing', async (_, attempt) => {
    const repo = personRepo(FILES);
    attempt(repo);
    const session = await repo.session('s1', { policyFiles: [userPolicy(repo, strict)] });
    const call = session.edit('create', { path: 'infra/x.tf', file_text: 'x\n', reason: 'why' });
    expect(['agents', 'valid']).toContain(await ruleOf(call));
    const key = session.edit('create', { path: 'k', file_text: KEYS['an npm token']!(), reason: 'why' });
    expect(await ruleOf(key)).not.toBe('done');
    expect(repo.git('status', '--porcelain')).not.toContain('ran');
  });

  it('says where commands count', async () => {
    const repo = personRepo({
      ...FILES,
      '.vedit/policy.json': '{"version":1,"commands":[{"run":["true"]}]}',
    });
    const error = await (await repo.session()).edit('delete', { path: 'src/a.ts' }).catch(one => one);
    expect(error.message).toContain('count only in a file that git config --global vedit.policy names');
  });

  it('holds as HEAD has it when an agent deletes or changes it in the work tree', async () => {
    const repo = personRepo({ ...FILES, '.vedit/policy.json': '{"version":1,"read_only":["infra/"]}' });
    const session = await repo.session();
    expect(await ruleOf(session.edit('delete', { path: '.vedit/policy.json' }))).toBe('policy');
    unlinkSync(repo.path('.vedit/policy.json'));
    expect(await ruleOf(session.edit('delete', { path: 'infra/main.tf' }))).toBe('read_only');
    repo.write('.vedit/policy.json', '{"version":1}');
    expect(await ruleOf(session.edit('delete', { path: 'infra/main.tf' }))).toBe('read_only');
  });

  it('keeps a file from readers in a process that did nothing yet, as HEAD has it', async () => {
    const repo = personRepo({ ...FILES, '.vedit/policy.json': '{"version":1,"unreadable":["secret/"]}' });
    unlinkSync(repo.path('.vedit/policy.json'));
    expect(await ruleOf((await repo.session()).view({ path: 'secret/x.txt' }))).toBe('unreadable');
    repo.git('rm', '-q', '--cached', 'secret/x.txt');
    repo.git('commit', '-qm', 'gone');
    const shown = await (await repo.session('s2')).diff({ from: 'HEAD~1', to: 'HEAD' });
    expect(shown.message).not.toMatch(/hidden/);
  });

  it('is said to hold by policy check', async () => {
    const repo = personRepo({ ...FILES, '.vedit/policy.json': '{"version":1,"read_only":["infra/"]}' });
    await using workspace = await repo.open();
    const { data, message } = await workspace.policy({ path: 'infra/main.tf' });
    expect(data).toMatchObject({
      may_change: false,
      may_read: true,
      rule: 'read_only',
      policy: '.vedit/policy.json',
    });
    expect(message).toContain('infra/main.tf may not change');
    expect((await workspace.policy({ path: 'src/a.ts' })).data).toMatchObject({
      may_change: true,
      rule: null,
    });
  });
});

describe('a command of the user’s policy', () => {
  function withCommand(script: string, more: object = {}): { repo: Place; policyFiles: string[] } {
    const repo = personRepo(FILES);
    const path = join(repo.dir, '..', `check-${Math.random()}.sh`);
    writeFileSync(path, `#!/bin/sh\n${script}\n`);
    chmodSync(path, 0o755);
    return { repo, policyFiles: [userPolicy(repo, { commands: [{ run: [path], ...more }] })] };
  }

  it('gets the added lines, and stops what it does not pass', async () => {
    const { repo, policyFiles } = withCommand('if grep -q forbidden; then echo found it; exit 3; fi');
    const session = await repo.session('s1', { policyFiles });
    await session.edit('create', { path: 'n', file_text: 'fine\n' });
    const error = await session.edit('create', { path: 'm', file_text: 'a\nforbidden\n' }).catch(one => one);
    expect([error.code, error.data.rule, error.message]).toEqual([
      'DENIED',
      'commands',
      expect.stringContaining('ended with 3: found it'),
    ]);
    repo.write('src/a.ts', 'forbidden\n');
    expect(
      await ruleOf(
        session.edit('insert', {
          path: 'src/a.ts',
          insert_line: 0,
          insert_text: 'x\n',
          version: (await session.read({ path: 'src/a.ts' })).data.version,
        }),
      ),
    ).toBe('commands');
    await session.edit('create', { path: 'n', file_text: 'fine, too\n', overwrite: true });
  });

  it('gets them of a file of hundreds of thousands of lines', async () => {
    const { repo, policyFiles } = withCommand('test "$(wc -l)" -ge 299999');
    const session = await repo.session('s1', { policyFiles });
    const { data } = await session.edit('create', { path: 'n', file_text: 'x\n'.repeat(300_000) });
    expect(data.paths).toMatchObject([{ path: 'n', added: 300_000 }]);
  });

  it('that is not there, or takes too long, lets nothing pass; others edit on', async () => {
    const { repo, policyFiles } = withCommand('sleep 20', { seconds: 0.5 });
    const session = await repo.session('s1', { policyFiles });
    const slow = session.edit('create', { path: 'n', file_text: 'n\n' });
    await (await repo.session('s2')).edit('create', { path: 'other', file_text: 'o\n' });
    expect(await ruleOf(slow)).toBe('commands');
    const gone = userPolicy(repo, { commands: [{ run: ['/no/such/program'] }] });
    const other = await repo.session('s3', { policyFiles: [gone] });
    expect(await ruleOf(other.edit('create', { path: 'n', file_text: 'n\n' }))).toBe('commands');
  });
});

it('secrets_allowed lets keys into the files that it names alone', async () => {
  const repo = personRepo(FILES);
  const policyFiles = [userPolicy(repo, { secrets_allowed: ['test/fixtures/'] })];
  const session = await repo.session('s1', { policyFiles });
  const text = `${KEYS['an npm token']!()}\n`;
  expect(await ruleOf(session.edit('create', { path: 'test/fixtures/key', file_text: text }))).toBe('done');
  expect(await ruleOf(session.edit('create', { path: 'src/key', file_text: text }))).toBe('SECRET');
});

it('a hook is denied before its tool writes what may not change', async () => {
  const repo = personRepo({ ...FILES, '.vedit/policy.json': '{"version":1,"read_only":["infra/"]}' });
  await using workspace = await repo.open();
  const tool_input = { file_path: repo.path('infra/main.tf'), content: 'b\n' };
  const event = {
    session_id: 's',
    hook_event_name: 'PreToolUse',
    tool_use_id: 'c',
    cwd: repo.dir,
    tool_name: 'Write',
    tool_input,
  };
  const taken = await workspace.takeHook(new TextEncoder().encode(JSON.stringify(event)), {
    named: 'claude-code',
  });
  await aMoment();
  expect(taken).toMatchObject({ answer: { hookSpecificOutput: { permissionDecision: 'deny' } } });
});

it('beforeRead keeps a file from views and diffs, and one that fails denies', async () => {
  const repo = personRepo(FILES);
  const session = await repo.session('s1', {
    beforeRead: ({ path }) => {
      if (path === 'src/a.ts') throw new Error('broken');
      return path.startsWith('secret/') ? { deny: 'Not for agents.' } : null;
    },
  });
  const error = await session.view({ path: 'secret/x.txt' }).catch(one => one);
  expect([error.code, error.message]).toEqual([
    'DENIED',
    expect.stringContaining('Not for agents. (rule beforeRead'),
  ]);
  expect(await ruleOf(session.view({ path: 'src/a.ts' }))).toBe('beforeRead');
  await session.view({ path: 'infra/main.tf' });
});
