import { describe, expect, it } from 'vitest';
import { EditError, type Session, type WorkspaceEvent } from '../../src/index.ts';
import { type Run, refusal, run, type ToolResult, textOf } from '../../src/tools/run.ts';
import { personRepo } from '../helpers/person-repo.ts';

interface Told {
  session: Session;
  /** Refusals that were told of: the name, the code, the id of the call. */
  told(): unknown[];
}

async function listening(): Promise<Told> {
  const events: WorkspaceEvent[] = [];
  const onEvent = (event: WorkspaceEvent): void => void events.push(event);
  const session = await personRepo({ 'a.txt': 'one\n' }).session('s1', { onEvent, tellReads: true });
  const told = (): unknown[] =>
    events.flatMap(event => (event.kind === 'refusal' ? [[event.op, event.error.code, event.call]] : []));
  return { session, told };
}

const done: ToolResult = { ok: true, message: 'done', data: {} };
const missing = (own: Session): Promise<never> => own.view({ path: 'none.txt' }).then(() => Promise.reject());

describe('a run', () => {
  it('tells of its refusal once, under its own name, with the ids of the call', async () => {
    const { session, told } = await listening();
    const result = await run(session, { op: 'look', input: { tool_call_id: 'c1' } }, missing);
    expect(result).toMatchObject({ ok: false, code: 'FILE_NOT_FOUND' });
    expect(textOf(result)).toMatch(/^FILE_NOT_FOUND: /);
    expect(told()).toEqual([['look', 'FILE_NOT_FOUND', 'c1']]);
  });

  it('within another one tells itself, and the outer one nothing more', async () => {
    const { session, told } = await listening();
    await run(session, { op: 'outer' }, own => run(own, { op: 'inner' }, missing));
    await run(session, { op: 'outer' }, own => own.inTurn(missing));
    expect(told()).toEqual([
      ['inner', 'FILE_NOT_FOUND', undefined],
      ['outer', 'FILE_NOT_FOUND', undefined],
    ]);
  });

  it('leaves a call of the session beside it to tell of its own refusal', async () => {
    const { session, told } = await listening();
    await run(session, { op: 'look' }, async () => done);
    await missing(session).catch(() => {});
    expect(told()).toEqual([['view', 'FILE_NOT_FOUND', undefined]]);
  });

  it('rejects with the reason of its signal alone, whatever that is', async () => {
    const { session, told } = await listening();
    const reason = new EditError('LOCKED', 'no more');
    const stopped: Run = { op: 'look', signal: AbortSignal.abort(reason) };
    await expect(run(session, stopped, async () => done)).rejects.toBe(reason);
    const later = new AbortController();
    const work = async (own: Session): Promise<ToolResult> => {
      later.abort(reason);
      await own.view({ path: 'a.txt' });
      return done;
    };
    await expect(run(session, { op: 'look', signal: later.signal }, work)).rejects.toBe(reason);
    expect(told()).toEqual([]);
  });

  it('answers a fault of its work as one, with its cause', async () => {
    const { session, told } = await listening();
    const result = await run(session, { op: 'look' }, async () => {
      throw new RangeError('beyond');
    });
    expect(result).toMatchObject({ ok: false, code: 'INTERNAL_ERROR', data: { cause: 'beyond' } });
    expect(told()).toEqual([['look', 'INTERNAL_ERROR', undefined]]);
  });
});

it('a refusal as a result has all that its error says, and no stack', () => {
  const error = new EditError('LOCKED', 'held', { holder: null } as never);
  expect(refusal(error)).toEqual({
    ok: false,
    code: 'LOCKED',
    message: 'held',
    data: { holder: null },
    retryable: true,
  });
});
