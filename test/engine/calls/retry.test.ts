/** session.retry: the same again, with what changed in hand, when somebody else came first. */

import { expect, expectTypeOf, it } from 'vitest';
import { EditError, type Session } from '../../../src/index.ts';
import { inMemory } from '../../helpers/in-memory.ts';

async function edited(): Promise<{ session: Session; other: Session }> {
  const { workspace } = await inMemory();
  const session = workspace.session({ id: 's1' });
  await session.edit('create', { path: 'a.txt', file_text: 'one\ntwo\n' });
  return { session, other: workspace.session({ id: 's2', agent: 'other' }) };
}

it('gives the next try what changed since, and stops at the first that is done', async () => {
  const { session, other } = await edited();
  const { data: seen } = await session.view({ path: 'a.txt' });
  const asked: Array<[number, string | null]> = [];
  const done = await session.retry(
    async ({ number, refused }) => {
      asked.push([number, refused?.data.version ?? null]);
      if (number === 1) await other.edit('str_replace', { path: 'a.txt', old_str: 'two', new_str: 'three' });
      expectTypeOf(refused).toEqualTypeOf<EditError<'STALE'> | null>();
      if (refused) expect(refused.data.changed_by[0]).toMatchObject({ agent: 'other' });
      const version = refused ? refused.data.version : seen.version;
      return session.edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: '1', version });
    },
    { on: ['STALE'] },
  );
  expect(asked).toEqual([
    [1, null],
    [2, expect.any(String)],
  ]);
  expect(done.data.commit).toEqual(expect.any(String));
  expect((await session.read({ path: 'a.txt' })).data.text).toBe('1\nthree\n');
});

it('throws the last refusal after so many tries, and other ones at once', async () => {
  const { session } = await edited();
  const refuse = (code: 'LOCKED' | 'NO_CHANGE'): { tries: number; run: () => Promise<never> } => {
    const counted = {
      tries: 0,
      run: async () => {
        counted.tries++;
        throw new EditError(code, 'no', {});
      },
    };
    return counted;
  };
  const [locked, other] = [refuse('LOCKED'), refuse('NO_CHANGE')];
  await expect(session.retry(locked.run, { tries: 2 })).rejects.toMatchObject({ code: 'LOCKED' });
  await expect(session.retry(other.run)).rejects.toMatchObject({ code: 'NO_CHANGE' });
  expect([locked.tries, other.tries]).toEqual([2, 1]);
});

it('waits for nothing any more when it is stopped', async () => {
  const { session } = await edited();
  const stop = new AbortController();
  const work = async (): Promise<never> => {
    setTimeout(() => stop.abort(new Error('stopped')));
    throw new EditError('LOCKED', 'no', {});
  };
  await expect(session.retry(work, { tries: 100, signal: stop.signal })).rejects.toThrow('stopped');
});

it('refuses options that there are not', async () => {
  const { session } = await edited();
  const wrong = { on: ['STAIL'] } as never;
  await expect(session.retry(async () => 1, wrong)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
});
