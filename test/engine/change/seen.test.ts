/** Which line numbers a session may give: those of a view, of its own text, and of what answers have shown since. */

import { describe, expect, it } from 'vitest';
import { type EditError, type Session, toolset } from '../../../src/index.ts';
import { aiTools } from '../../../src/surfaces/ai.ts';
import { answerToolUses, memoryTool, textEditorTool } from '../../../src/surfaces/anthropic.ts';
import { textEditor } from '../../helpers/agent-zero.ts';
import { codeOf, type Place, personRepo } from '../../helpers/person-repo.ts';

/** `1` to `40`, a line each. */
const FORTY = Array.from({ length: 40 }, (_, n) => `${n + 1}\n`).join('');

async function opened(): Promise<{ repo: Place; session: Session }> {
  const repo = personRepo({ 'a.txt': FORTY });
  return { repo, session: await repo.session() };
}

const insert = (session: Session, line: number, text = 'new'): Promise<unknown> =>
  session.edit('insert', { path: 'a.txt', insert_line: line, insert_text: text });

const replace = (session: Session, from: number, to = from, more: object = {}): Promise<unknown> =>
  session.edit('replace_lines', { path: 'a.txt', start_line: from, end_line: to, new_content: 'x', ...more });

const errorOf = (call: Promise<unknown>): Promise<EditError> =>
  call.then(
    () => Promise.reject(new Error('was not refused')),
    error => error,
  );

describe('lines that an answer showed', () => {
  it('may be used by the next edit, and those around them may not', async () => {
    const { repo, session } = await opened();
    await session.view({ path: 'a.txt' });
    await insert(session, 20);
    // Lines 17 to 25 were shown.
    for (const line of [16, 26, 40])
      expect([line, await codeOf(replace(session, line))]).toEqual([line, 'STALE']);
    for (const [from, to] of [
      [16, 17],
      [25, 26],
    ])
      expect(await codeOf(replace(session, from!, to!))).toBe('STALE');
    await insert(session, 22, 'newer');
    expect(repo.read('a.txt').split('\n').slice(19, 24)).toEqual(['20', 'new', '21', 'newer', '22']);
    await replace(session, 24, 27);
    await session.edit('edit_lines', {
      path: 'a.txt',
      edits: [
        { from: 19, to: 19, content: 'X' },
        { from: 21, content: 'Y' },
      ],
    });
  });

  it('may be used where nothing was viewed, and those around them are NOT_VIEWED', async () => {
    const { session } = await opened();
    await session.edit('str_replace', { path: 'a.txt', old_str: '20\n', new_str: '20\n20.5\n' });
    await replace(session, 20);
    const error = await errorOf(replace(session, 30));
    expect(error.code).toBe('NOT_VIEWED');
    expect(error.message).toMatch(/this session has only been shown lines \d+-\d+.*View it first/s);
  });

  it('keep their numbers above a later edit, and lose them below', async () => {
    const { session } = await opened();
    await session.edit('str_replace', { path: 'a.txt', old_str: '10\n', new_str: '10\n10.5\n' });
    await session.edit('str_replace', { path: 'a.txt', old_str: '30\n', new_str: '30\n30.5\n' });
    await replace(session, 12);
    await session.edit('str_replace', { path: 'a.txt', old_str: '1\n2\n', new_str: '1\n1.5\n2\n' });
    expect(await codeOf(replace(session, 13))).toBe('NOT_VIEWED');
    expect(await codeOf(replace(session, 32))).toBe('NOT_VIEWED');
  });

  it('are those of the file as it is: not after somebody else moved it', async () => {
    const { repo, session } = await opened();
    await session.view({ path: 'a.txt' });
    await insert(session, 20);
    repo.write('a.txt', `0\n${repo.read('a.txt')}`);
    expect(await codeOf(replace(session, 21))).toBe('STALE');
    repo.write('a.txt', repo.read('a.txt').slice(2));
    await replace(session, 21);
  });

  it('are those of ways back, too', async () => {
    const { repo, session } = await opened();
    const other = await repo.session('s2');
    await other.view({ path: 'a.txt' });
    await insert(other, 20);
    await session.undo({ scope: 'trail' });
    await replace(session, 20);
    expect(await codeOf(replace(session, 3))).toBe('NOT_VIEWED');
  });

  it('go with a file that is moved', async () => {
    const { session } = await opened();
    await session.view({ path: 'a.txt' });
    await insert(session, 20);
    await session.edit('move', { path: 'a.txt', new_path: 'b.txt' });
    const edit = { path: 'b.txt', insert_line: 21, insert_text: 'x' };
    expect(await codeOf(session.edit('insert', { ...edit, insert_line: 5 }))).toBe('STALE');
    await session.edit('insert', edit);
  });

  it('of a text that became empty are its top', async () => {
    const repo = personRepo({ 'a.txt': 'one\n' });
    const session = await repo.session();
    await session.edit('str_replace', { path: 'a.txt', old_str: 'one\n' });
    await insert(session, 0, 'two');
    expect(repo.read('a.txt')).toBe('two\n');
  });

  it('are those of an answer that was lost and is sent again', async () => {
    const { repo, session } = await opened();
    const edit = { path: 'a.txt', old_str: '20\n', new_str: '20\n20.5\n', edit_id: 'e1' };
    await session.edit('str_replace', edit);
    const next = await repo.session('s2');
    expect((await next.edit('str_replace', edit)).data.repeated).toBe(true);
    await replace(next, 21);
    expect(await codeOf(replace(next, 40))).toBe('NOT_VIEWED');
  });

  it('are not those of a dry run', async () => {
    const { session } = await opened();
    await session.view({ path: 'a.txt' });
    await session.edit('insert', { path: 'a.txt', insert_line: 20, insert_text: 'new', dry_run: true });
    await replace(session, 35);
  });
});

