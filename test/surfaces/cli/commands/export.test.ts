import { describe, expect, it } from 'vitest';
import { personRepo, vedit } from '../../../helpers/vedit.ts';

describe('export', () => {
  it('prints one record a line, of the edits that are asked for', async () => {
    const box = personRepo();
    await vedit(box, ['replace', 'a.txt', 'two', 'TWO', '--agent', 'fixer', '--model', 'gpt-5']);
    await vedit(box, ['replace', 'src/b.txt', 'x', 'z', '--agent', 'other']);
    const lines = async (...args: string[]): Promise<Array<Record<string, never>>> => {
      const { code, out, err } = await vedit(box, ['export', ...args]);
      expect({ code, err }).toEqual({ code: 0, err: '' });
      return out
        .split('\n')
        .slice(0, -1)
        .map(line => JSON.parse(line));
    };
    const [record, ...others] = await lines('--jsonl', '--agent', 'fixer');
    expect(others).toEqual([]);
    expect(record).toMatchObject({
      commit: box.git('rev-parse', 'vedit/main~1'),
      model: 'gpt-5',
      files: [{ path: 'a.txt', ranges: [{ start_line: 2, end_line: 2 }] }],
    });
    expect((await lines('--jsonl')).map(({ subject }) => subject)).toEqual([
      'str_replace src/b.txt (+1 -1)',
      'str_replace a.txt (+1 -1)',
    ]);
    expect(await lines('--jsonl', '-n', '1', 'a.txt')).toMatchObject([
      { agent: 'fixer', files: [{ path: 'a.txt' }] },
    ]);
  });

  it.each([[[]], [['--jsonl', '--audit']]])('wants one format: %j', async args => {
    const { code, err } = await vedit(personRepo(), ['export', ...args]);
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringContaining('say which format: --jsonl or --audit'),
    });
  });
});
