import { expect, it } from 'vitest';
import { runTool, toolset } from '../../src/index.ts';
import { runMemory } from '../../src/tools/dialects/anthropic.ts';
import { personRepo } from '../helpers/person-repo.ts';

const CLOSED = { code: 'INVALID_INPUT', message: expect.stringMatching(/is closed.*Open it again/) };

it('after close every call is refused, edits and reads, of sessions and of the workspace', async () => {
  const repo = personRepo({ 'a.txt': 'one\n' });
  const workspace = await repo.open();
  const session = workspace.session();
  await session.edit('create', { path: 'b.txt', file_text: 'b\n' });
  await workspace.close();
  const calls = [
    () => session.edit('create', { path: 'c.txt', file_text: 'c\n' }),
    () => session.change([]),
    () => session.undo(),
    () => session.view({ path: 'a.txt' }),
    () => session.log(),
    () => session.status(),
    () => session.entries().next(),
    () => session.inTurn(async inner => inner.view({ path: 'a.txt' })),
    () => workspace.verify(),
    () => workspace.gc(),
    () => workspace.doctor(),
    () => workspace.land(),
    async () => workspace.session(),
  ];
  for (const call of calls) await expect(call()).rejects.toMatchObject(CLOSED);
  const [view] = toolset({ tools: ['view'] });
  const answers = [
    () => runTool(session, 'view', { path: 'a.txt' }),
    () => view!.run(session, { path: 'a.txt' }),
    () => runMemory(session, { command: 'view', path: '/memories' }),
  ];
  for (const call of answers) expect(await call()).toMatchObject({ ok: false, ...CLOSED });
  expect(repo.git('status', '--porcelain')).toBe('?? b.txt');
});

it('closes twice, also at once', async () => {
  const workspace = await personRepo({ 'a.txt': 'one\n' }).open();
  await Promise.all([workspace.close(), workspace.close()]);
  await workspace.close();
});

it('what was called before close comes to its end, and close waits for it', async () => {
  const repo = personRepo({ 'a.txt': 'one\n' });
  const workspace = await repo.open();
  const session = workspace.session();
  const ended: string[] = [];
  const note = (what: string) => () => void ended.push(what);
  const calls = [
    session.edit('create', { path: 'b.txt', file_text: 'b\n' }).then(note('edit')),
    session
      .inTurn(async inner => {
        await new Promise(resolve => setTimeout(resolve, 50));
        await inner.edit('create', { path: 'c.txt', file_text: 'c\n' });
      })
      .then(note('turn')),
    workspace.gc().then(note('gc')),
  ];
  await workspace.close();
  expect(ended.sort()).toEqual(['edit', 'gc', 'turn']);
  await Promise.all(calls);
  expect([repo.read('b.txt'), repo.read('c.txt')]).toEqual(['b\n', 'c\n']);
});

it('another workspace of the repository stays open', async () => {
  const repo = personRepo({ 'a.txt': 'one\n' });
  const [one, other] = [await repo.open(), await repo.open()];
  await one.close();
  await other.session().edit('create', { path: 'b.txt', file_text: 'b\n' });
  await other.close();
  expect(repo.read('b.txt')).toBe('b\n');
});