describe('its own text', () => {
  it('is known to the session that gave it: created, overwritten, added by a patch', async () => {
    const { repo, session } = await opened();
    await session.edit('create', { path: 'a.txt', file_text: 'one\ntwo\n', overwrite: true });
    await replace(session, 2);
    expect(repo.read('a.txt')).toBe('one\nx\n');
    await session.edit('create', { path: 'b.txt', file_text: FORTY });
    await session.edit('insert', { path: 'b.txt', insert_line: 33, insert_text: 'x' });
    const patch = '*** Begin Patch\n*** Add File: c.txt\n+one\n+two\n*** End Patch\n';
    await session.edit('apply_patch', { patch });
    await session.edit('insert', { path: 'c.txt', insert_line: 2, insert_text: 'x' });
  });

  it('is known under its new name, and by those who sent it with the next edit', async () => {
    const { session } = await opened();
    await session.change([
      { edit: 'create', path: 'b.txt', file_text: `0\n${FORTY}` },
      { edit: 'move', path: 'b.txt', new_path: 'a.txt', overwrite: true },
    ]);
    await insert(session, 35);
    await Promise.all([
      session.edit('create', { path: 'a.txt', file_text: FORTY, overwrite: true }),
      insert(session, 33),
    ]);
  });

  it('is not what a way back or another session brings', async () => {
    const { repo, session } = await opened();
    const other = await repo.session('s2');
    await other.edit('delete', { path: 'a.txt' });
    await session.undo({ scope: 'trail' });
    expect(await codeOf(insert(session, 30))).toBe('NOT_VIEWED');
    await other.edit('create', { path: 'a.txt', file_text: FORTY.slice(2), overwrite: true });
    expect(await codeOf(insert(session, 30))).toBe('NOT_VIEWED');
  });

  it('that was deleted and brought back is known again', async () => {
    const { session } = await opened();
    await session.view({ path: 'a.txt' });
    await session.edit('delete', { path: 'a.txt' });
    await session.undo();
    await insert(session, 30);
  });

  it('joined with what others changed meanwhile is not', async () => {
    const { repo, session } = await opened();
    const { version } = (await session.view({ path: 'a.txt' })).data;
    repo.write('a.txt', `0\n${repo.read('a.txt')}`);
    const ours = { path: 'a.txt', file_text: `${FORTY}41\n`, overwrite: true };
    await session.edit('create', { ...ours, version, on_stale: 'rebase' });
    expect(await codeOf(insert(session, 20))).toBe('STALE');
  });
});

