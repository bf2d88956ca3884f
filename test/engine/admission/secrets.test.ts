/** Keys are kept out of history, whichever way they come; no key stands here, all are made when the test runs. */

import { describe, expect, it } from 'vitest';
import { systemGit } from '../../../src/git/native/system-git.ts';
import type { Session, Workspace } from '../../../src/index.ts';
import { aMoment } from '../../helpers/agent-events.ts';
import { ownRepo, type Place, personRepo } from '../../helpers/person-repo.ts';
import { KEYS } from '../../text/key-forms.ts';

const key = (): string => KEYS['a GitHub token']!();

const refused = async (call: Promise<unknown>): Promise<{ code: string; message: string; data: object }> =>
  call.then(
    () => ({ code: 'done', message: '', data: {} }),
    ({ code, message, data }) => ({ code, message, data }),
  );

/** Every object of the repository as text: a key that is in none was never written. */
function objectsOf(repo: Place): string {
  const ids = repo.git('cat-file', '--batch-all-objects', '--batch-check=%(objectname) %(objecttype)');
  const blobs = ids.split('\n').filter(line => line.endsWith(' blob') || line.endsWith(' commit'));
  return blobs.map(line => repo.git('cat-file', '-p', line.split(' ')[0]!)).join('\n');
}

describe.each([
  ['beside the branch', personRepo],
  ['on the branch', ownRepo],
])('a key %s', (_, make) => {
  it.each([
    ['create', (text: string) => ({ path: 'n.ts', file_text: text })],
    ['create', (text: string) => ({ path: 'n.ts', file_text: `\uFEFF${text}\r\n` })],
    ['str_replace', (text: string) => ({ path: 'a.ts', old_str: 'two', new_str: text })],
    ['insert', (text: string) => ({ path: 'a.ts', insert_line: 0, insert_text: text })],
    [
      'apply_patch',
      (text: string) => ({ patch: `*** Begin Patch\n*** Add File: n.ts\n+${text}\n*** End Patch` }),
    ],
  ] as const)('is refused in %s, and reaches no object', async (name, input) => {
    const repo = make({ 'a.ts': 'one\ntwo\n' });
    const session = await repo.session();
    await session.view({ path: 'a.ts' });
    const text = key();
    const { code, message, data } = await refused(session.edit(name as string, input(text)));
    expect([code, message]).toEqual([
      'SECRET',
      expect.stringContaining('what looks like a GitHub token in line'),
    ]);
    expect(JSON.stringify([message, data])).not.toContain(text.slice(4, 20));
    expect(data).toMatchObject({
      secrets: [{ kind: 'a GitHub token', line: name === 'str_replace' ? 2 : 1 }],
    });
    expect(repo.read('a.ts')).toBe('one\ntwo\n');
    await repo.close();
    expect(objectsOf(repo)).not.toContain(text);
  });

  it('may be there with a reason, which history keeps', async () => {
    const repo = make({});
    const session = await repo.session();
    const input = { path: 'test/dev.env', file_text: `A=${key()}\n`, allow_secret: true };
    expect(await refused(session.edit('create', input))).toMatchObject({
      message: expect.stringContaining('Say in reason'),
    });
    const { data } = await session.edit('create', { ...input, reason: 'a key of the test server' });
    const words = repo.git(
      'log',
      '-1',
      '--format=%(trailers:key=Vedit-Allows-Secret,valueonly)',
      data.commit!,
    );
    expect(words.trim()).toBe('github-token test/dev.env');
    await session.edit('str_replace', { path: 'test/dev.env', old_str: 'A=', new_str: 'B=' });
    await session.edit('move', { path: 'test/dev.env', new_path: 'dev.env' });
    await session.undo({ count: 3 });
    await session.redo({ count: 3 });
    expect(repo.read('dev.env')).toMatch(/^B=gh/);
  });
});

