import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { tellIfLong, withProgress } from '../../../../src/surfaces/cli/terminal/progress.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const later = (milliseconds: number): Promise<void> =>
  new Promise(resolve => setTimeout(resolve, milliseconds));

/** The lines that are shown while this work runs, in the time of the test. */
async function shown(label: string | null, work: Parameters<typeof withProgress>[2]): Promise<string[]> {
  const lines: string[] = [];
  const running = withProgress({ progress: async words => void lines.push(words) }, label, work);
  await vi.runAllTimersAsync();
  await running;
  return lines;
}

describe('progress', () => {
  it('is silent for what is done within a second', async () => {
    expect(await shown('checking', () => later(900))).toEqual([]);
  });

  it('tells the seconds, what the work says, and is gone at the end', async () => {
    const lines = await shown('checking', async tell => {
      await later(1_500);
      tell('7 commits read');
      await later(1_000);
    });
    expect(lines).toEqual(['checking (1 s)', '7 commits read (1 s)', '7 commits read (2 s)', '']);
  });

  it('says only what the work says where other programs write', async () => {
    const lines = await shown(null, async tell => {
      tell('1 of 9');
      await later(1_500);
      tell('2 of 9');
    });
    expect(lines).toEqual(['2 of 9', '']);
  });

  it.each([
    [true, 2_000, ['fetching ...']],
    [true, 900, []],
    [false, 2_000, []],
  ])(
    'is one line beside a question for a password (terminal %s, %i ms)',
    async (isMessagesTerminal, milliseconds, lines) => {
      const told: string[] = [];
      const tell = async (words: unknown): Promise<void> => void told.push(String(words));
      const running = tellIfLong({ isMessagesTerminal, tell }, 'fetching ...', () => later(milliseconds));
      await vi.runAllTimersAsync();
      await running;
      expect(told).toEqual(lines);
    },
  );
});