describe('who could not have read an answer', () => {
  it('does not speak of its lines: two inserts that were asked for at once', async () => {
    const { repo, session } = await opened();
    await session.view({ path: 'a.txt' });
    const codes = await Promise.all([insert(session, 20), insert(session, 22)].map(codeOf));
    expect(codes).toEqual([null, 'STALE']);
    expect(repo.read('a.txt')).toBe(FORTY.replace('20\n', '20\nnew\n'));
  });

  it('but where no line moved, the numbers of the view are right', async () => {
    const { session } = await opened();
    await session.view({ path: 'a.txt' });
    expect(await Promise.all([replace(session, 20), replace(session, 22)].map(codeOf))).toEqual([null, null]);
  });

  it('in the blocks of one reply', async () => {
    const { session } = await opened();
    await session.view({ path: 'a.txt' });
    const use = (id: string, insert_line: number): object => {
      const input = { command: 'insert', path: 'a.txt', insert_line, insert_text: id };
      return { type: 'tool_use', id, name: 'str_replace_based_edit_tool', input };
    };
    const first = await answerToolUses(session, [use('a', 20), use('b', 22)]);
    expect(first.map(one => one.is_error ?? false)).toEqual([false, true]);
    expect(await answerToolUses(session, [use('c', 22)])).toMatchObject([{ tool_use_id: 'c' }]);
  });

  it('in one step of a stream, which runs the first call before the second is written', async () => {
    const { session } = await opened();
    await session.view({ path: 'a.txt' });
    const { insert: tool } = aiTools(session, { tools: ['insert'] });
    const call = { path: 'a.txt', insert_line: 20, insert_text: 'x' };
    const step = [{ role: 'user' }];
    expect(await tool!.execute(call, { messages: step })).toMatchObject({ ok: true });
    const next = { ...call, insert_line: 22 };
    expect(await tool!.execute(next, { messages: step })).toMatchObject({ code: 'STALE' });
    expect(await tool!.execute(next, { messages: [...step] })).toMatchObject({ ok: true });
  });

  it('nor an agent whose framework does not show the answer', async () => {
    const { session } = await opened();
    await session.view({ path: 'a.txt' });
    const edit = { path: 'a.txt', old_str: '20\n', new_str: '20\n20.5\n' };
    await session.inTurn(own => own.edit('str_replace', edit), { shown: false });
    expect(await codeOf(insert(session, 21))).toBe('STALE');
    await session.view({ path: 'a.txt' });
    await insert(session, 21);
  });

  it('but one who waits for answers within a turn has read them', async () => {
    const { session } = await opened();
    await session.inTurn(async own => {
      await own.view({ path: 'a.txt' });
      await insert(own, 20);
      await insert(own, 22);
    });
    await insert(session, 23);
  });
});

describe('a refusal advises what its surface has:', () => {
  const stale = async (run: (input: object) => Promise<unknown>): Promise<string> => {
    const call = (input: object): Promise<unknown> => run(input).catch(error => error.message);
    return String(await call({ command: 'insert', path: 'a.txt', insert_line: 35, insert_text: 'x' }));
  };

  it('Anthropic’s tool has a view, and no version', async () => {
    const { session } = await opened();
    const tool = textEditorTool(session);
    const refused = await stale(tool.run);
    expect(refused).toMatch(/NOT_VIEWED \(retryable\): .*View it first\.$/s);
    await session.view({ path: 'a.txt' });
    await insert(session, 5);
    const moved = await stale(tool.run);
    expect(moved).toMatch(/STALE \(retryable\): .*: view a\.txt again\.$/s);
    expect(refused + moved).not.toMatch(/version|base/);
  });

  it('so has the memory tool', async () => {
    const session = await personRepo({ 'memories/a.txt': FORTY }).session();
    const input = { command: 'insert', path: '/memories/a.txt', insert_line: 35, insert_text: 'x' };
    const refused = await memoryTool(session)
      .run(input)
      .catch(error => error.message);
    expect(refused).toMatch(/View it first\.$/);
    expect(refused).not.toMatch(/version/);
  });

  it('Agent Zero reads', async () => {
    const { session } = await opened();
    const args = { action: 'patch', path: 'a.txt', edits: [{ from: 3, content: 'x' }] };
    const { message } = await textEditor(session).execute(args);
    expect(message).toContain('Read it first');
  });

  it('a toolset has its own names, or no view', async () => {
    const { session } = await opened();
    const input = { path: 'a.txt', insert_line: 3, insert_text: 'x' };
    const [, named] = toolset({ tools: ['view', 'insert'], prefix: 'file_' });
    expect((await named!.run(session, input)).message).toContain('Use file_view on it first.');
    const [alone] = toolset({ tools: ['insert'] });
    const { message } = await alone!.run(session, input);
    expect(message).toMatch(/guess\. Look at it, and send the version that it has with the line numbers/);
    expect(message).not.toMatch(/view/i);
  });
});
