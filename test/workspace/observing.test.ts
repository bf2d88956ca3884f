/** What a host sees and may say: events, refusals that are kept, editors that save. */

import { describe, expect, it } from 'vitest';
import { runTool, toolset, type WorkspaceEvent, type WorkspaceOptions } from '../../src/index.ts';
import { runMemory } from '../../src/tools/dialects/anthropic.ts';
import type { Session } from '../../src/workspace/session.ts';
import { codeOf, type Place, personRepo } from '../helpers/person-repo.ts';

const FILES = { 'a.txt': 'one\ntwo\n' };

async function watched(options: Partial<WorkspaceOptions> = {}): Promise<{
  repo: Place;
  session: Session;
  events: WorkspaceEvent[];
}> {
  const repo = personRepo(FILES);
  const events: WorkspaceEvent[] = [];
  const session = await repo.session('s1', { onEvent: event => events.push(event), ...options });
  return { repo, session, events };
}

const edit = (session: Session, old_str: string, new_str: string, more: object = {}): Promise<unknown> =>
  session.edit('str_replace', { path: 'a.txt', old_str, new_str, ...more });

describe('events', () => {
  it('tell of every edit, refusal, outside change and undo, by whom and how long it took', async () => {
    const { repo, session, events } = await watched();
    await edit(session, 'one', '1');
    await codeOf(edit(session, 'none', '1'));
    repo.write('a.txt', 'Ada\n');
    await edit(session, 'Ada', 'Bob');
    await session.undo();
    session.open('a.txt');
    const by = { session: 's1', agent: 'claude', model: 'm1' };
    expect(events.map(event => event.kind)).toEqual(['edit', 'refusal', 'outside', 'edit', 'undo', 'open']);
    expect(events).toEqual(events.map(() => expect.objectContaining(by)));
    const timed = events.filter(event => 'milliseconds' in event);
    expect(timed).toHaveLength(4);
    expect(timed.every(event => Number.isInteger(event.milliseconds))).toBe(true);
    expect(events[0]).toMatchObject({
      op: 'str_replace',
      paths: ['a.txt'],
      subject: 'str_replace a.txt (+1 -1)',
    });
    expect(events[1]).toMatchObject({ op: 'str_replace', error: { code: 'NO_MATCH' } });
  });

  it('say when, for which call and why, of refusals too, and of calls that never reached an edit', async () => {
    const now = (): Date => new Date(Date.UTC(2026, 10, 22));
    const { session, events } = await watched({ now });
    const said = { reason: 'why', call_id: 'c1', edit_id: 'e1' };
    await edit(session, 'one', '1', said);
    await codeOf(edit(session, 'none', '1', said));
    await codeOf(edit(session, 'two', '2', { ...said, nonsense: 1 }));
    const [replace] = toolset({ tools: ['str_replace'], names: { str_replace: 'put' } });
    await replace!.run(session, { path: 'a.txt', reason: 'why', edit_id: 'e1' }, 'c1');
    await session.undo({ reason: 'why', callId: 'c1', editId: 'e2' });
    session.open('a.txt');
    const time = '2026-11-22T00:00:00.000Z';
    expect(events.map(event => event.kind)).toEqual([
      'edit',
      'refusal',
      'refusal',
      'refusal',
      'undo',
      'open',
    ]);
    const ids = { time, reason: 'why', call: 'c1', edit_id: 'e1' };
    expect(events.slice(0, 4)).toEqual(Array(4).fill(expect.objectContaining(ids)));
    expect(events[4]).toMatchObject({ ...ids, edit_id: 'e2' });
    expect(events[5]).toMatchObject({ time, path: 'a.txt' });
  });

  it('tell of reads where that is asked for, and of those that were refused', async () => {
    const { session, events } = await watched({ tellReads: true });
    await session.view({ path: 'a.txt' });
    await session.read({ path: 'a.txt' });
    await session.log({ limit: 1 });
    await codeOf(session.show('nothing'));
    for await (const _ of session.entries()) break;
    expect(events.map(event => [event.kind, 'op' in event && event.op])).toEqual([
      ['read', 'view'],
      ['read', 'read'],
      ['read', 'log'],
      ['refusal', 'show'],
    ]);
    expect(events[0]).toMatchObject({ path: 'a.txt', session: 's1', agent: 'claude' });
    const quiet = await watched();
    await quiet.session.view({ path: 'a.txt' });
    await codeOf(quiet.session.show('nothing'));
    expect(quiet.events).toEqual([]);
  });

  it('are silent about dry runs and repeated requests', async () => {
    const { session, events } = await watched();
    await edit(session, 'one', '1', { dry_run: true });
    await edit(session, 'one', '1', { edit_id: 'e1' });
    await edit(session, 'one', '1', { edit_id: 'e1' });
    expect(events.map(event => event.kind)).toEqual(['edit']);
  });

  it('tell once of a call that the tools refuse, whatever it asked for', async () => {
    const { session, events } = await watched();
    await runTool(session, 'str_replace', {
      path: 'a.txt',
      old_str: 'none',
      new_str: '1',
      tool_use_id: 'c1',
    });
    await runTool(session, 'view', { path: 'a.txt', lines_please: 3 });
    await runTool(session, 'show', { commit: 'nope' });
    await runTool(session, 'erase', {});
    await runTool(session, 'preview', { path: 'a.txt', old_str: 'none' });
    expect(events).toMatchObject([
      { kind: 'refusal', op: 'str_replace', error: { code: 'NO_MATCH' }, call: 'c1' },
      { kind: 'refusal', op: 'view', error: { code: 'INVALID_INPUT' } },
      { kind: 'refusal', op: 'show' },
      { kind: 'refusal', op: 'erase', error: { code: 'INVALID_INPUT' } },
      { kind: 'refusal', op: 'preview', error: { code: 'NO_MATCH' } },
    ]);
  });

  it('tell of no refusal that a tool of several calls went on from, and once of one that it did not', async () => {
    const { session, events } = await watched({ tellReads: true });
    await runMemory(session, { command: 'view', path: '/memories' });
    await runMemory(session, { command: 'view', path: '/memories/none.md' });
    const refusals = events.filter(event => event.kind === 'refusal');
    expect(refusals).toMatchObject([{ op: 'view', error: { code: 'FILE_NOT_FOUND' } }]);
  });

  it('that a listener fails on do not make a done edit fail', async () => {
    const { repo, session } = await watched({
      onEvent: () => {
        throw new Error('listener');
      },
    });
    await edit(session, 'one', '1');
    expect(repo.read('a.txt')).toBe('1\ntwo\n');
  });

  it('become spans as OpenTelemetry has them', async () => {
    const spans: object[] = [];
    const onEvent = (event: WorkspaceEvent): void => {
      if (event.kind !== 'edit' && event.kind !== 'undo' && event.kind !== 'refusal') return;
      const endTime = Date.now();
      const status = event.kind === 'refusal' ? { code: 2, message: event.error.code } : { code: 1 };
      const attributes = {
        'gen_ai.agent.name': event.agent,
        'gen_ai.tool.name': event.op,
        'session.id': event.session,
      };
      spans.push({
        name: `execute_tool ${event.op}`,
        startTime: endTime - event.milliseconds,
        endTime,
        attributes,
        status,
      });
    };
    const { session } = await watched({ onEvent });
    await edit(session, 'one', '1');
    await codeOf(edit(session, 'none', '1'));
    expect(spans).toMatchObject([
      {
        name: 'execute_tool str_replace',
        attributes: { 'gen_ai.agent.name': 'claude', 'session.id': 's1' },
        status: { code: 1 },
      },
      { name: 'execute_tool str_replace', status: { code: 2, message: 'NO_MATCH' } },
    ]);
  });
});

