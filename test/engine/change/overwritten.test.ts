/** A whole file written over one that is there is told, and kept in history, as that. */

import { describe, expect, it } from 'vitest';
import { runTool } from '../../../src/index.ts';
import { codeOf, personRepo } from '../../helpers/person-repo.ts';
import { bin } from '../../helpers/vedit.ts';

const OVER = { path: 'a.txt', file_text: '1\ntwo\n', overwrite: true };

describe('create over a file', () => {
  it('says that it overwrote it, and how many lines changed', async () => {
    const repo = personRepo({ 'a.txt': '1\n2\n3\n' });
    const session = await repo.session();
    const planned = await runTool(session, 'create', { ...OVER, dry_run: true });
    expect(planned.message).toMatch(/^Dry run of create, nothing written.*\noverwrote a\.txt \(\+1 -2\)/);
    const done = await runTool(session, 'create', { ...OVER, edit_id: 'w1' });
    expect(done.message).toMatch(/^create done, commit .*:\noverwrote a\.txt \(\+1 -2\), version/);
    expect(done.data).toMatchObject({ op: 'write', subject: 'write a.txt (+1 -2)' });
    const again = await runTool(session, 'create', { ...OVER, edit_id: 'w1' });
    expect(again.data).toMatchObject({ op: 'write', repeated: true });
    expect(again.message).toContain('overwrote a.txt (+1 -2)');
  });

  it('is a write in the history, in events and before a commit, and one that makes a file is not', async () => {
    const repo = personRepo({ 'a.txt': '1\n' });
    const told: unknown[] = [];
    const session = await repo.session('s1', {
      onEvent: event => told.push('op' in event && event.op),
      beforeCommit: change => void told.push([change.op, change.subject]),
    });
    await session.edit('create', OVER);
    await session.edit('create', { path: 'n.txt', file_text: 'n\n', overwrite: true });
    expect(told).toEqual([
      ['write', 'write a.txt (+1 -0)'],
      'write',
      ['create', 'create n.txt (+1 -0)'],
      'create',
    ]);
    const { entries } = (await session.log({ op: 'write' })).data;
    expect(entries.map(one => one.subject)).toEqual(['write a.txt (+1 -0)']);
    expect(repo.git('log', '-1', '--format=%(trailers:key=Vedit-Op,valueonly)', 'vedit/main~1')).toBe(
      'write\n',
    );
    expect((await session.verify()).data.faults).toEqual([]);
  });

  it('of several files is a create as long as one is new', async () => {
    const repo = personRepo({ 'a.txt': '1\n', 'b.txt': '1\n' });
    const session = await repo.session();
    const step = (path: string, file_text: string): object => ({
      edit: 'create',
      path,
      file_text,
      overwrite: true,
    });
    const mixed = await session.change([step('a.txt', 'x\n'), step('n.txt', 'x\n')] as never);
    expect(mixed.data.op).toBe('create');
    expect(mixed.message).toContain('overwrote a.txt (+1 -1)');
    expect(mixed.message).toContain('created n.txt (+1 -0)');
    const both = await session.change([step('a.txt', 'y\n'), step('b.txt', 'y\n')] as never);
    expect(both.data.subject).toBe('write 2 files (+2 -2)');
  });

  it('is no name for an edit of one\u2019s own', async () => {
    const repo = personRepo({ 'a.txt': '1\n' });
    const own = { name: 'write', description: '', input: {}, paths: () => [], plan: () => [], example: {} };
    expect(await codeOf(repo.session('s', { edits: [own as never] }))).toBe('INVALID_INPUT');
  });

  it('is called that on the command line', async () => {
    const repo = personRepo({ 'a.txt': '1\n' });
    const { err } = await bin(repo, ['create', 'a.txt', '--text', '2\n', '--overwrite']);
    expect(err).toContain('write a.txt (+1 -1)');
  });
});
