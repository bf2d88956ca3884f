import { describe, expect, it } from 'vitest';
import { runTool } from '../../src/index.ts';
import { personRepo } from '../helpers/person-repo.ts';

describe('the tool trails', () => {
  it('lists where edits go', async () => {
    const repo = personRepo({ 'a.txt': 'one\n' });
    const session = await repo.session('s1', { now: () => new Date('2026-11-20T12:00:00Z') });
    expect(await runTool(session, 'trails', {})).toMatchObject({
      ok: true,
      message: 'There is no history yet.',
    });
    const { data } = await session.edit('create', { path: 'b.txt', file_text: 'b\n' });
    expect(await runTool(session, 'trails', {})).toMatchObject({
      ok: true,
      message: `* vedit/main ${data.commit!.slice(0, 12)} 2026-11-20T12:00:00.000Z 1 edit, 1 open`,
      data: { trails: [{ ref: 'refs/vedit/main', sessions: ['s1'], left: 1 }] },
    });
  });
});
