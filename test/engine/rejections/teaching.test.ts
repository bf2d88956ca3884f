import { existsSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  type Answer,
  type DoneData,
  type EditErrorOf,
  runTool,
  type Session,
  type ToolResult,
  type Workspace,
} from '../../../src/index.ts';
import { type Place, personRepo } from '../../helpers/person-repo.ts';

const LINES = Array.from({ length: 20 }, (_, at) => `line ${at + 1}\n`).join('');
const ADA = { name: 'Ada', email: 'ada@example.com' };

interface Scene {
  repo: Place;
  workspace: Workspace;
  session: Session;
}

/** An agent has put a line in, and the person rejects it. */
async function rejected(put = 'const cache = {};\n}\n', reason = 'no caching here'): Promise<Scene> {
  const repo = personRepo({ 'a.txt': LINES });
  const workspace = await repo.open({ user: ADA });
  const session = workspace.session({ id: 's1', agent: 'claude' });
  await edit(session, 'line 5\n', `line 5\n${put}`);
  await workspace.reject({ path: 'a.txt', reason });
  return { repo, workspace, session };
}

function edit(session: Session, old_str: string, new_str: string, more = {}): Promise<Answer<DoneData>> {
  return session.edit('str_replace', { path: 'a.txt', old_str, new_str, ...more });
}

async function refusal(call: Promise<unknown>): Promise<EditErrorOf<'REJECTED'>> {
  return call.then(
    () => Promise.reject(new Error('it was done')),
    error => error,
  );
}

function view(session: Session, input = {}): Promise<ToolResult> {
  return runTool(session, 'view', { path: 'a.txt', ...input });
}

