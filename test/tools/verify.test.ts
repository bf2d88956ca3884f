import { describe, expect, it } from 'vitest';
import { runTool } from '../../src/index.ts';
import { personRepo } from '../helpers/person-repo.ts';

describe('the tool verify', () => {
  it('answers what it checked, and the fault with what it is about', async () => {
    const repo = personRepo({ 'a.txt': 'one\n' });
    const session = await repo.session();
    const { data } = await session.edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: 'two' });
    expect(await runTool(session, 'verify', { expect: [data.commit] })).toMatchObject({
      ok: true,
      message: `1 commit and 1 file checked, no fault. Note ${data.commit}: expect it the next time, and a history that was cut off is found.`,
      data: { sound: true, trail: 'refs/vedit/main' },
    });
    repo.write('a.txt', 'three\n');
    expect(await runTool(session, 'verify', { commits: ['abcd'] })).toMatchObject({
      ok: true,
      message: expect.stringMatching(
        /^1 fault in refs\/vedit\/main .*\nNot a fault, but for you to know:\na\.txt was changed since, not through vedit\.$/s,
      ),
      data: { sound: false, faults: [{ kind: 'expected' }], changed: [{ path: 'a.txt' }] },
    });
    expect(await runTool(session, 'verify', { expect: ['HEAD'] })).toMatchObject({
      ok: false,
      code: 'INVALID_INPUT',
    });
  });
});
