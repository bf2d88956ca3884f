/** A signal stops a call until its change is being made: nothing is changed then; later the edit is done, and answered. */

import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { runTool, type Session, type Workspace } from '../../../src/index.ts';
import { inMemory } from '../../helpers/in-memory.ts';

const create = { path: 'a.txt', file_text: 'one\n' };
const stop = new Error('the user pressed escape');

async function edited(): Promise<{ workspace: Workspace; session: Session }> {
  const { workspace } = await inMemory();
  const session = workspace.session({ id: 's1' });
  await session.edit('create', create);
  return { workspace, session };
}

const CALLS: ReadonlyArray<[string, (session: Session, signal: AbortSignal) => Promise<unknown>]> = [
  ['view', (session, signal) => session.view({ path: 'a.txt', signal })],
  ['read', (session, signal) => session.read({ path: 'a.txt', signal })],
  ['edit', (session, signal) => session.edit('delete', { path: 'a.txt' }, { signal })],
  ['change', (session, signal) => session.change([{ edit: 'delete', path: 'a.txt' }], { signal })],
  ['undo', (session, signal) => session.undo({ signal })],
  ['redo', (session, signal) => session.redo({ signal })],
  ['rollback', (session, signal) => session.rollback('@', { signal })],
  ['revert', (session, signal) => session.revert('@', { signal })],
  ['restore', (session, signal) => session.restore({ path: 'a.txt', from: '@', signal })],
  ['record', (session, signal) => session.record(['a.txt'], { signal })],
  ['mark', (session, signal) => session.mark('here', { signal })],
  ['log', (session, signal) => session.log({ signal })],
  ['entries', (session, signal) => session.entries({ signal }).next()],
  ['export', (session, signal) => session.export({ signal }).next()],
  ['timeline', (session, signal) => session.timeline({ signal })],
  ['show', (session, signal) => session.show('@', { signal })],
  ['blame', (session, signal) => session.blame({ path: 'a.txt', signal })],
  ['diff', (session, signal) => session.diff({ signal })],
  ['refusals', (session, signal) => session.refusals({ signal })],
  ['status', (session, signal) => session.status({ signal })],
  ['verify', (session, signal) => session.verify({ signal })],
  ['inTurn', (session, signal) => session.inTurn(own => own.undo(), { signal })],
  ['retry', (session, signal) => session.retry(() => session.undo(), { signal })],
];

describe('a signal that is aborted before', () => {
  it.each(CALLS)('stops %s, with its own reason', async (_, call) => {
    const { session } = await edited();
    await expect(call(session, AbortSignal.abort(stop))).rejects.toBe(stop);
    expect((await session.log()).data.entries).toHaveLength(1);
  });

  it.each(['verify', 'sessions', 'gc', 'doctor', 'land'] as const)('stops workspace.%s', async name => {
    const { workspace } = await edited();
    await expect(workspace[name]({ signal: AbortSignal.abort(stop) })).rejects.toBe(stop);
  });

  it.each(CALLS)('is refused in words where it is no signal: %s', async (_, call) => {
    const { session } = await edited();
    await expect(call(session, {} as never)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('AbortSignal'),
    });
  });
});