describe('a key that a person typed', () => {
  async function typed(): Promise<{ repo: Place; session: Session; text: string }> {
    const repo = personRepo({ 'a.ts': 'one\n', 'b.ts': 'b\n' });
    const text = key();
    repo.write('a.ts', `one\n${text}\n`);
    return { repo, session: await repo.session(), text };
  }

  it('is not recorded before an edit; other files go on', async () => {
    const { repo, session, text } = await typed();
    const call = session.edit('str_replace', { path: 'a.ts', old_str: 'one', new_str: 'ONE' });
    expect(await refused(call)).toMatchObject({
      code: 'SECRET',
      message: expect.stringMatching(/in line 2, .*The file holds it already/),
      data: { in_file: true },
    });
    await session.edit('str_replace', { path: 'b.ts', old_str: 'b', new_str: 'B' });
    await repo.close();
    expect(objectsOf(repo)).not.toContain(text);
  });

  it('is no matter when it is out of the file, or committed by the person', async () => {
    const { repo, session } = await typed();
    const input = { path: 'a.ts', old_str: 'one', new_str: 'ONE' };
    repo.write('a.ts', 'one\nprocess.env.KEY\n');
    await session.edit('str_replace', input);
    const other = await typed();
    other.repo.git('commit', '-qam', 'mine');
    await other.session.edit('str_replace', input);
  });
});

it('a key is found in UTF-16, in a large file, and in the reason', async () => {
  const repo = personRepo({});
  const session = await repo.session();
  repo.write('wide.txt', Buffer.from(`a\n${key()}\n`, 'utf16le'));
  expect(await refused(session.record(['wide.txt']))).toMatchObject({ code: 'SECRET' });
  const lines = Array.from({ length: 60_000 }, (_, n) => `line ${n}\n`).join('');
  await session.edit('create', { path: 'l.txt', file_text: lines });
  const large = { path: 'l.txt', old_str: 'line 50000\n', new_str: `line 50000\n${key()}\n` };
  expect(await refused(session.edit('str_replace', large))).toMatchObject({
    data: { secrets: [{ line: 50_002 }] },
  });
  const reason = { path: 'n', file_text: 'n\n', reason: `use ${key()}` };
  expect(await refused(session.edit('create', reason))).toMatchObject({
    code: 'SECRET',
    data: { path: null },
  });
});

describe('a hook', () => {
  const git = systemGit(process.env);

  async function hook(repo: Place, workspace: Workspace, event: object): Promise<unknown> {
    await aMoment();
    const all = { session_id: 's1', tool_use_id: 'c1', cwd: repo.dir, ...event };
    const taken = await workspace.takeHook(new TextEncoder().encode(JSON.stringify(all)), {
      named: 'claude-code',
      git,
    });
    await aMoment();
    return taken;
  }

  it('is denied before the agent writes a key, and told of one that it wrote', async () => {
    const repo = personRepo({ 'a.ts': 'one\n' });
    await using workspace = await repo.open();
    const text = key();
    const tool = { tool_name: 'Write', tool_input: { file_path: repo.path('a.ts'), content: `${text}\n` } };
    expect(await hook(repo, workspace, { hook_event_name: 'PreToolUse', ...tool })).toMatchObject({
      answer: { hookSpecificOutput: { permissionDecision: 'deny' } },
    });
    repo.write('a.ts', `${text}\n`);
    const after = await hook(repo, workspace, { hook_event_name: 'PostToolUse', ...tool });
    expect(after).toMatchObject({
      commit: null,
      passed: expect.stringContaining('a GitHub token in line 1'),
    });
    expect(JSON.stringify(after)).toContain('additionalContext');
    await workspace.close();
    expect(objectsOf(repo)).not.toContain(text);
  });

  it('withholds what a command wrote a key into, and records the rest', async () => {
    const repo = personRepo({ 'a.ts': 'one\n' });
    await using workspace = await repo.open();
    const text = key();
    const tool = { tool_name: 'Bash', tool_input: { command: './generate' } };
    await hook(repo, workspace, { hook_event_name: 'PreToolUse', ...tool });
    repo.write('a.ts', 'two\n');
    repo.write('.env.local', `A=${text}\n`);
    const after = await hook(repo, workspace, { hook_event_name: 'PostToolUse', ...tool });
    expect(after).toMatchObject({ subject: 'shell a.ts (+1 -1)' });
    expect(JSON.stringify(after)).toContain(
      'not recorded: .env.local has what looks like a GitHub token in line 1',
    );
    await workspace.close();
    expect(objectsOf(repo)).not.toContain(text);
  });
});
