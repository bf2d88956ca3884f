/** The calls of a session are done in the order in which they were made, whoever waits for them. */

import { describe, expect, it } from 'vitest';
import { type Answer, type Session, toolset, type WorkspaceEvent } from '../../../src/index.ts';
import { aiTools, memoryExecute } from '../../../src/surfaces/ai.ts';
import { memoryTool, textEditorTool } from '../../../src/surfaces/anthropic.ts';
import { textEditor } from '../../helpers/agent-zero.ts';
import { codeOf, personRepo } from '../../helpers/person-repo.ts';

const FILES = { 'a.txt': 'one\ntwo\n' };

const edit = (session: Session, old_str: string, new_str: string): Promise<Answer<unknown>> =>
  session.edit('str_replace', { path: 'a.txt', old_str, new_str });

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe('calls that nobody waits for', () => {
  it('are done in their order, reads too', async () => {
    const session = await personRepo(FILES).session();
    const [, seen, , read, log, entries, diff, blame, , undone] = await Promise.all([
      edit(session, 'one', '1'),
      session.view({ path: 'a.txt' }),
      edit(session, '1', 'uno'),
      session.read({ path: 'a.txt' }),
      session.log(),
      all(session.entries()),
      session.diff(),
      session.blame({ path: 'a.txt' }),
      session.undo(),
      session.view({ path: 'a.txt' }),
    ]);
    expect(seen.data.text).toBe('1\ntwo\n');
    expect(read.data.text).toBe('uno\ntwo\n');
    expect(log.data.entries).toHaveLength(2);
    expect(entries).toHaveLength(2);
    expect(diff.data.diff).toContain('+uno\n');
    expect(blame.data.lines[0]).toMatchObject({ text: 'uno', op: 'str_replace' });
    expect(undone.data.text).toBe('1\ntwo\n');
  });

  it('go on after one that was refused', async () => {
    const session = await personRepo(FILES).session();
    const calls = [
      codeOf(edit(session, 'none', '1')),
      codeOf(edit(session, 'one', '1')),
      session.view({ path: 'a.txt' }),
    ];
    expect(await Promise.all(calls)).toMatchObject(['NO_MATCH', null, { data: { text: '1\ntwo\n' } }]);
  });

  it('take what they were given when they were made', async () => {
    const session = await personRepo({}).session();
    const input = { path: '1.txt', file_text: '1\n' };
    const options = { count: 1 };
    const made = [session.edit('create', input), session.edit('create', { path: '2.txt', file_text: '2\n' })];
    input.path = 'other.txt';
    const undone = session.undo(options);
    options.count = 2;
    await Promise.all([...made, undone]);
    expect((await session.view({ path: '.' })).data.entries).toEqual(['1.txt']);
  });

  it('are waited for by close', async () => {
    const repo = personRepo(FILES);
    const workspace = await repo.open();
    const session = workspace.session();
    const calls = [edit(session, 'one', '1'), edit(session, 'two', '2')];
    await workspace.close();
    expect(repo.read('a.txt')).toBe('1\n2\n');
    await Promise.all(calls);
  });
});

describe('an agent that asks for several things at once', () => {
  const create = { path: 'n.txt', file_text: 'new\n' };
  const view = { path: 'n.txt' };

  it('of a toolset', async () => {
    const session = await personRepo({}).session();
    const [look, make] = toolset({ tools: ['view', 'create'] });
    const [made, seen] = await Promise.all([make!.run(session, create), look!.run(session, view)]);
    expect([made, seen]).toMatchObject([{ ok: true }, { ok: true, data: { text: 'new\n' } }]);
  });

  it('of the AI SDK', async () => {
    const session = await personRepo({}).session();
    const tools = aiTools(session);
    const [, seen] = await Promise.all([tools.create!.execute(create), tools.view!.execute(view)]);
    expect(seen).toMatchObject({ ok: true, data: { text: 'new\n' } });
  });

  it('of the text editor tool', async () => {
    const session = await personRepo({}).session();
    const tool = textEditorTool(session);
    const [, seen] = await Promise.all([
      tool.run({ command: 'create', ...create }),
      tool.run({ command: 'view', ...view }),
    ]);
    expect(seen).toContain('new');
  });

  it.each([
    ['Anthropic’s runner', (session: Session) => memoryTool(session).run],
    ['the AI SDK', (session: Session) => memoryExecute(session)],
  ])('of the memory tool in %s', async (_where, tool) => {
    const run = tool(await personRepo({}).session());
    const [, list, file] = await Promise.all([
      run({ command: 'create', path: '/memories/n.md', file_text: 'new\n' }),
      run({ command: 'view', path: '/memories' }),
      run({ command: 'view', path: '/memories/n.md' }),
    ]);
    expect(list).toContain('n.md');
    expect(file).toContain('new');
  });

  it('of Agent Zero', async () => {
    const { execute } = textEditor(await personRepo({}).session());
    const [, seen, patched] = await Promise.all([
      execute({ action: 'write', path: 'n.txt', content: 'new\n' }),
      execute({ action: 'read', path: 'n.txt' }),
      execute({ action: 'patch', path: 'n.txt', old_text: 'new', new_text: 'newer' }),
    ]);
    expect(seen.message).toContain('1 new');
    expect(patched.message).toContain('1 newer');
  });
});

