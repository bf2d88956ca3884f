import { expect, it } from 'vitest';
import { runTool, toolset } from '../../src/index.ts';
import { personRepo } from '../helpers/person-repo.ts';

it('answers a comment by the start of its id, and changes no file', async () => {
  const repo = personRepo({ 'a.txt': 'one\n' });
  const workspace = await repo.open({ user: { name: 'Ada', email: 'ada@example.com' } });
  const session = workspace.session({ id: 's1', agent: 'fixer' });
  await session.edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: 'two' });
  const { data } = await workspace.comment({ path: 'a.txt', text: 'why two?' });
  const said = await runTool(session, 'reply', { id: data.comment.slice(0, 8), reply: 'one was taken' });
  expect(said).toMatchObject({ ok: true, message: expect.stringContaining('Told Ada.') });
  expect(repo.read('a.txt')).toBe('two\n');
  const [hunk] = (await workspace.review()).data.hunks;
  expect(hunk!.comments[0]!.replies.map(one => one.text)).toEqual(['one was taken']);
  const refused = await runTool(session, 'reply', { comment: 'feed', text: 'x' });
  expect(refused).toMatchObject({ ok: false, code: 'INVALID_INPUT', data: { field: 'comment' } });
});

it('is no tool of an agent that only reads', () => {
  expect(toolset({ tools: 'all', readOnly: true }).map(({ tool }) => tool)).not.toContain('reply');
});
