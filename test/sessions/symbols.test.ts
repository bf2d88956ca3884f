/** Symbols by the calls of a session: view, replace, insert, move, undo, blame. */

import { describe, expect, it } from 'vitest';
import type { Session } from '../../src/index.ts';
import { inMemory } from '../helpers/in-memory.ts';
import { personRepo } from '../helpers/person-repo.ts';

const TEXT = '/** Doc. */\nexport function f() {\n  return 1;\n}\n\nexport class A {\n  m() {}\n}\n';

async function textOf(session: Session, path = 'a.ts'): Promise<string> {
  const { data } = await session.read({ path });
  return data.kind === 'file' ? data.text : '';
}

async function authors(session: Session, path = 'a.ts'): Promise<string[]> {
  const { data } = await session.blame({ path });
  return data.lines.map(line => `${line.agent} ${line.text}`);
}

describe('view', () => {
  it('shows the outline, or one symbol', async () => {
    const { workspace } = await inMemory();
    const session = workspace.session({ agent: 'ada' });
    await session.edit('create', { path: 'a.ts', file_text: TEXT });
    const outline = await session.view({ path: 'a.ts', outline: true });
    expect(outline.message).toMatch(
      /^2-4\tf \(function\)\n6-8\tA \(class\)\n7-7\tA\.m \(method\)\n\[a\.ts: 3 symbols in 8 lines, version \w+, commit \w+\]$/,
    );
    const one = await session.view({ path: 'a.ts', symbol: 'f' });
    expect(one.data).toMatchObject({ from: 1, to: 4 });
    await expect(session.view({ path: 'a.ts', symbol: 'x' })).rejects.toMatchObject({ code: 'NO_MATCH' });
    await expect(session.view({ path: 'gone.ts', outline: true })).rejects.toMatchObject({
      code: 'FILE_NOT_FOUND',
    });
    await session.edit('create', { path: 'b.ts', file_text: TEXT.repeat(3) });
    const short = await session.view({ path: 'b.ts', outline: true, maxCharacters: 50 });
    expect(short.message).toContain('[cut at 50 characters: 6 more symbols');
  });
});

describe('an edit of a symbol', () => {
  it('needs a view, and goes on from the own edits of the session', async () => {
    const { workspace } = await inMemory();
    const [ada, bob] = [workspace.session({ agent: 'ada' }), workspace.session({ agent: 'bob' })];
    await ada.edit('create', { path: 'a.ts', file_text: TEXT });
    const input = { path: 'a.ts', symbol: 'A.m', new_content: '  m() {\n    return 2;\n  }\n' };
    await expect(bob.edit('replace_symbol', input)).rejects.toMatchObject({ code: 'NOT_VIEWED' });
    await bob.view({ path: 'a.ts' });
    await bob.edit('insert', { path: 'a.ts', before_symbol: 'f', insert_text: '// top\n' });
    await bob.edit('replace_symbol', input);
    await expect(ada.edit('replace_symbol', { ...input, new_content: '  m() {}\n' })).rejects.toMatchObject({
      code: 'STALE',
    });
    expect(await textOf(ada)).toBe(`// top\n${TEXT.replace('  m() {}\n', input.new_content)}`);
    await bob.undo({ count: 2 });
    expect(await textOf(ada)).toBe(TEXT);
  });
});

describe('move_lines', () => {
  it('keeps the authors, in a file and to another one, and can be undone', async () => {
    const { workspace } = await inMemory();
    const [ada, bob] = [workspace.session({ agent: 'ada' }), workspace.session({ agent: 'bob' })];
    await ada.edit('create', { path: 'a.ts', file_text: TEXT });
    await bob.edit('str_replace', { path: 'a.ts', old_str: 'return 1;', new_str: 'return 2;' });
    const before = await authors(ada);
    const carl = workspace.session({ agent: 'carl' });
    await carl.view({ path: 'a.ts' });
    await carl.edit('move_lines', { path: 'a.ts', symbol: 'f', after_symbol: 'A' });
    expect(await authors(ada)).toEqual([...before.slice(4), ...before.slice(0, 4)]);
    await carl.edit('move_lines', { path: 'a.ts', symbol: 'f', new_path: 'b.ts' });
    expect(await authors(ada, 'b.ts')).toEqual(before.slice(0, 4));
    await carl.undo({ count: 2 });
    expect(await authors(ada)).toEqual(before);
    expect(await workspace.verify()).toMatchObject({ data: { sound: true } });
  });
});

