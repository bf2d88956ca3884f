/** One call: checked at once, done in its turn, in the caller's words, and told of once. */

import { beforeEach, describe, expect, it } from 'vitest';
import { SessionCalls, type SessionState, withRejections } from '../../../src/engine/calls/call.ts';
import { Listener, type WorkspaceEvent } from '../../../src/engine/calls/events.ts';
import { Notifier } from '../../../src/engine/calls/notifier.ts';
import { SerialQueue } from '../../../src/engine/calls/queue.ts';
import { OUTERMOST, type Scope, scopeWithin } from '../../../src/engine/calls/scope.ts';
import type { Told } from '../../../src/engine/rejections/notices.ts';
import { Views } from '../../../src/engine/views.ts';
import { EditError } from '../../../src/errors.ts';
import { toolName } from '../../../src/wording.ts';

const TOLD: Told = { message: 'Note: Ada rejected it.', rejections: [{} as never], comments: [] };
const BY = { session: 's1', agent: 'fixer', model: undefined };
const WORDS = { vocabulary: { tools: { undo: 'take_back' } } };

let events: WorkspaceEvent[] = [];
beforeEach(() => {
  events = [];
});

/** Calls of a session that somebody rejected an edit of. */
function calls(scope: Partial<Scope> = {}, tellsReads = true): SessionCalls {
  const listener = new Listener(event => events.push(event), undefined);
  const context = {
    listener,
    tellsReads,
    keepsRefusals: false,
    objects: {},
    rejections: { read: async () => ({ rejections: [{}], comments: [] }) },
    now: () => new Date(0),
  } as never;
  const state = {
    context,
    by: BY,
    views: new Views(),
    rejections: async () => ({ tell: async () => TOLD }),
    notifier: new Notifier(context, BY),
  } as unknown as SessionState;
  return new SessionCalls(state, new SerialQueue(), { ...OUTERMOST, ...scope });
}

const given = { own: { call_id: 'c1' }, call: {} };
const pass = (_method: string, own: unknown): unknown => own;
const answers = async () => ({ message: `${toolName('undo')} done`, data: { path: 'a.txt' } });
const refuses = async () => {
  throw new EditError('NO_CHANGE', `Nothing to ${toolName('undo')}`);
};

describe('a call for an agent', () => {
  it('is answered in the words of its caller, with what people rejected', async () => {
    const answer = await calls(WORDS).make('undo', given, pass, answers);
    expect(answer).toEqual({
      message: 'take_back done\nNote: Ada rejected it.',
      data: { path: 'a.txt', rejections: [{}] },
    });
    expect(events).toMatchObject([{ kind: 'read', op: 'undo', path: 'a.txt', session: 's1' }]);
  });

  it('is refused in them, and told of once', async () => {
    const refused = calls(WORDS).make('undo', given, pass, refuses);
    await expect(refused).rejects.toMatchObject({
      code: 'NO_CHANGE',
      message: 'Nothing to take_back\nNote: Ada rejected it.',
      data: { rejections: [{}] },
    });
    expect(events).toMatchObject([{ kind: 'refusal', op: 'undo', call: 'c1' }]);
  });

  it('brings rejections with refusals alone where its messages are not shown', async () => {
    const hidden = calls({ shown: false });
    expect((await hidden.make('undo', given, pass, answers)).message).toBe('undo done');
    await expect(hidden.make('undo', given, pass, refuses)).rejects.toThrow('Ada rejected it');
  });

  it('is told of by others where the scope says so', async () => {
    const quiet = calls({ tells: false });
    expect((await quiet.make('undo', given, pass, answers)).message).toBe('undo done');
    await expect(quiet.make('undo', given, pass, refuses)).rejects.toThrow(/^Nothing to undo$/);
    expect(events.map(({ kind }) => kind)).toEqual(['read']);
  });

  it('is checked when it is made, and refused in its turn', async () => {
    const session = calls();
    const order: string[] = [];
    const first = session.make('view', given, pass, async () => {
      order.push('first');
      return answers();
    });
    const check = (method: string): never => {
      order.push(`checked ${method}`);
      throw new EditError('INVALID_INPUT', 'no path');
    };
    const second = session.make('undo', given, check, answers).catch(() => order.push('refused'));
    await Promise.all([first, second]);
    expect(order).toEqual(['checked session.undo', 'first', 'refused']);
  });

  it('is not begun once it is cancelled, which is no refusal', async () => {
    const cancelled = { own: {}, call: { signal: AbortSignal.abort('enough') } };
    await expect(calls().make('undo', cancelled, pass, answers)).rejects.toBe('enough');
    expect(events).toEqual([]);
  });

  it('takes no other option than a signal', async () => {
    const other = { own: {}, call: { timeout: 1 } as object };
    await expect(calls().make('undo', other, pass, answers)).rejects.toThrow('there is no option `timeout`');
  });
});

describe('a call that reads', () => {
  const read = (session: SessionCalls, work: () => Promise<unknown>): Promise<unknown> =>
    session.read('log', { own: { path: 'a.txt' }, call: {} }, pass, work);

  it('is an event where the workspace tells of reads', async () => {
    expect(await read(calls(), async () => ['one'])).toEqual(['one']);
    expect(events).toMatchObject([{ kind: 'read', op: 'log', path: 'a.txt' }]);
    await expect(read(calls(), refuses)).rejects.toThrow('Nothing to undo');
    expect(events).toMatchObject([{}, { kind: 'refusal', op: 'log' }]);
  });

  it('is none elsewhere, and fails with one kind of error all the same', async () => {
    const failed = read(calls({}, false), async () => {
      throw Object.assign(new Error('ENOSPC: no space'), { code: 'ENOSPC' });
    });
    await expect(failed).rejects.toMatchObject({ code: 'STORE_FAILED' });
    expect(events).toEqual([]);
  });

  it('yields no further item once it is cancelled', async () => {
    const stop = new AbortController();
    const items = calls().each(
      'entries',
      { own: {}, call: { signal: stop.signal } },
      pass,
      async function* () {
        yield 1;
        yield 2;
      },
    );
    expect(await items.next()).toEqual({ done: false, value: 1 });
    stop.abort('enough');
    await expect(items.next()).rejects.toBe('enough');
  });
});

describe('a scope within another', () => {
  it('keeps what it does not say, but for the signal', () => {
    const { signal } = new AbortController();
    const outer = { ...OUTERMOST, ...WORDS, signal, turn: 't1', model: 'm1' };
    const inner = scopeWithin(outer, { turn: 't2', model: undefined }, { known: [], began: 3 });
    expect(inner).toMatchObject({ ...WORDS, turn: 't2', model: 'm1', began: 3, shown: true, tells: true });
    expect(inner.signal).toBeUndefined();
    expect(scopeWithin(inner, {}, { known: [], began: 4 }).repeats).toBe(inner.repeats);
  });
});

describe('the helpers', () => {
  it('add rejections to an answer, or nothing', () => {
    const answer = { message: 'done', data: { commit: 'c' } };
    expect(withRejections(answer, null)).toBe(answer);
    expect(withRejections(answer, TOLD).data).toEqual({ commit: 'c', rejections: [{}] });
  });
});
