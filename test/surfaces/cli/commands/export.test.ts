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
    const [trace, ...others] = await lines('--agent-trace', '--agent', 'fixer');
    expect(others).toEqual([]);
    expect(trace).toMatchObject({
      version: '0.1.0',
      vcs: { revision: box.git('rev-parse', 'vedit/main~1') },
      tool: { name: 'vedit', version: expect.stringMatching(/^\d+\.\d+\.\d+/) },
      files: [
        {
          path: 'a.txt',
          conversations: [
            {
              contributor: { type: 'ai', model_id: 'openai/gpt-5' },
              ranges: [{ start_line: 2, end_line: 2 }],
            },
          ],
        },
      ],
    });
    expect((await lines('--jsonl')).map(({ subject }) => subject)).toEqual([
      'str_replace src/b.txt (+1 -1)',
      'str_replace a.txt (+1 -1)',
    ]);
    expect(await lines('--jsonl', '-n', '1', 'a.txt')).toMatchObject([
      { agent: 'fixer', files: [{ path: 'a.txt' }] },
    ]);
  });

  it.each([[[]], [['--jsonl', '--agent-trace']]])('wants one format: %j', async args => {
    const { code, err } = await vedit(personRepo(), ['export', ...args]);
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringContaining('--agent-trace, --jsonl or --audit'),
    });
  });
});