describe('inTurn', () => {
  it('is one call: none of the same session comes in between', async () => {
    const session = await personRepo(FILES).session();
    const texts: unknown[] = [];
    await Promise.all([
      session.inTurn(async own => {
        await edit(own, 'one', '1');
        texts.push((await own.view({ path: 'a.txt' })).data.text);
        await own.inTurn(deeper => edit(deeper, '1', 'I'));
      }),
      edit(session, 'I', 'uno'),
    ]);
    texts.push((await session.view({ path: 'a.txt' })).data.text);
    expect(texts).toEqual(['1\ntwo\n', 'uno\ntwo\n']);
  });

  it('is not begun when it was called off before its turn', async () => {
    const session = await personRepo(FILES).session();
    const stop = new AbortController();
    const calls = [
      edit(session, 'one', '1'),
      codeOf(session.inTurn(own => edit(own, '1', 'uno'), { signal: stop.signal })),
    ];
    stop.abort({ code: 'called off' });
    expect((await Promise.all(calls))[1]).toBe('called off');
    expect((await session.view({ path: 'a.txt' })).data.text).toBe('1\ntwo\n');
  });

  it('remembers for the session what was shown in it', async () => {
    const session = await personRepo(FILES).session();
    await session.inTurn(own => own.view({ path: 'a.txt' }));
    await session.edit('insert', { path: 'a.txt', insert_line: 1, insert_text: 'x' });
  });
});

describe('nobody waits for ever:', () => {
  it('one who reads the log makes calls on the way, and may stop', async () => {
    const session = await personRepo(FILES).session();
    await edit(session, 'one', '1');
    await edit(session, '1', 'uno');
    const subjects: string[] = [];
    for await (const { commit } of session.entries()) {
      subjects.push((await session.show(commit)).data.subject);
      for await (const _ of session.entries()) break;
    }
    expect(subjects).toHaveLength(2);
  });

  it('a listener makes a call of the same session', async () => {
    const repo = personRepo(FILES);
    const events: string[] = [];
    let undone: Promise<unknown> | null = null;
    const onEvent = (event: WorkspaceEvent): unknown => {
      events.push(event.kind);
      if (event.kind === 'edit') undone = session.undo();
      return undone;
    };
    const session = await repo.session('s1', { onEvent });
    await edit(session, 'one', '1');
    await undone;
    expect(events).toEqual(['edit', 'undo']);
    expect(repo.read('a.txt')).toBe('one\ntwo\n');
  });

  it('the word before a commit looks at files and history with the session that it is given', async () => {
    const texts: unknown[] = [];
    const repo = personRepo(FILES);
    const session = await repo.session('s1', {
      beforeCommit: async (_change, own) => {
        texts.push((await own.read({ path: 'a.txt' })).data.text, (await own.log()).message);
        return { note: 'looked' };
      },
    });
    const [, seen] = await Promise.all([edit(session, 'one', '1'), session.view({ path: 'a.txt' })]);
    expect(texts).toEqual(['one\ntwo\n', 'The history is empty: nothing was edited yet.']);
    expect(seen.data.text).toBe('1\ntwo\n');
  });

  it('one that waits for the outer session is denied, and the calls after it are done', async () => {
    const repo = personRepo(FILES);
    let waits = true;
    const session = await repo.session('s1', {
      patience: { engine: 50 },
      beforeCommit: async () => {
        if (waits) await session.view({ path: 'a.txt' });
        waits = false;
        return undefined;
      },
    });
    expect(await codeOf(edit(session, 'one', '1'))).toBe('DENIED');
    await edit(session, 'one', '1');
    expect(repo.read('a.txt')).toBe('1\ntwo\n');
  });
});
