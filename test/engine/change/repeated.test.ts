/** An edit_id with its request: the same again is answered, whoever sends it; another one is never taken for it. */

import { describe, expect, it } from 'vitest';
import {
  type CommonFields,
  type EditError,
  runTool,
  type Session,
  type StrReplaceInput,
} from '../../../src/index.ts';
import { memoryTool } from '../../../src/surfaces/anthropic.ts';
import { codeOf, ownRepo, type Place, personRepo } from '../../helpers/person-repo.ts';

const FILES = { 'f.txt': 'one\n', 'g.txt': 'one\n' };

const edit = (path: string, more: CommonFields = {}): StrReplaceInput & CommonFields => ({
  path,
  old_str: 'one',
  new_str: '1',
  ...more,
});

const count = (repo: Place): string => repo.git('rev-list', '--count', 'main..vedit/main');

const refusal = (call: Promise<unknown>): Promise<EditError> =>
  call.then(
    () => Promise.reject(new Error('was not refused')),
    error => error,
  );

describe('an edit_id that is used again', () => {
  it('by another session for another edit is an edit of its own', async () => {
    const repo = personRepo(FILES);
    const [one, two] = [await repo.session('s1'), await repo.session('s2')];
    const first = await one.edit('str_replace', edit('f.txt', { edit_id: '1' }));
    const second = await two.edit('str_replace', edit('g.txt', { edit_id: '1' }));
    expect(second.data).toMatchObject({ paths: [{ path: 'g.txt' }] });
    expect(second.data.repeated).toBeUndefined();
    expect([repo.read('f.txt'), repo.read('g.txt')]).toEqual(['1\n', '1\n']);
    // Each of the two, sent again by either, is answered with its own result.
    for (const session of [one, two, await repo.session('s3')]) {
      const again = await session.edit('str_replace', edit('f.txt', { edit_id: '1' }));
      expect(again.data).toMatchObject({ repeated: true, commit: first.data.commit });
      const other = await session.edit('str_replace', edit('g.txt', { edit_id: '1' }));
      expect(other.data).toMatchObject({ repeated: true, commit: second.data.commit });
    }
    expect(count(repo)).toBe('2');
  });

  it('by the same session for another edit is refused, and names the first', async () => {
    const repo = personRepo(FILES);
    const session = await repo.session('s1');
    const { commit } = (await session.edit('str_replace', edit('f.txt', { edit_id: 'e1' }))).data;
    for (const later of [session, await repo.session('s1')]) {
      const error = await refusal(later.edit('str_replace', edit('g.txt', { edit_id: 'e1' })));
      expect(error).toMatchObject({
        code: 'INVALID_INPUT',
        data: { commit, edit_id: 'e1', paths: ['f.txt'] },
      });
      expect(error.message).toContain(`"e1"`);
      expect(error.message).toContain(`str_replace f.txt (+1 -1), commit ${commit!.slice(0, 12)}`);
      expect(await codeOf(later.edit('str_replace', edit('g.txt', { edit_id: 'e1', dry_run: true })))).toBe(
        'INVALID_INPUT',
      );
    }
    expect(repo.read('g.txt')).toBe('one\n');
  });

  it('with the same input in other words is the same request', async () => {
    const repo = personRepo(FILES);
    const session = await repo.session('s1');
    const { commit } = (await session.edit('str_replace', edit('f.txt', { edit_id: 'e1', reason: 'why' })))
      .data;
    const inputs = [
      { new_str: '1', editId: 'e1', old_str: 'one', path: 'f.txt' },
      {
        file_path: 'f.txt',
        old_string: 'one',
        new_string: '1',
        replace_all: null,
        edit_id: 'e1',
        call_id: 'c9',
      },
      edit('f.txt', { edit_id: 'e1', dry_run: true, reason: 'said better' }),
    ];
    for (const input of inputs)
      expect((await session.edit('str_replace' as string, input)).data).toMatchObject({
        repeated: true,
        commit,
      });
    for (const other of [{ base: '@' }, { replace_all: true }, { new_str: '2' }])
      expect(await codeOf(session.edit('str_replace', edit('f.txt', { edit_id: 'e1', ...other })))).toBe(
        'INVALID_INPUT',
      );
  });

  it('with the same input of another tool is another request', async () => {
    const repo = personRepo(FILES);
    const session = await repo.session('s1');
    await session.change([{ edit: 'delete', path: 'f.txt' }], { editId: 'e1' });
    expect(await codeOf(session.edit('delete', { path: 'f.txt', edit_id: 'e1' }))).toBe('INVALID_INPUT');
  });

  it('on a checked-out trail is told apart, too', async () => {
    const repo = ownRepo(FILES);
    await (await repo.session('s1')).edit('str_replace', edit('f.txt', { edit_id: '1' }));
    await (await repo.session('s2')).edit('str_replace', edit('g.txt', { edit_id: '1' }));
    expect(repo.read('g.txt')).toBe('1\n');
  });
});

