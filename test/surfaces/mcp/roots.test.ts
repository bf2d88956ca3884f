import { describe, expect, it } from 'vitest';
import { connect } from '../../helpers/mcp-client.ts';
import { content, personRepo } from '../../helpers/vedit.ts';

describe('a path in another work tree', () => {
  it('is refused with its name, and edited where the server has that root too', async () => {
    const [one, other] = [personRepo(), personRepo()];
    const edit = { path: other.path('a.txt'), old_str: 'two', new_str: 'TWO' };
    const alone = await connect(one);
    const refused = await alone.call('str_replace', edit);
    expect(refused.text).toContain(`It is in another work tree, ${other.dir}`);
    const both = await connect(one, ['--root', one.dir, '--root', other.dir]);
    expect((await both.call('str_replace', edit)).isError).toBe(false);
    expect((await both.call('str_replace', { ...edit, path: 'a.txt', new_str: 'zwei' })).isError).toBe(false);
    expect([content(one, 'a.txt'), content(other, 'a.txt')]).toEqual([
      'one\nzwei\nthree\n',
      'one\nTWO\nthree\n',
    ]);
    expect(other.git('log', '-1', '--format=%an %s', 'vedit/main')).toBe(
      'test-client str_replace a.txt (+1 -1)',
    );
  });
});
