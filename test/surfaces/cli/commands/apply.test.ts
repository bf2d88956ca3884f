import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../helpers/real-git.ts';
import { content, personRepo, plainFolder, type Ran, vedit } from '../../../helpers/vedit.ts';

type Answer = { id?: unknown; ok: boolean; code?: string; message: string; data: Record<string, unknown> };

async function apply(
  box: Sandbox,
  calls: readonly unknown[],
  ...args: string[]
): Promise<Ran & { answers: Answer[] }> {
  const input = calls.map(call => `${typeof call === 'string' ? call : JSON.stringify(call)}\n`).join('');
  const ran = await vedit(box, ['apply', ...args], { input });
  return {
    ...ran,
    answers: ran.out
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line)),
  };
}

const view = { tool: 'view', input: { path: 'a.txt' } };
const insert = { tool: 'insert', input: { path: 'a.txt', insert_line: 1, insert_text: 'new' } };

describe('apply', () => {
  it('answers each call in order, with the id that came with it', async () => {
    const { code, err, answers } = await apply(personRepo(), [
      { ...view, id: 'c1' },
      { tool: 'status', id: 2 },
      view,
    ]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(answers.map(({ id, ok }) => ({ id, ok }))).toEqual([
      { id: 'c1', ok: true },
      { id: 2, ok: true },
      { ok: true },
    ]);
  });

  it('is one session: a view licenses the line numbers after it', async () => {
    const box = personRepo();
    const { answers } = await apply(
      box,
      [insert, view, insert],
      '--agent',
      'bot',
      '--session',
      's1',
      '--model',
      'm',
    );
    expect(answers.map(one => one.code ?? 'ok')).toEqual(['NOT_VIEWED', 'ok', 'ok']);
    expect(content(box, 'a.txt')).toBe('one\nnew\ntwo\nthree\n');
    expect(
      box.git('log', '-1', '--format=%an %(trailers:key=Vedit-Session,valueonly)', 'vedit/main').trim(),
    ).toBe('bot s1');
  });

  it('takes no line numbers out of an answer that was not there when the call was sent', async () => {
    const box = personRepo();
    const { answers } = await apply(box, [view, insert, insert, view, insert]);
    expect(answers.map(one => one.code ?? 'ok')).toEqual(['ok', 'ok', 'STALE', 'ok', 'ok']);
    expect(answers[2]!.message).toMatch(
      /What changed near there:\n@@ .*\n one\n\+new\n(.*\n)*.* with version "[0-9a-f]{12}"/,
    );
    expect(content(box, 'a.txt')).toBe('one\nnew\nnew\ntwo\nthree\n');
  });

  it('exits as the last refused call, whatever comes after it', async () => {
    const stale = { tool: 'create', input: { path: 'b.txt', file_text: 'x', base: 'gone' } };
    const missing = { tool: 'view', input: { path: 'gone' } };
    expect((await apply(personRepo(), [missing, view])).code).toBe(1);
    expect(
      (await apply(personRepo(), [missing, { tool: 'view', input: { path: '/etc/passwd' } }, view])).code,
    ).toBe(128);
    expect((await apply(personRepo(), [stale])).code).toBe(1);
  });

  it('answers what is no call, and goes on', async () => {
    const { code, answers } = await apply(personRepo(), [
      'nonsense',
      { tool: 'bogus' },
      { input: {}, id: 7 },
      view,
    ]);
    expect(code).toBe(1);
    expect(answers.map(({ id, ok, code }) => ({ id, ok, code }))).toEqual([
      { ok: false, code: 'INVALID_INPUT' },
      { ok: false, code: 'INVALID_INPUT' },
      { id: 7, ok: false, code: 'INVALID_INPUT' },
      { ok: true },
    ]);
    expect(answers[1]!.message).toContain('The tools are view, str_replace');
  });

  it('makes a dry run when the input says so', async () => {
    const box = personRepo();
    const call = { tool: 'create', input: { path: 'x.txt', file_text: 'x', dry_run: true } };
    const { answers } = await apply(box, [call]);
    expect(answers[0]).toMatchObject({ ok: true, data: { dry_run: true, commit: null } });
    expect(box.git('status', '--porcelain')).toBe('');
  });

  it('reads one printed call as well, and paths from the top', async () => {
    const { answers } = await apply(personRepo(), [JSON.stringify(view, null, 2)], '-C', 'src', '-');
    expect(answers).toMatchObject([{ ok: true, data: { path: 'a.txt' } }]);
  });

  it('of nothing does nothing', async () => {
    expect(await vedit(personRepo(), ['apply'], { input: '' })).toEqual({ code: 0, out: '', err: '' });
  });

  it('answers with JSON where there is no repository', async () => {
    const { code, answers } = await apply(plainFolder(), [view]);
    expect(code).toBe(128);
    expect(answers).toMatchObject([{ ok: false, code: 'NOT_A_REPOSITORY' }]);
  });

  it('says so instead of waiting for a person to type, and takes no file', async () => {
    expect((await vedit(personRepo(), ['apply'], { tty: ['in'] })).code).toBe(2);
    expect((await vedit(personRepo(), ['apply', 'calls.jsonl'])).err).toContain(
      'vedit apply < "calls.jsonl"',
    );
  });
});