describe('a repeated request whose files have changed since', () => {
  const insert = { path: 'f.txt', insert_line: 0, insert_text: 'top', edit_id: 'i1' };

  it('shows no lines that are gone, and says that it was undone', async () => {
    const repo = personRepo({ 'f.txt': 'one\ntwo\n', 'g.txt': 'one\n' });
    const session = await repo.session('s1');
    await session.view({ path: 'f.txt' });
    const first = await session.edit('insert', insert);
    await session.undo();
    const again = await session.edit('insert', insert);
    expect(again.data).toMatchObject({ repeated: true, undone: true, commit: first.data.commit });
    expect(again.message).toContain('nothing was done again');
    expect(again.message).not.toContain('f.txt now:');
    expect(again.message).not.toContain(first.data.paths[0]!.version!.slice(0, 12));
    expect(again.message).toContain(
      'Note: what this did was taken back since. To have it done again, send it with another edit_id.',
    );
    expect(again.message).toContain('f.txt is no longer as this left it: view it before you go on.');
    await session.redo();
    const back = await session.edit('insert', insert);
    expect(back.data.undone).toBeUndefined();
    expect(back.message).toContain('f.txt now:');
  });

  it.each([
    [
      'by a later edit',
      (session: Session) => session.edit('str_replace', { path: 'f.txt', old_str: 'top', new_str: 'TOP' }),
    ],
    ['by hand', async (_: Session, repo: Place) => repo.write('f.txt', 'something else\n')],
    ['as it is gone', (session: Session) => session.edit('delete', { path: 'f.txt' })],
  ])('says so %s', async (_, change) => {
    const repo = personRepo({ 'f.txt': 'one\ntwo\n' });
    const session = await repo.session('s1');
    await session.view({ path: 'f.txt' });
    await session.edit('insert', insert);
    await change(session, repo);
    const { data, message } = await session.edit('insert', insert);
    expect(data.repeated).toBe(true);
    expect(message).not.toContain('f.txt now:');
    expect(message).toContain('f.txt is no longer as this left it');
  });

  it('shows the files that are as it left them', async () => {
    const repo = personRepo({ 'f.txt': 'one\ntwo\n', 'g.txt': 'one\n' });
    const session = await repo.session('s1');
    const both = [
      { edit: 'str_replace', ...edit('f.txt') },
      { edit: 'str_replace', ...edit('g.txt') },
    ] as const;
    await session.change(both, { editId: 'b' });
    await session.edit('str_replace', { path: 'f.txt', old_str: '1', new_str: 'I' });
    const { message, data } = await session.change(both, { editId: 'b' });
    expect(data.undone).toBeUndefined();
    expect(message).toContain('g.txt now:');
    expect(message).not.toContain('f.txt now:');
  });

  it('says it in the words of another tool', async () => {
    const repo = personRepo({ 'f.txt': 'one\n' });
    const session = await repo.session('s1');
    const asked = {
      command: 'str_replace',
      path: '/memories/f.txt',
      old_str: 'one',
      new_str: '1',
      edit_id: 'm',
    };
    const tool = memoryTool(session);
    await tool.run({ command: 'create', path: '/memories/f.txt', file_text: 'one\n' });
    await tool.run(asked);
    await session.undo();
    expect(await tool.run(asked)).toContain('/memories/f.txt is no longer as this left it: view it before');
  });
});