describe('a signal that is aborted meanwhile', () => {
  it('is heard at once by a call that waits for another, and the other goes on', async () => {
    const { session } = await edited();
    const { signal, abort } = controller();
    let go = (): void => {};
    const first = session.inTurn(async own => {
      await new Promise<void>(done => {
        go = done;
      });
      return own.edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: 'two' });
    });
    const second = session.edit('delete', { path: 'a.txt' }, { signal });
    abort(stop);
    await expect(second).rejects.toBe(stop);
    go();
    expect((await first).data.commit).toEqual(expect.any(String));
    expect((await session.read({ path: 'a.txt' })).data.text).toBe('two\n');
  });

  it('stops an edit that is asked about, and nothing is in history', async () => {
    const { signal, abort } = controller();
    const { workspace } = await inMemory({
      beforeCommit: () => {
        abort(stop);
      },
    });
    const session = workspace.session();
    await expect(session.edit('create', create, { signal })).rejects.toBe(stop);
    await workspace.close();
    expect(await workspaceIsEmpty(session)).toBe(true);
  });

  it('is not heard any more when the edit is made: what is in history is answered', async () => {
    const { signal, abort } = controller();
    const { fs, workspace } = await inMemory();
    const session = workspace.session();
    await session.edit('create', create);
    const rename = fs.promises.rename.bind(fs.promises);
    fs.promises.rename = async (from: string, to: string) => {
      if (to.endsWith('/a.txt')) abort(stop);
      await rename(from, to);
    };
    const input = { path: 'a.txt', old_str: 'one', new_str: 'two' };
    const done = await session.edit('str_replace', input, { signal });
    expect(signal.aborted).toBe(true);
    expect((await session.log()).data.entries[0]!.commit).toBe(done.data.commit);
  });

  it('ends a walk through the log between two of its entries', async () => {
    const { session } = await edited();
    await session.edit('delete', { path: 'a.txt' });
    const { signal, abort } = controller();
    const seen: string[] = [];
    const walk = async (): Promise<void> => {
      for await (const entry of session.entries({ signal })) {
        seen.push(entry.op!);
        abort(stop);
      }
    };
    await expect(walk()).rejects.toBe(stop);
    expect(seen).toEqual(['delete']);
    expect((await session.log()).data.entries).toHaveLength(2);
  });

  it('is no refusal: nobody is told of one', async () => {
    const events: string[] = [];
    const { workspace } = await inMemory({ onEvent: event => events.push(event.kind) });
    const session = workspace.session();
    await expect(session.edit('create', create, { signal: AbortSignal.abort(stop) })).rejects.toBe(stop);
    expect(events).toEqual([]);
  });

  it('of a turn stops every call in it', async () => {
    const { session } = await edited();
    const { signal, abort } = controller();
    const turn = session.inTurn(
      async own => {
        await own.edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: 'two' });
        abort(stop);
        await own.edit('delete', { path: 'a.txt' });
      },
      { signal },
    );
    await expect(turn).rejects.toBe(stop);
    expect((await session.read({ path: 'a.txt' })).data.text).toBe('two\n');
  });
});

describe('a workspace', () => {
  it('is closed at the end of a block', async () => {
    const { workspace } = await inMemory();
    await workspace[Symbol.asyncDispose]();
    expect(() => workspace.session()).toThrow('closed');
  });
});

function controller(): { signal: AbortSignal; abort: (reason: Error) => void } {
  const made = new AbortController();
  return { signal: made.signal, abort: reason => made.abort(reason) };
}

/** A closed workspace reads nothing any more: so the call that was stopped has come to its end. */
async function workspaceIsEmpty(session: Session): Promise<boolean> {
  return session.log().then(
    () => false,
    error => error.data.closed === true,
  );
}

it('many calls that hear one signal are behind one listener, which goes with them', async () => {
  const { workspace } = await inMemory();
  const session = workspace.session();
  const stop = new AbortController();
  const { signal } = stop;
  const listening = (): number => getEventListeners(signal, 'abort').length;
  const calls = Array.from({ length: 30 }, (_, n) =>
    runTool(session, 'create', { path: `${n}.txt`, file_text: 'x\n' }, { signal }),
  );
  expect(listening()).toBe(1);
  const later = session.edit('create', { path: 'late.txt', file_text: 'x\n' }, { signal });
  await Promise.all([...calls, later]);
  expect(listening()).toBe(0);
  const stopped = Array.from({ length: 12 }, () => session.view({ path: '0.txt', signal }));
  stop.abort(new Error('enough'));
  for (const call of stopped) await expect(call).rejects.toThrow('enough');
});