describe('an editor that shows a file', () => {
  it('learns the version to save over, and may not save over a newer one', async () => {
    const { repo, session, events } = await watched();
    await edit(session, 'one', '1');
    const event = events[0] as WorkspaceEvent & { kind: 'edit' };
    const save = (text: string, version: string | null): Promise<unknown> =>
      session.edit('create', { path: 'a.txt', file_text: text, overwrite: true, version });
    await save('pane\n', event.files[0]!.version);
    expect(await codeOf(save('late\n', event.files[0]!.version))).toBe('STALE');
    expect(repo.read('a.txt')).toBe('pane\n');
  });
});

describe('refusals', () => {
  it('are kept when that is asked for, newest first, and no part of history', async () => {
    const { repo, session } = await watched({ recordRefusals: true });
    await codeOf(edit(session, 'none', '1'));
    await codeOf(session.view({ path: 'gone.txt' }));
    await edit(session, 'one', '1');
    const kept = await session.refusals();
    expect(kept).toMatchObject([
      { op: 'view', code: 'FILE_NOT_FOUND', session: 's1', agent: 'claude', model: 'm1' },
      {
        op: 'str_replace',
        code: 'NO_MATCH',
        message: expect.stringContaining('a.txt'),
        data: expect.any(Object),
      },
    ]);
    expect(await session.refusals({ op: 'view', limit: 1 })).toHaveLength(1);
    expect(await session.refusals({ path: 'gone.txt' })).toEqual([kept[0]]);
    expect(await codeOf(session.refusals({ session: 'other' }))).toBe('INVALID_INPUT');
    expect(repo.git('status', '--short')).toBe(' M a.txt');
  });

  it('are not kept otherwise', async () => {
    const { session } = await watched();
    await codeOf(edit(session, 'none', '1'));
    expect(await session.refusals()).toEqual([]);
  });
});