describe('a rejection', () => {
  it('is told in the next answer of the session whose edit it was, once', async () => {
    const { session } = await rejected();
    const first = await runTool(session, 'log', {});
    expect(first.message).toContain(
      'Note: Ada rejected what you wrote in a.txt: "no caching here". It was `const cache = {};\\n}`; it is gone from the file.',
    );
    expect(first.data).toMatchObject({ rejections: [{ path: 'a.txt', reviewer: 'Ada', own: true }] });
    expect((await runTool(session, 'log', {})).message).not.toContain('Note: Ada');
  });

  it('is told again where the same call is sent again', async () => {
    const { session } = await rejected();
    expect((await runTool(session, 'status', { call_id: 'c1' })).message).not.toContain('INVALID');
    const { session: other } = await rejected();
    const call = { path: 'a.txt', old_str: 'line 9\n', new_str: 'nine\n', edit_id: 'e1' };
    expect((await runTool(other, 'str_replace', call)).message).toContain('Note: Ada');
    expect((await runTool(other, 'str_replace', call)).message).toContain('Note: Ada');
    expect((await view(other)).message).not.toContain('Note: Ada');
  });

  it('is told again where calls were made before the answer was known', async () => {
    const { session } = await rejected();
    const both = await Promise.all([view(session), view(session)]);
    expect(both.map(({ message }) => message.includes('Note: Ada'))).toEqual([true, true]);
    expect((await view(session)).message).not.toContain('Note: Ada');
  });

  it('is told to others who view or edit the file, to nobody else, and to no person', async () => {
    const { workspace } = await rejected();
    const other = workspace.session({ id: 's2', agent: 'fixer' });
    expect((await runTool(other, 'log', {})).message).not.toContain('Note: Ada');
    expect((await view(other)).message).toContain('Note: Ada rejected what an agent wrote in a.txt');
    const person = workspace.session({ id: 's3', person: ADA });
    expect((await view(person)).message).not.toContain('Note: Ada');
    const third = workspace.session({ id: 's4', agent: 'fixer' });
    expect((await edit(third, 'line 9\n', 'nine\n')).message).toContain('Note: Ada');
  });

  it('reaches the session in another process, and what arrived there is not told again', async () => {
    const { repo } = await rejected();
    const again = async (): Promise<string> => {
      const session = (await repo.open({ user: ADA })).session({ id: 's1', agent: 'claude' });
      return (await view(session)).message;
    };
    expect(await again()).toContain('Note: Ada');
    expect(await again()).not.toContain('Note: Ada');
    expect(await again()).not.toContain('Note: Ada');
  });

  it('comes with a refusal too', async () => {
    const { session } = await rejected();
    const result = await runTool(session, 'str_replace', { path: 'a.txt', old_str: 'nowhere', new_str: 'x' });
    expect(result).toMatchObject({ ok: false, code: 'NO_MATCH' });
    expect(result.message).toContain('Note: Ada rejected');
  });

  it('comes with what the library throws, too', async () => {
    const { session } = await rejected();
    const error = await refusal(edit(session, 'nowhere', 'x'));
    expect(error).toMatchObject({ code: 'NO_MATCH', data: { rejections: [{ path: 'a.txt', own: true }] } });
    expect(error.message).toMatch(/Nothing was changed[\s\S]*\nNote: Ada rejected what you wrote in a\.txt/);
    expect((await refusal(edit(session, 'nowhere', 'x'))).message).not.toContain('Note: Ada');
  });

  it('is remembered for a session that comes back, until it has ended', async () => {
    const { repo, workspace, session } = await rejected();
    const told = (): number =>
      existsSync(repo.path('.git/vedit/told')) ? readdirSync(repo.path('.git/vedit/told')).length : 0;
    await view(session);
    await view(session);
    expect(told()).toBe(1);
    // Nobody can name this one again.
    const other = workspace.session({ agent: 'fixer' });
    expect((await view(other)).message).toContain('Note: Ada');
    expect((await view(other)).message).not.toContain('Note: Ada');
    expect(told()).toBe(1);
    await workspace.gc();
    expect(told()).toBe(1);
    const [name] = readdirSync(repo.path('.git/vedit/told'));
    const old = new Date(Date.now() - 31 * 24 * 3600 * 1000);
    utimesSync(repo.path(`.git/vedit/told/${name}`), old, old);
    await workspace.gc({ dryRun: true });
    expect(told()).toBe(1);
    await workspace.gc();
    expect(told()).toBe(0);
    expect(readdirSync(repo.path('.git/vedit/rejections'))).toHaveLength(1);
    // Taken back: what was told of it is nothing to remember.
    await view(session);
    await view(session);
    await workspace.unreview();
    await workspace.gc();
    expect(told()).toBe(0);
    writeFileSync(repo.path(`.git/vedit/rejections/${'0'.repeat(40)}`), 'refs/vedit/main\n');
    await workspace.gc();
    expect(readdirSync(repo.path('.git/vedit/rejections'))).toEqual([]);
  });

  it('is no matter of an agent’s own undo', async () => {
    const repo = personRepo({ 'a.txt': LINES });
    const session = await repo.session();
    await edit(session, 'line 5\n', 'line 5\nconst cache = {};\n');
    await session.undo();
    expect((await view(session)).message).not.toContain('Note:');
    expect((await edit(session, 'line 5\n', 'line 5\nconst cache = {};\n')).data.commit).not.toBeNull();
  });

  it('from a fetched history is told to nobody', async () => {
    const { repo } = await rejected();
    await repo.close();
    const clone = personRepo({});
    clone.git('fetch', '-q', repo.dir, '+refs/*:refs/*', '--update-head-ok');
    clone.git('reset', '-q', '--hard', 'main');
    const session = (await clone.open({ user: ADA })).session({ id: 's1', agent: 'claude' });
    expect((await view(session)).message).not.toContain('Note:');
    expect((await edit(session, 'line 5\n', 'line 5\nconst cache = {};\n}\n')).data.commit).not.toBeNull();
  });
});

