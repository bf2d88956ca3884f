/** A call of a session within its own turn would wait for itself. */

import { describe, expect, it } from 'vitest';
import type { Session } from '../../src/index.ts';
import { personRepo } from '../helpers/person-repo.ts';

const CALLS: ReadonlyArray<readonly [string, (session: Session) => Promise<unknown>]> = [
  ['edit', one => one.edit('create', { path: 'b.txt', file_text: 'b\n' })],
  ['change', one => one.change([{ edit: 'create', path: 'b.txt', file_text: 'b\n' }])],
  ['view', one => one.view({ path: 'a.txt' })],
  ['log', one => one.log()],
  ['status', one => one.status()],
  ['undo', one => one.undo()],
  ['redo', one => one.redo()],
  ['verify', one => one.verify()],
  ['diff', one => one.diff({})],
  ['restore', one => one.restore({ path: 'a.txt' })],
  ['inTurn', one => one.inTurn(own => own.view({ path: 'a.txt' }))],
];

describe('within a turn of the same session', () => {
  it.each(CALLS)('%s is refused at once, and the turn goes on', async (_name, call) => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    const session = await repo.session();
    const done = await session.inTurn(async own => {
      await expect(call(session)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
      await own.inTurn(async deeper => {
        await expect(call(session)).rejects.toThrow('inTurn');
        await expect(call(own)).rejects.toThrow('inTurn');
        await deeper.view({ path: 'a.txt' });
      });
      return (await own.view({ path: 'a.txt' })).message;
    });
    expect(done).toContain('a');
    await session.view({ path: 'a.txt' });
    await repo.close();
  });

  it('another session may be called, and one that waits beside it', async () => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    const workspace = await repo.open();
    const [session, other] = [workspace.session(), workspace.session()];
    const turn = session.inTurn(async () => (await other.view({ path: 'a.txt' })).message);
    const beside = session.view({ path: 'a.txt' });
    expect(await turn).toContain('a');
    expect((await beside).message).toContain('a');
    let later: Promise<unknown> | undefined;
    await session.inTurn(async () => {
      later = new Promise(resolve => setTimeout(resolve, 50)).then(() => session.view({ path: 'a.txt' }));
    });
    expect(await later).toMatchObject({ message: expect.stringContaining('a') });
  });
});
