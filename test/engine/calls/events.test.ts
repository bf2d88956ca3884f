import { describe, expect, it } from 'vitest';
import { runTool, type WorkspaceEvent } from '../../../src/index.ts';
import { personRepo } from '../../helpers/person-repo.ts';

const create = { path: 'b.txt', file_text: 'x\n' };

function thrower(event: WorkspaceEvent): void {
  throw new Error(`cannot take ${event.kind}`);
}

describe('a listener that throws', () => {
  it('leaves a done edit done, and the answer says what it threw', async () => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    const session = await repo.session('s1', { onEvent: thrower });
    const done = await runTool(session, 'create', create);
    expect(done).toMatchObject({
      ok: true,
      data: { warnings: ['The listener of events (onEvent) failed at edit: cannot take edit'] },
    });
    expect(repo.read('b.txt')).toBe('x\n');
    expect((await session.log()).message).toMatch(/create b\.txt/);
  });

  it('leaves a refusal what it is, and the next answer says what it threw, once', async () => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    const session = await repo.session('s1', { onEvent: thrower });
    const refused = await runTool(session, 'create', { path: 'a.txt', file_text: 'x' });
    expect(refused).toMatchObject({ ok: false, code: 'FILE_EXISTS' });
    const warnings = ['The listener of events (onEvent) failed at refusal: cannot take refusal'];
    expect((await session.view({ path: 'a.txt' })).data).toMatchObject({ warnings });
    expect((await session.view({ path: 'a.txt' })).data).not.toHaveProperty('warnings');
  });

  it('is told to onEventError, with the event, and not to the caller', async () => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    const told: unknown[] = [];
    const onEventError = (error: unknown, { kind }: WorkspaceEvent) => told.push([String(error), kind]);
    const session = await repo.session('s1', { onEvent: thrower, onEventError });
    const done = await session.edit('create', create);
    expect(done.data.warnings).toBeUndefined();
    expect(told).toEqual([['Error: cannot take edit', 'edit']]);
  });

  it('may fail later, or with anything, and onEventError may fail as well', async () => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    const later = async (event: WorkspaceEvent): Promise<void> => thrower(event);
    const session = await repo.session('s1', {
      onEvent: later,
      onEventError: () => {
        throw Object.create(null);
      },
    });
    await session.edit('create', create);
    expect((await session.view({ path: 'b.txt' })).data).toMatchObject({
      warnings: ['onEventError failed: object'],
    });
  });
});

it('without a listener, no event is made, and the host\u2019s clock is asked for commits alone', async () => {
  const repo = personRepo({ 'a.txt': 'a\n' });
  const ask = async (onEvent?: () => void): Promise<number> => {
    let asked = 0;
    const now = (): Date => {
      asked++;
      return new Date();
    };
    const session = await repo.session('s1', { now, tellReads: true, ...(onEvent ? { onEvent } : {}) });
    const before = asked;
    await session.view({ path: 'a.txt' });
    await runTool(session, 'str_replace', { path: 'a.txt', old_str: 'none', new_str: 'x' });
    return asked - before;
  };
  expect(await ask()).toBe(0);
  expect(await ask(() => {})).toBe(2);
});