describe('putting back what was rejected', () => {
  const AGAIN = 'line 5\nconst cache = {};\n}\n';

  it('is REJECTED, with what the agent has to know', async () => {
    const { repo, session } = await rejected();
    const error = await refusal(edit(session, 'line 5\n', AGAIN));
    expect(error.code).toBe('REJECTED');
    expect(error.data).toMatchObject({
      path: 'a.txt',
      reviewer: 'Ada',
      reason: 'no caching here',
      lines: ['const cache = {};', '}'],
    });
    expect(error.message).toContain('Ada rejected these lines of a.txt');
    const { commit } = error.data;
    expect(error.message).toContain(
      `Do it in another way, or ask the person, who alone can take the rejection back (vedit revert ${commit.slice(0, 12)}).`,
    );
    expect(repo.read('a.txt')).toBe(LINES);
  });

  it('is REJECTED by every way: restore, revert, a change, with blanks at the ends of lines', async () => {
    const { repo, session } = await rejected();
    const [rejection, first] = (await session.log()).data.entries;
    const ways = [
      () => session.restore({ path: 'a.txt', from: first!.commit }),
      () => session.revert(rejection!.commit),
      () => session.change([{ edit: 'str_replace', path: 'a.txt', old_str: 'line 5\n', new_str: AGAIN }]),
      () => edit(session, 'line 5\n', AGAIN.replace('{};', '{};   ')),
    ];
    for (const way of ways) expect((await refusal(way())).code).toBe('REJECTED');
    expect(repo.read('a.txt')).toBe(LINES);
  });

  it('is REJECTED where another session did it first, and redoes it', async () => {
    const repo = personRepo({ 'a.txt': LINES });
    const workspace = await repo.open({ user: ADA });
    const [one, other] = ['s1', 's2'].map(id => workspace.session({ id, agent: 'fixer' })) as [
      Session,
      Session,
    ];
    await edit(other, 'line 5\n', AGAIN);
    await other.undo();
    await edit(one, 'line 5\n', AGAIN);
    await workspace.reject({ path: 'a.txt', reason: 'no' });
    expect((await refusal(other.redo())).code).toBe('REJECTED');
    expect(repo.read('a.txt')).toBe(LINES);
  });

  it('in other words, at another place or with other blanks gets a note', async () => {
    const { session } = await rejected();
    const { message } = await edit(session, 'line 5\n', 'line 5\n    const cache = {};\n}\n');
    expect(message).toContain('Note: Ada rejected lines like these in a.txt before');
    expect((await edit(session, 'line 15\n', 'line 15\nconst cache = {};\n}\n')).message).toContain(
      'lines like these',
    );
  });

  it('of a bare bracket is nothing', async () => {
    const { session } = await rejected('}\n');
    const { message } = await edit(session, 'line 5\n', 'line 5\n}\n');
    expect(message).not.toContain('rejected lines');
  });

  it('is REJECTED also where somebody wrote other text there since', async () => {
    const { repo, session } = await rejected();
    repo.write('a.txt', LINES.replace('line 5\n', 'line 5\nmine\n'));
    expect((await refusal(edit(session, 'line 5\nmine\n', AGAIN))).code).toBe('REJECTED');
    expect((await refusal(edit(session, 'mine\n', 'mine\nconst cache = {};\n}\n'))).code).toBe('REJECTED');
  });

  it('is free again where the person committed it', async () => {
    const { repo, session } = await rejected();
    repo.write('a.txt', LINES.replace('line 5\n', AGAIN));
    repo.git('commit', '-qam', 'with a cache');
    repo.write('a.txt', LINES);
    expect((await edit(session, 'line 5\n', AGAIN)).data.commit).not.toBeNull();
  });

  it('is free again when the rejection is taken back, or the lines are accepted', async () => {
    const { repo, workspace, session } = await rejected();
    await workspace.unreview();
    expect(repo.read('a.txt')).toContain('const cache');
    await session.undo();
    expect((await edit(session, 'line 5\n', AGAIN)).data.commit).not.toBeNull();
    await workspace.reject({ path: 'a.txt' });
    repo.write('a.txt', LINES.replace('line 5\n', AGAIN));
    await workspace.accept({ all: true });
    await edit(session, AGAIN, 'line 5\n');
    expect((await edit(session, 'line 5\n', AGAIN)).data.commit).not.toBeNull();
  });

  it('is free again when a person reverts the rejection, as the refusal says', async () => {
    const { workspace, session } = await rejected();
    const { data } = await refusal(edit(session, 'line 5\n', AGAIN));
    await workspace.session({ id: 'p', person: ADA }).revert(data.commit);
    await edit(session, AGAIN, 'line 5\n');
    expect((await edit(session, 'line 5\n', AGAIN)).data.commit).not.toBeNull();
  });

  it('a person may put it back', async () => {
    const { workspace } = await rejected();
    const person = workspace.session({ id: 'p', person: ADA });
    expect((await edit(person, 'line 5\n', AGAIN)).data.commit).not.toBeNull();
  });
});
