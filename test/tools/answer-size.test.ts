import { describe, expect, it } from 'vitest';
import { ANSWER_LIMITS, dataWithin, withinLimits } from '../../src/tools/answer-size.ts';
import { runTool } from '../../src/tools/index.ts';
import { personRepo } from '../helpers/person-repo.ts';

const done = (message: string, data: unknown) => ({ ok: true as const, message, data });

describe('an answer', () => {
  it('within the limits is as it is', () => {
    const result = done('x', { diff: 'x', lines: [1, 2], deep: { list: [{ text: 'x' }] }, none: null });
    expect(withinLimits(result)).toBe(result);
  });

  it('is cut at the end of a line, and says how much of it there is', () => {
    const text = 'a line\n'.repeat(10_000);
    const { message } = withinLimits(done(text, {}));
    expect(message.length).toBeLessThan(ANSWER_LIMITS.message + 200);
    expect(message).toMatch(/a line\n\[cut: these are 59997 of 70000 characters; ask for less/);
    expect(withinLimits(done(text, {}), true).message).toBe(text);
  });

  it('of a refusal is cut in its middle, for its end says what to do next', () => {
    const message = `STALE since then.\n${'a line\n'.repeat(10_000)}Cite version "1234".`;
    const refused = { ok: false as const, code: 'STALE' as const, message, data: {}, retryable: true };
    const cut = withinLimits(refused).message;
    expect(cut.length).toBeLessThan(ANSWER_LIMITS.refusal + 100);
    expect(cut).toMatch(
      /^STALE since then\.\na line\n.*a line\n\[cut: \d+ characters are left out here\]\na line\n.*Cite version "1234"\.$/s,
    );
    const shown = cut.split('a line\n').length - 1;
    const [, left] = /cut: (\d+)/.exec(cut)!;
    expect(Number(left)).toBe((10_000 - shown) * 'a line\n'.length);
    expect(withinLimits({ ...refused, message: '😀'.repeat(20_000) }).message).not.toMatch(/\p{Surrogate}/u);
  });

  it('leaves out fields and long texts of its data where that is asked for', () => {
    const limits = { ...ANSWER_LIMITS, text: 5, items: 2, wholeTexts: true, without: new Set(['diff']) };
    const data = {
      diff: 'x',
      note: 'short',
      text: 'too long',
      deep: { diff: 'xy' },
      list: ['a', 'too long', 'c'],
    };
    expect(dataWithin({ ...data, cut_fields: [{ field: 'before', length: 2, kept: 1 }] }, limits)).toEqual({
      note: 'short',
      deep: {},
      list: ['a', null],
      cut_fields: [
        { field: 'before', length: 2, kept: 1 },
        { field: 'diff', length: 1, kept: 0 },
        { field: 'text', length: 8, kept: 0 },
        { field: 'deep.diff', length: 2, kept: 0 },
        { field: 'list', length: 3, kept: 2 },
        { field: 'list[1]', length: 8, kept: 0 },
      ],
    });
    expect(dataWithin({ note: 'short' }, limits)).toEqual({ note: 'short' });
  });

  it('names the fields of its data that were cut', () => {
    const data = {
      diff: 'x'.repeat(2_000_000),
      entries: [{ reason: 'y' }, { lines: Array(20_000).fill(0) }],
    };
    const cut = withinLimits(done('', data)).data as typeof data & { cut_fields: unknown };
    expect(cut.diff).toHaveLength(ANSWER_LIMITS.text);
    expect(cut.entries[1]!.lines).toHaveLength(ANSWER_LIMITS.items);
    expect(cut.cut_fields).toEqual([
      { field: 'diff', length: 2_000_000, kept: 1_000_000 },
      { field: 'entries[1].lines', length: 20_000, kept: 10_000 },
    ]);
  });
});

it('blame of a long file is cut with a notice, and whole where all of it is asked for', async () => {
  const repo = personRepo({ 'a.txt': 'x\n'.repeat(2_500) });
  const session = await repo.session();
  const { message, data } = await runTool(session, 'blame', { path: 'a.txt' });
  expect((data as { lines: unknown[] }).lines).toHaveLength(2_000);
  expect(message).toMatch(/\n\[cut: /);
  const rest = await runTool(session, 'blame', { path: 'a.txt', view_range: [2_001, 2_500] });
  expect((rest.data as { lines: unknown[] }).lines).toHaveLength(500);
  expect((await session.blame({ path: 'a.txt' })).data.lines).toHaveLength(2_500);
});
