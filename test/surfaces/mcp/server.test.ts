/** The official MCP client against `vedit mcp`. */

import { mkdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { takeEngineLock } from '../../../src/fs/lock/engine-lock.ts';
import { nodePlatform } from '../../../src/git/native/platform.ts';
import { tools } from '../../../src/tools/index.ts';
import { connect } from '../../helpers/mcp-client.ts';
import { repository, type Sandbox } from '../../helpers/real-git.ts';
import { bin } from '../../helpers/vedit.ts';
import { EVERY_TOOL } from './every-tool.ts';

const READ_ONLY = tools.filter(tool => tool.readOnly).map(tool => tool.name);

describe('vedit mcp', () => {
  it('lists the tools of a set, and says once what they have in common', async () => {
    const { client } = await connect(shop());
    const { tools: listed } = await client.listTools();
    expect(listed.map(tool => tool.name)).toEqual(expect.arrayContaining(['view', 'str_replace', 'undo']));
    expect(client.getInstructions()).toContain('dry_run');
    expect(client.getServerVersion()).toMatchObject({ name: 'vedit' });
  });

  it('runs every tool', async () => {
    const box = shop();
    const { client, call } = await connect(box, ['--tools', 'all']);
    const { tools: listed } = await client.listTools();
    const done = new Set<string>();
    for (const {
      call: [name, input],
    } of EVERY_TOOL) {
      const answer = await call(name, input);
      expect({ name, text: answer.text, isError: answer.isError }).toMatchObject({ isError: false });
      done.add(name);
    }
    // A reply needs a comment, which no agent makes.
    expect([...done, 'reply'].sort()).toEqual(listed.map(tool => tool.name).sort());
    box.git('fsck', '--strict');
  });

  it('answers a refusal with its code, and what to send next', async () => {
    const { call } = await connect(shop());
    const refused = await call('str_replace', { path: 'list.txt', old_str: 'two', new_str: '2' });
    expect(refused.isError).toBe(true);
    expect(refused.text).toMatch(/^AMBIGUOUS: .*lines 2 and 3/s);
    const unknown = await call('str_replace', { path: 'list.txt', old_string: 'one', newtext: '1' });
    expect(unknown.isError).toBe(true);
    expect(unknown.text).toMatch(/^INVALID_INPUT: .*did you mean `new_str`/);
  });

  it('records the client as the agent, unless one is named', async () => {
    const box = shop();
    await (await connect(box)).call('str_replace', { path: 'list.txt', old_str: 'one', new_str: '1' });
    expect(
      box.git('log', '-1', '--format=%an|%(trailers:key=Vedit-Agent,valueonly)', 'vedit/main'),
    ).toContain('test-client|test-client');
    const named = await connect(box, ['--agent', 'fixer', '--session', 's9', '--model', 'm1']);
    await named.call('str_replace', { path: 'list.txt', old_str: 'three', new_str: '3' });
    const trailers = box.git('log', '-1', '--format=%(trailers)', 'vedit/main');
    expect(trailers).toMatch(/Vedit-Session: s9\nVedit-Agent: fixer\nVedit-Model: m1/);
    expect(named.log()).toContain('fixer: str_replace list.txt');
  });

  it('does calls that arrive together in their order, and loses none', async () => {
    const box = shop();
    const { call } = await connect(box);
    const together = [
      call('view', { path: 'list.txt' }),
      call('insert', { path: 'list.txt', insert_line: 0, insert_text: 'zero' }),
      ...Array.from({ length: 15 }, (_, n) => call('create', { path: `f${n}.txt`, file_text: `${n}\n` })),
    ];
    const answers = await Promise.all(together);
    expect(answers.filter(answer => answer.isError)).toEqual([]);
    const subjects = box.git('log', '--reverse', '--format=%s', 'vedit/main', '--', 'f*.txt').split('\n');
    expect(subjects).toEqual(Array.from({ length: 15 }, (_, n) => `create f${n}.txt (+1 -0)`));
  });

  it('answers everything that was asked for, when the client hangs up right after it', async () => {
    const box = shop();
    const clientInfo = { name: 'pipe', version: '1' };
    const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
    const creates = Array.from({ length: 5 }, (_, n) => {
      return { name: 'create', arguments: { path: `f${n}.txt`, file_text: 'x\n' } };
    });
    const requests = [
      { id: 1, method: 'initialize', params: hello },
      { method: 'notifications/initialized' },
      ...creates.map((params, n) => ({ id: n + 2, method: 'tools/call', params })),
    ];
    const input = requests.map(one => `${JSON.stringify({ jsonrpc: '2.0', ...one })}\n`).join('');
    const { code, out } = await bin(box, ['mcp'], { input });
    const answers = out
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line));
    expect(answers.map(({ id, result }) => [id, result.isError ?? false])).toEqual(
      [1, 2, 3, 4, 5, 6].map(id => [id, false]),
    );
    expect(code).toBe(0);
    expect(box.git('log', '--format=%an', 'main..vedit/main').split('\n')).toEqual(Array(5).fill('pipe'));
  });

  it('never begins a cancelled call, and does not commit one that has begun', async () => {
    const box = shop();
    const { call } = await connect(box);
    const lock = await holdLock(box);
    const stop = new AbortController();
    const begun = call('create', { path: 'begun.txt', file_text: 'x\n' }, { signal: stop.signal });
    const queued = call('create', { path: 'queued.txt', file_text: 'x\n' }, { signal: stop.signal });
    const kept = call('create', { path: 'kept.txt', file_text: 'x\n' });
    await new Promise(resolve => setTimeout(resolve, 300));
    stop.abort('the user pressed escape');
    await expect(begun).rejects.toThrow();
    await expect(queued).rejects.toThrow();
    await new Promise(resolve => setTimeout(resolve, 100));
    await lock.release();
    expect((await kept).isError).toBe(false);
    expect(box.git('log', '--format=%s', 'vedit/main', '^main')).toBe('create kept.txt (+1 -0)');
  });

  it('tells that it is still at it, to a client that asks', async () => {
    const box = shop();
    const { call } = await connect(box);
    const lock = await holdLock(box);
    const told: Array<{ progress: number }> = [];
    const onprogress = (progress: { progress: number }): void => void told.push(progress);
    const waiting = call('create', { path: 'a.txt', file_text: 'x\n' }, { onprogress });
    await expect.poll(() => told.length, { timeout: 20_000 }).toBeGreaterThan(2);
    await lock.release();
    expect((await waiting).isError).toBe(false);
    expect(told.map(({ progress }) => progress)).toEqual(told.map((_, index) => index));
  });

  it('offers and does nothing that writes when it is read-only', async () => {
    const box = shop();
    const { client, call } = await connect(box, ['--tools', 'all', '--read-only']);
    const { tools: listed } = await client.listTools();
    expect(listed.map(tool => tool.name)).toEqual(READ_ONLY);
    expect(listed.every(tool => tool.annotations?.readOnlyHint)).toBe(true);
    await expect(call('str_replace', { path: 'list.txt', old_str: 'one', new_str: '1' })).rejects.toThrow(
      'There is no tool "str_replace". The tools are view, ',
    );
    expect(box.git('status', '--short')).toBe('');
  });

  it('names the tool that was meant by the name that another agent has for it, as it is offered here', async () => {
    const { call } = await connect(shop(), ['--tools', 'minimal']);
    for (const [name, meant] of [
      ['edit_file', 'str_replace'],
      ['write', 'create'],
      ['strreplace', 'str_replace'],
    ])
      await expect(call(name!, { path: 'list.txt' })).rejects.toThrow(
        `There is no tool "${name}". Did you mean ${meant}? The tools are view, str_replace, insert, create, undo.`,
      );
  });

  it('waits for a repository, and tells the model what is missing', async () => {
    const box = shop();
    mkdirSync(box.path('../empty'));
    const { call } = await connect(box, ['--root', box.path('../empty')]);
    expect(await call('view', { path: 'a.txt' })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^NOT_A_REPOSITORY: /),
    });
    box.git('init', '-q', box.path('../empty'));
    expect((await call('create', { path: 'a.txt', file_text: 'x\n' })).isError).toBe(false);
  });

  it('works where the client says the project is', async () => {
    const box = shop();
    box.write('sub/b.txt', 'deep\n');
    const { call } = await connect(box, [], { CLAUDE_PROJECT_DIR: box.path('sub') });
    expect((await call('view', { path: 'b.txt' })).text).toContain('deep');
    expect(await call('view', { path: '../list.txt' })).toMatchObject({
      text: expect.stringMatching(/^OUTSIDE_WORKSPACE: /),
    });
    expect(
      (await call('str_replace', { path: box.path('sub/b.txt'), old_str: 'deep', new_str: 'd' })).isError,
    ).toBe(false);
    expect(readFileSync(box.path('sub/b.txt'), 'utf8')).toBe('d\n');
  });
});

function shop(): Sandbox {
  const box = repository();
  box.write('list.txt', 'one\ntwo\ntwo\nthree\n');
  box.git('add', '-A');
  box.git('commit', '-q', '-m', 'start');
  return box;
}

/** Another writer, who takes his time. */
function holdLock(box: Sandbox): ReturnType<typeof takeEngineLock> {
  const folder = box.path('.git/vedit');
  mkdirSync(folder, { recursive: true });
  const { fs, processes } = nodePlatform();
  return takeEngineLock({ fs, processes, folder, patience: 0 });
}
