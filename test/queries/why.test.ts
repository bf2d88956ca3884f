import { describe, expect, it } from 'vitest';
import { ADA } from '../helpers/landing.ts';
import { codeOf, ownRepo, personRepo } from '../helpers/person-repo.ts';

const TEXT = 'one\ntwo\nthree\nfour\nfive\n';

async function scene(makeRepo = personRepo) {
  const repo = makeRepo({ 'a.txt': TEXT });
  const workspace = await repo.open({ user: ADA });
  const session = workspace.session({
    id: 's1',
    agent: 'codex',
    client: 'codex-mcp-client',
    model: 'm1',
    turn: 'turn-1',
    subagent: 'Explore',
  });
  const replace = async (old_str: string, new_str: string, reason?: string): Promise<string> =>
    (await session.edit('str_replace', { path: 'a.txt', old_str, new_str, reason, call_id: 'call-1' })).data
      .commit!;
  const why = async (line: number, path = 'a.txt') => (await workspace.why({ path, line })).data;
  const words = async (line: number) => (await workspace.why({ path: 'a.txt', line })).message.split('\n');
  return { repo, workspace, session, replace, why, words };
}

describe.each([
  ['beside the branch', personRepo],
  ['on the branch', ownRepo],
])('why a line is as it is, %s', (_where, makeRepo) => {
  it('is told in one screen: edit, agent, turn, reason', async () => {
    const { replace, words, why } = await scene(makeRepo);
    const commit = await replace('two', '  TWO', 'louder\nand more');
    expect(await why(2)).toMatchObject({
      text: '  TWO',
      edit: { commit, turn: 'turn-1', subagent: 'Explore', model: 'm1', call_id: 'call-1' },
      asked: null,
      landed: null,
    });
    expect(await words(2)).toEqual([
      'a.txt:2  TWO',
      'by       codex (m1, sub-agent Explore, codex-mcp-client)',
      expect.stringMatching(/^when {5}\d{4}-\d\d-\d\d \d\d:\d\d UTC$/),
      `edit     ${commit.slice(0, 12)} louder... (a.txt)`,
      'session  s1, turn turn-1',
      'reason   louder',
      'became   open: it is not on the branch yet',
    ]);
  });

  it('of a line of a person it is their commit', async () => {
    const { replace, words } = await scene(makeRepo);
    await replace('two', 'TWO');
    const [, by, , edit] = await words(5);
    expect(by).toBe('by       Ada');
    expect(edit).toMatch(/^edit {5}[0-9a-f]{12} start$/);
  });
});

describe('why a line is as it is', () => {
  it('says what was asked and which command ran, where that is kept here', async () => {
    const { repo, words } = await scene();
    repo.git('config', 'vedit.prompts', 'first-line');
    const workspace = await repo.open({ user: ADA });
    const session = workspace.session({ id: 's1', agent: 'codex', turn: 't2' });
    repo.write('a.txt', TEXT.replace('three', 'THREE'));
    await session.record(['a.txt'], { op: 'Bash', callId: 'c9', certain: 'window', reason: 'shout' });
    const by = { agent: 'codex', session: 's1', turn: 't2' };
    await workspace.noteAgent({ ...by, kind: 'prompt', prompt: 'Shout line three\nsecret' });
    const command = 'sed -i s/three/THREE/ a.txt';
    await workspace.noteAgent({ ...by, kind: 'before', id: 'c9', tool: 'Bash', command });
    await workspace.noteAgent({ ...by, kind: 'before', id: 'other', tool: 'Bash', command: 'ls' });
    const told = await words(3);
    expect(told).toContain('asked    Shout line three');
    expect(told).toContain('command  sed -i s/three/THREE/ a.txt');
    expect(told).toContain(
      'certain  it changed while the call ran: somebody who typed then may have written it',
    );
  });

  it('says in which commit it landed', async () => {
    const { repo, workspace, replace, why, words } = await scene();
    const commit = await replace('two', 'TWO');
    await workspace.land({ message: 'Two, louder' });
    expect(await why(2)).toMatchObject({
      edit: { commit, status: { now: 'landed' } },
      landed: { commit: repo.git('rev-parse', 'main'), subject: 'Two, louder', author: ADA.name },
    });
    expect((await words(2)).at(-1)).toMatch(/^landed {3}[0-9a-f]{12} Two, louder \(/);
  });

  it('says so of no line that the commit does not have, where part of its edit landed', async () => {
    const { repo, replace, why } = await scene();
    const commit = await replace('two\nthree\n', 'TWO\nTHREE\n');
    const text = repo.read('a.txt');
    repo.write('a.txt', TEXT.replace('two', 'TWO'));
    repo.git('commit', '-qam', 'half');
    repo.write('a.txt', text);
    expect((await why(2)).landed).toMatchObject({ subject: 'half' });
    expect(await why(3)).toMatchObject({ edit: { commit, status: { now: 'open' } }, landed: null });
  });

  it('is about the file as it is now: lines that nobody recorded are said, others are found', async () => {
    const { repo, replace, why, words } = await scene();
    const commit = await replace('four', 'FOUR');
    repo.write('a.txt', `typed\nmore\n${TEXT.replace('four', 'FOUR').replace('one\n', '')}`);
    expect(await why(2)).toMatchObject({ text: 'more', edit: null });
    expect((await words(2))[1]).toContain('not recorded yet');
    expect(await why(5)).toMatchObject({ text: 'FOUR', edit: { commit } });
    repo.write('new.txt', 'x\n');
    expect(await why(1, 'new.txt')).toMatchObject({ text: 'x', edit: null });
  });

  it('refuses a line and a file that there is not, with what there is', async () => {
    const { workspace, why } = await scene();
    expect(await codeOf(why(1, 'none.txt'))).toBe('FILE_NOT_FOUND');
    await expect(why(6)).rejects.toThrow('a.txt has 5 lines, so there is no line 6. Name one from 1 to 5.');
    expect(await codeOf(why(0))).toBe('INVALID_INPUT');
    expect(await codeOf(workspace.why({ path: 'a.txt' } as never))).toBe('INVALID_INPUT');
  });
});
