/** Agent Zero's text_editor: its story, its three forms of a patch, its way of showing files, its intents. */

import { describe, expect, it } from 'vitest';
import type { WorkspaceEvent } from '../../src/engine/calls/events.ts';
import { checkTrail, shop, TURNS, type Turn } from '../helpers/adapter-story.ts';
import { type AgentZeroResponse, agentZeroPrompt, textEditor } from '../helpers/agent-zero.ts';
import { personRepo } from '../helpers/person-repo.ts';

const path = 'src/cart.js';

describe('text_editor', () => {
  it('tells the story', async () => {
    const repo = shop();
    const session = await repo.session('s1');
    const tool = textEditor(session);
    for (const turn of TURNS) {
      turn.before?.(repo);
      if (turn.tool === 'undo') {
        await session.undo();
        continue;
      }
      const { message, result } = await tool.execute(argsOf(turn));
      expect({ ok: result.ok, message }).toMatchObject({ ok: !turn.refused });
    }
    checkTrail(repo, { agent: 'claude', ops: ['str_replace', 'outside', 'edit_lines', 'undo'] });
  });

  it('reads with numbers, in a frame, from and to a line', async () => {
    const tool = textEditor(await personRepo({ 'a.txt': lines(12) }).session());
    const read = (input: object): Promise<AgentZeroResponse> =>
      tool.execute({ action: 'read', path: 'a.txt', ...input });
    expect((await read({ line_from: 9, line_to: '10' })).message).toBe(
      'a.txt 12 lines\n>>>\n 9 line 9\n10 line 10\n<<<',
    );
    expect((await read({ line_from: 0, line_to: 99 })).message).toContain('12 line 12');
    expect((await read({ line_from: 11, line_to: -1 })).message).toContain('\n11 line 11\n12 line 12\n');
    expect(await read({ line_from: 99 })).toMatchObject({
      message: 'a.txt 12 lines\n>>>\n\n<<<',
      result: { ok: true },
    });
    expect(await read({ line_from: 13, line_to: -1 })).toMatchObject({ result: { ok: true } });
  });

  it.each([
    [{ line_to: 0 }, 'line_to 0 is before line_from 1'],
    [{ line_to: -2 }, 'line_to -2 is before line_from 1'],
    [{ line_from: 3, line_to: 2 }, 'line_to 2 is before line_from 3'],
  ])('refuses to read %j', async (range, words) => {
    const tool = textEditor(await personRepo({ 'a.txt': lines(12) }).session());
    const { message, result } = await tool.execute({ action: 'read', path: 'a.txt', ...range });
    expect(result).toMatchObject({ ok: false, code: 'LINE_OUT_OF_RANGE' });
    expect(message).toContain(words);
  });

  it('refuses to read a folder', async () => {
    const { message, result } = await textEditor(await shop().session()).execute({
      action: 'read',
      path: 'src',
    });
    expect(result).toMatchObject({ ok: false, code: 'IS_DIRECTORY' });
    expect(message).toContain('src is a folder');
  });

  it('has shown nothing by a read past the end', async () => {
    const repo = personRepo({ 'a.txt': lines(12) });
    const tool = textEditor(await repo.session());
    expect((await tool.execute({ action: 'read', path: 'a.txt', line_from: 40 })).result.ok).toBe(true);
    const edits = [{ from: 2, to: 2, content: 'two' }];
    expect((await tool.execute({ action: 'patch', path: 'a.txt', edits })).message).toContain('NOT_VIEWED');
  });

  it('crops long lines, and shows no more than a model should read', async () => {
    const repo = personRepo({ 'a.txt': `${'x'.repeat(100)}\n${lines(9)}`, 'empty.txt': '' });
    const options = { default_line_count: 6, max_line_tokens: 10, max_total_read_tokens: 14 };
    const { message } = await textEditor(await repo.session(), options).execute({
      action: 'read',
      path: 'a.txt',
    });
    expect(message).toContain('long lines 1 cropped');
    expect(message).toContain(`1 ${'x'.repeat(40)}...`);
    expect(message).toContain('output trimmed at line 3 due to token limit');
    const unset = { max_line_tokens: undefined };
    const short = await textEditor(await repo.session(), { default_line_count: 3, ...unset }).execute({
      action: 'read',
      path: 'a.txt',
    });
    expect(short.message.split('\n')).toHaveLength(6);
    const empty = await textEditor(await repo.session()).execute({ action: 'read', path: 'empty.txt' });
    expect(empty.message).toBe('empty.txt 0 lines\n>>>\n\n<<<');
  });

  it.each([
    [{ old_text: 'line 2', new_text: 'two' }, 1],
    [{ patch_text: '@@ line 1\n-line 2\n+two' }, 1],
    [{ edits: [{ from: '2', to: '2', content: 'two' }] }, 1],
  ])('patches with %j', async (form, count) => {
    const repo = personRepo({ 'a.txt': lines(3) });
    const tool = textEditor(await repo.session());
    await tool.execute({ path: 'a.txt' }, 'text_editor:read');
    const { message, result } = await tool.execute(
      { path: 'a.txt', old_text: null, patch_text: null, edits: null, ...form },
      'text_editor:patch',
    );
    expect(result.ok).toBe(true);
    expect(message).toMatch(
      new RegExp(`^a.txt patched ${count} edits applied 3 lines now\n>>>\n1 line 1\n2 two`),
    );
    expect(repo.read('a.txt')).toBe('line 1\ntwo\nline 3\n');
  });

  it.each([
    ['-line 2\n+two\n@@\n-line 3\n+three', 2],
    ['@@ line 1\n@@ line 2\n-line 3\n+three', 1],
    ['@@\n-line 1\n+@@ one', 1],
  ])('counts the hunks of %j', async (patch_text, count) => {
    const tool = textEditor(await personRepo({ 'a.txt': lines(3) }).session());
    const { message } = await tool.execute({ action: 'patch', path: 'a.txt', patch_text });
    expect(message).toContain(`a.txt patched ${count} edits applied`);
  });

  it.each([
    [{ old_text: 'a', new_text: 'b', edits: [] }, 'provide exactly one patch form'],
    [{ patch_text: '@@', edits: [] }, 'provide exactly one patch form'],
    [{}, 'edits, patch_text, or old_text/new_text is required'],
    [{ new_text: 'b' }, 'old_text is required for exact replace'],
    [{ patch_text: ' \n' }, 'patch_text must not be empty'],
    [{ old_text: 'line 1', new_text: 'x', mode: 'fast' }, 'no field `mode`'],
    [{ edits: [{ from: 1, to: 1 }] }, 'read file before patching - line numbers unknown'],
    [{ old_text: 'line', new_text: 'x' }, 'AMBIGUOUS'],
  ])('refuses %j', async (form, words) => {
    const repo = personRepo({ 'a.txt': lines(3) });
    const { message, result } = await textEditor(await repo.session()).execute({
      action: 'patch',
      path: 'a.txt',
      ...form,
    });
    expect(result.ok).toBe(false);
    expect(message).toContain(words);
    expect(repo.git('status', '--short')).toBe('');
  });

  it('refuses an action that there is not, and a call without a path', async () => {
    const tool = textEditor(await shop().session());
    expect((await tool.execute({ action: 'erase', path })).message).toContain(
      'Supported actions: read, write, patch',
    );
    expect((await tool.execute({ action: 'READ' })).message).toContain('`path` is required');
    expect((await tool.execute('read')).result.ok).toBe(false);
  });

  it('does not save over a file that changed since it was read', async () => {
    const repo = shop();
    const tool = textEditor(await repo.session());
    const write = (content: string): Promise<AgentZeroResponse> =>
      tool.execute({ action: 'write', path, content });
    await tool.execute({ action: 'read', path });
    expect((await write('one\n')).message).toBe(
      `${path} written 1 lines, over a file that was there (+1 -3)`,
    );
    const made = await tool.execute({ action: 'write', path: 'new.js', content: 'new\n' });
    expect(made.message).toBe('new.js written 1 lines');
    expect((await write('two\n')).result.ok).toBe(true);
    repo.write(path, 'Ada\n');
    expect(await write('three\n')).toMatchObject({ result: { ok: false, code: 'STALE' } });
    expect(repo.read(path)).toBe('Ada\n');
    await tool.execute({ action: 'read', path });
    expect((await write('three\n')).result.ok).toBe(true);
    expect(repo.git('show', 'vedit/main~1:src/cart.js')).toBe('Ada');
  });

  it.each(['./', 'the root'])('knows the file under another spelling: %s', async spelling => {
    const repo = shop();
    const other = spelling === './' ? `./${path}` : repo.path(path);
    const tool = textEditor(await repo.session());
    for (const [read, written] of [
      [path, other],
      [other, path],
    ]) {
      await tool.execute({ action: 'read', path: read });
      const ours = repo.read(path);
      repo.write(path, `${ours}Ada\n`);
      const saved = await tool.execute({ action: 'write', path: written, content: 'mine\n' });
      expect(saved).toMatchObject({ result: { ok: false, code: 'STALE' } });
    }
  });

  it('tells of the file to open by its path in the workspace', async () => {
    const repo = shop();
    const events: WorkspaceEvent[] = [];
    const tool = textEditor(await repo.session('s1', { onEvent: event => events.push(event) }));
    const there = { path: repo.path(path), open_in_canvas: true };
    await tool.execute({ action: 'read', ...there });
    await tool.execute({ action: 'write', content: 'x\n', ...there });
    await tool.execute({ action: 'erase' });
    expect(events).toMatchObject([
      { kind: 'open', path },
      { kind: 'edit', paths: [path] },
      { kind: 'open', path },
      { kind: 'refusal', op: 'text_editor', error: { code: 'INVALID_INPUT' } },
    ]);
  });

  it.each(['open_in_canvas', 'open_canvas', 'open_document'])(
    'hands %s on, in the answer and as an event',
    async field => {
      const repo = shop();
      const events: WorkspaceEvent[] = [];
      const tool = textEditor(await repo.session('s1', { onEvent: event => events.push(event) }));
      const asked = await tool.execute({ action: 'read', path, [field]: 'Yes', ctxid: 'chat-1' });
      expect(asked.additional).toEqual({
        _tool_name: 'text_editor',
        action: 'read',
        path,
        extension: '.js',
        format: 'js',
        context_id: 'chat-1',
        ctxid: 'chat-1',
        open_in_canvas: true,
      });
      expect((await tool.execute({ action: 'read', path, [field]: 'no' })).additional.open_in_canvas).toBe(
        false,
      );
      expect(events.filter(event => event.kind === 'open')).toMatchObject([
        { path, session: 's1', agent: 'claude' },
      ]);
    },
  );
});

describe('the prompt', () => {
  it('has every field of every action, for a model', () => {
    const prompt = agentZeroPrompt();
    for (const word of [
      'old_text',
      'new_text',
      'patch_text',
      'edits',
      'line_from',
      'content',
      'open_in_canvas',
      'from: first line',
    ])
      expect(prompt).toContain(word);
    expect(prompt).not.toContain('undefined');
    const examples = [...prompt.matchAll(/~~~json\n(.+)\n~~~/g)].map(([, json]) => JSON.parse(json!));
    expect(examples.map(one => one.tool_name)).toEqual(examples.map(() => 'text_editor'));
  });
});

function lines(count: number): string {
  return Array.from({ length: count }, (_, n) => `line ${n + 1}\n`).join('');
}

function argsOf({ tool, input }: Turn): object {
  if (tool === 'view') return { action: 'read', path };
  if (tool === 'insert')
    return {
      action: 'patch',
      path,
      edits: [{ from: Number(input.insert_line) + 1, content: input.insert_text }],
    };
  return { action: 'patch', path, old_text: input.old_str, new_text: input.new_str };
}
