/** What a host says before a commit is made: it denies a change, adds notes to it, or lets it pass. */

import { describe, expect, it } from 'vitest';
import type { BeforeCommit, PendingChange, WorkspaceEvent, WorkspaceOptions } from '../../src/index.ts';
import type { Session } from '../../src/workspace/session.ts';
import { codeOf, type Place, personRepo } from '../helpers/person-repo.ts';

const FILES = { 'a.txt': 'one\ntwo\n' };

async function watched(
  options: Partial<WorkspaceOptions>,
): Promise<{ repo: Place; session: Session; events: WorkspaceEvent[] }> {
  const repo = personRepo(FILES);
  const events: WorkspaceEvent[] = [];
  const session = await repo.session('s1', { onEvent: event => events.push(event), ...options });
  return { repo, session, events };
}

const edit = (session: Session, old_str: string, new_str: string, more: object = {}): Promise<unknown> =>
  session.edit('str_replace', { path: 'a.txt', old_str, new_str, ...more });

describe('beforeCommit', () => {
  it('denies a change, and nothing is done', async () => {
    const { repo, session, events } = await watched({
      beforeCommit: () => ({ deny: 'Fridays are for reading.' }),
    });
    await expect(edit(session, 'one', '1')).rejects.toMatchObject({
      code: 'DENIED',
      message: expect.stringContaining('Fridays'),
    });
    expect(await codeOf(edit(session, 'one', '1', { dry_run: true }))).toBe('DENIED');
    expect([repo.read('a.txt'), repo.git('for-each-ref', 'refs/vedit')]).toEqual(['one\ntwo\n', '']);
    expect(events.map(event => event.kind)).toEqual(['refusal', 'refusal']);
  });

  it('is shown what would be committed, of ways back too, and lets it pass', async () => {
    const asked: PendingChange[] = [];
    const beforeCommit: BeforeCommit = change => void asked.push(change) as undefined;
    const { session } = await watched({ beforeCommit });
    await edit(session, 'one', '1', { reason: 'count', call_id: 'c1', edit_id: 'e1' });
    await session.undo();
    expect(asked).toMatchObject([
      {
        op: 'str_replace',
        subject: 'str_replace a.txt (+1 -1)',
        reason: 'count',
        session: 's1',
        agent: 'claude',
        call: 'c1',
        edit_id: 'e1',
        paths: [{ path: 'a.txt' }],
      },
      { op: 'undo', paths: [{ path: 'a.txt' }] },
    ]);
    expect(asked[0]!.diff).toContain('+1\n');
  });

  it('adds notes to the reason: that of the workspace, then that of the session', async () => {
    const repo = personRepo(FILES);
    const workspace = await repo.open({ beforeCommit: async () => ({ note: 'Ticket-7' }) });
    const session = workspace.session({ beforeCommit: ({ reason }) => ({ note: `after: ${reason}` }) });
    await edit(session, 'one', '1', { reason: 'why' });
    expect(repo.git('log', '-1', '--format=%B', 'vedit/main')).toMatch(
      /^why \(a\.txt\)\n\nTicket-7\n\nafter: why\n\nTicket-7\n/,
    );
    await edit(session, 'two', '2');
    expect(repo.git('log', '-1', '--format=%B', 'vedit/main')).toMatch(
      /^Ticket-7 \(a\.txt\)\n\nafter: Ticket-7\n/,
    );
  });

  it('that fails denies', async () => {
    const { session } = await watched({
      beforeCommit: () => {
        throw new Error('no network');
      },
    });
    await expect(edit(session, 'one', '1')).rejects.toMatchObject({
      code: 'DENIED',
      message: expect.stringContaining('no network'),
    });
  });
});

describe('a beforeCommit that is no good', () => {
  it.each([[{}], [{ deyn: 'typo' }], [{ note: undefined }], [{ deny: false }], [true], [false], ['no']])(
    'denies when it answers %j',
    async verdict => {
      const { repo, session } = await watched({ beforeCommit: (() => verdict) as never });
      await expect(edit(session, 'one', '1')).rejects.toMatchObject({
        code: 'DENIED',
        message: expect.stringContaining('neither {"deny": "why"}'),
      });
      expect(repo.git('for-each-ref', 'refs/vedit')).toBe('');
    },
  );

  it('lets pass when it answers null', async () => {
    const asked: string[] = [];
    const beforeCommit: BeforeCommit = ({ op }) => {
      asked.push(op);
      return null;
    };
    const { repo, session } = await watched({ beforeCommit });
    await edit(session, 'one', '1', { reason: 'why' });
    expect(asked).toEqual(['str_replace']);
    expect(repo.git('log', '-1', '--format=%B', 'vedit/main')).toMatch(
      /^why \(a\.txt\)\n\nVedit-Op: str_replace\n/,
    );
    expect(repo.read('a.txt')).toBe('1\ntwo\n');
  });

  it('denies when it never answers, also because it waits for an edit of its own', async () => {
    const patience = { engine: 50 };
    const { session } = await watched({ patience, beforeCommit: () => new Promise(() => {}) });
    await expect(edit(session, 'one', '1')).rejects.toMatchObject({
      code: 'DENIED',
      message: expect.stringContaining('did not answer within 0.05 seconds'),
    });
  });
});
