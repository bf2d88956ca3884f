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
      message: expect.stringContaining('2 faults in refs/vedit/main'),
      data: {
        sound: false,
        faults: [{ kind: 'expected' }, { kind: 'file', path: 'a.txt', commit: data.commit }],
      },
    });
    expect(await runTool(session, 'verify', { expect: ['HEAD'] })).toMatchObject({
      ok: false,
      code: 'INVALID_INPUT',
    });
  });
});