describe('the option syntax', () => {
  it('tells new parse errors, and never old ones', async () => {
    const { workspace } = await inMemory();
    const session = workspace.session();
    const made = await session.edit('create', { path: 'a.ts', file_text: TEXT });
    expect(made.data.notes).toBeUndefined();
    const broken = await session.edit('str_replace', {
      path: 'a.ts',
      old_str: '  m() {}',
      new_str: '  m() {',
    });
    expect(broken.message).toMatch(/^Note: a\.ts has new parse errors: line \d: .+: `.*`$/m);
    const other = await session.edit('str_replace', {
      path: 'a.ts',
      old_str: 'return 1',
      new_str: 'return 2',
    });
    expect(other.data.notes).toBeUndefined();
    const text = await session.edit('create', { path: 'a.txt', file_text: '({' });
    expect(text.data.notes).toBeUndefined();
  });

  it('refuses them, where it is asked to', async () => {
    const { workspace } = await inMemory({ syntax: 'refuse' });
    const session = workspace.session();
    const input = { path: 'a.json', file_text: '{ "a": 1' };
    await expect(session.edit('create', input)).rejects.toMatchObject({
      code: 'DENIED',
      message: expect.stringMatching(/^a\.json has new parse errors: line 1: CloseBraceExpected/),
      data: { rule: 'syntax', path: 'a.json' },
    });
    await session.edit('create', { ...input, file_text: '{ "a": 1 }' });
  });

  it('looks for none, where it is off', async () => {
    const { workspace } = await inMemory({ syntax: 'off' });
    const made = await workspace.session().edit('create', { path: 'a.json', file_text: '{' });
    expect(made.data.notes).toBeUndefined();
  });
});

/** Numbers that look random, and are the same in each run. */
function dice(seed: number): (below: number) => number {
  let state = seed;
  return below => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
}

const PLACES = {
  'on the branch': async () => (await inMemory()).workspace,
  'beside it': () => personRepo({ 'start.txt': 'start\n' }).open(),
};

describe.each(Object.entries(PLACES))('blame of random moves %s', (_, open) => {
  it.each([1, 2, 3])('is of those who wrote the lines: %i', async seed => {
    const workspace = await open();
    const roll = dice(seed);
    const agents = ['ada', 'bob', 'carl'].map(agent => workspace.session({ agent }));
    const files = new Map<string, Array<[agent: string, text: string]>>();
    for (const path of ['a.txt', 'b.txt']) {
      const lines = Array.from({ length: 12 }, (_, n) => `${path} ${n}`);
      await agents[0]!.edit('create', { path, file_text: `${lines.join('\n')}\n` });
      files.set(
        path,
        lines.map(text => ['ada', text]),
      );
    }
    for (let n = 0; n < 25; n++) {
      const session = agents[roll(3)]!;
      const [path, to] = [roll(2), roll(2)].map(one => ['a.txt', 'b.txt'][one]!) as [string, string];
      const [from, into] = [files.get(path)!, files.get(to)!];
      const start_line = 1 + roll(from.length);
      const end_line = Math.min(from.length, start_line + roll(3));
      await session.view({ path });
      if (roll(3) === 0) {
        const text = `${session.agent} ${seed} ${n}`;
        await session.edit('replace_lines', { path, start_line, end_line: start_line, new_content: text });
        from[start_line - 1] = [session.agent!, text];
        continue;
      }
      const before_line = 1 + roll(into.length + 1);
      const isNone = path === to && before_line >= start_line && before_line <= end_line + 1;
      if (isNone || from.length - (end_line - start_line) < 3) continue;
      await session.view({ path: to });
      await session.edit('move_lines', { path, start_line, end_line, new_path: to, before_line });
      const went = from.splice(start_line - 1, end_line - start_line + 1);
      const shift = path === to && before_line > end_line ? went.length : 0;
      into.splice(before_line - 1 - shift, 0, ...went);
    }
    for (const [path, lines] of files)
      expect(await authors(agents[0]!, path)).toEqual(lines.map(([agent, text]) => `${agent} ${text}`));
  });
});
