import { describe, expect, it } from 'vitest';
import { content, personRepo, vedit } from '../../../helpers/vedit.ts';

describe('run', () => {
  it('records what a command changes as one edit, and exits as the command does', async () => {
    const box = personRepo();
    box.write('b.txt', 'before\n');
    const script = 'sleep 0.05; echo x > new.txt; rm a.txt; sleep 0.05; exit 3';
    const { code, err } = await vedit(box, ['run', '--agent', 'fixer', 'sh', '-c', script]);
    expect([code, err]).toEqual([3, 'vedit: recorded shell 2 files (+1 -3)\n']);
    expect(box.git('log', '-1', '--format=%an %b', 'vedit/main')).toMatch(/^fixer sh\n/);
    expect(box.git('show', '--format=', '--name-status', 'vedit/main')).toBe('D\ta.txt\nA\tnew.txt');
    expect(content(box, 'b.txt')).toBe('before\n');
  });

  it('says where nothing changed, and what cannot be started', async () => {
    const box = personRepo();
    expect(await vedit(box, ['run', 'true'])).toEqual({
      code: 0,
      out: '',
      err: 'vedit: no change was seen (what git ignores or was told to pass over, and repositories inside, are not looked at)\n',
    });
    const { code, err } = await vedit(box, ['run', 'no-such-program']);
    expect([code, err]).toEqual([1, expect.stringContaining('no-such-program cannot be started (ENOENT)')]);
  });
});