describe('every tool that takes an edit_id', () => {
  /** By tool: a request, and another one of it. Each begins with four edits of the session. */
  const requests: Record<string, [once: object, other: object]> = {
    undo: [{ count: 1 }, { count: 2 }],
    redo: [{ count: 1 }, { count: 2 }],
    revert: [{ commit: '@' }, { commit: '~1' }],
    rollback: [{ commit: '~1' }, { commit: '~1', paths: ['f.txt'] }],
    restore: [
      { path: 'f.txt', from: '~4' },
      { path: 'g.txt', from: '~4' },
    ],
    change: [
      { edits: [{ edit: 'create', path: 'n.txt', file_text: 'n\n' }] },
      { edits: [{ edit: 'create', path: 'm.txt', file_text: 'n\n' }] },
    ],
    create: [
      { path: 'n.txt', file_text: 'n\n' },
      { path: 'm.txt', file_text: 'n\n' },
    ],
    delete: [{ path: 'f.txt' }, { path: 'g.txt' }],
    move: [
      { path: 'f.txt', new_path: 'n.txt' },
      { path: 'f.txt', new_path: 'm.txt' },
    ],
  };

  async function edited(): Promise<{ repo: Place; session: Session }> {
    const repo = personRepo(FILES);
    const session = await repo.session('s1');
    for (const [path, text] of [
      ['f.txt', '1\n'],
      ['g.txt', '1\n'],
      ['f.txt', '2\n'],
      ['g.txt', '2\n'],
    ] as const)
      await session.edit('create', { path, file_text: text, overwrite: true });
    return { repo, session };
  }

  it.each(Object.entries(requests))(
    '%s does each request once, and no other for it',
    async (tool, [once, other]) => {
      const { repo, session } = await edited();
      if (tool === 'redo') await session.undo({ count: 2 });
      const call = (by: Session, input: object): ReturnType<typeof runTool> =>
        runTool(by, tool, { ...input, edit_id: 'e1' });
      const before = Number(count(repo));
      const first = await call(session, once);
      expect(first).toMatchObject({ ok: true });
      const { commit } = first.data as { commit: string };
      const elsewhere = await repo.session('s2');
      for (const by of [session, elsewhere])
        expect(await call(by, once)).toMatchObject({ ok: true, data: { repeated: true, commit } });
      expect(await call(session, other)).toMatchObject({
        ok: false,
        code: 'INVALID_INPUT',
        data: { commit },
      });
      expect(Number(count(repo))).toBe(before + 1);
      // Of another session it is done, or refused for what it asks, but never answered with the first result.
      const done = await call(elsewhere, other);
      expect((done.data as { repeated?: true }).repeated).toBeUndefined();
      expect(done).not.toMatchObject({ data: { field: 'edit_id' } });
    },
  );

  it('record, too', async () => {
    const repo = personRepo(FILES);
    const session = await repo.session('s1');
    repo.write('f.txt', '1\n');
    repo.write('g.txt', '1\n');
    const { commit } = (await session.record(['f.txt'], { editId: 'e1', op: 'Edit' })).data;
    expect((await session.record(['f.txt'], { editId: 'e1', op: 'Edit' })).data).toMatchObject({
      repeated: true,
      commit,
    });
    expect(await codeOf(session.record(['g.txt'], { editId: 'e1', op: 'Edit' }))).toBe('INVALID_INPUT');
    expect(
      (await (await repo.session('s2')).record(['g.txt'], { editId: 'e1', op: 'Edit' })).data.paths,
    ).toMatchObject([{ path: 'g.txt' }]);
  });

  it('a method and its tool are the same request', async () => {
    const { session } = await edited();
    await session.undo({ count: 2, editId: 'e1' });
    expect(await runTool(session, 'undo', { count: 2, edit_id: 'e1' })).toMatchObject({
      data: { repeated: true },
    });
  });

  it('a folder of memories that is gone by then was deleted by the first request', async () => {
    const session = await personRepo({ 'memories/d/a.md': 'a\n', 'memories/d/b.md': 'b\n' }).session();
    const { run } = memoryTool(session);
    const input = { command: 'delete', path: '/memories/d', edit_id: 'e1' };
    await run(input);
    expect(await run(input)).toContain('nothing was done again');
  });
});
