import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Workspace } from '../../src/index.ts';
import { type Place, personRepo } from '../helpers/person-repo.ts';

const folder = (box: Place): string => box.path('.git/vedit/agents');

async function scene(): Promise<{ box: Place; workspace: Workspace }> {
  const box = personRepo({ 'a.txt': 'one\n' });
  return { box, workspace: await box.open() };
}

const CLAUDE = { agent: 'claude-code', session: 's1' };

describe('the client of an agent', () => {
  it('is found by its process, from below it and by its session', async () => {
    const { box, workspace } = await scene();
    const now = { ...CLAUDE, model: 'm1', turn: 't1' };
    expect(await workspace.noteAgent({ ...now, kind: 'prompt' })).toEqual(now);
    expect(await workspace.agentClient()).toEqual(now);
    expect(await workspace.agentClient({ session: 's1' })).toEqual(now);
    expect(await workspace.agentClient({ session: 's2' })).toBeNull();
    expect(statSync(folder(box)).mode & 0o777).toBe(0o700);
  });

  it('is given a turn by each prompt that has none, and keeps it and its model to the next', async () => {
    const { workspace } = await scene();
    const tells = async (kind: 'prompt' | 'before' | 'stop', more = {}) =>
      (await workspace.noteAgent({ ...CLAUDE, kind, id: 'c1', tool: 'Bash', ...more }))!;
    const first = await tells('prompt', { model: 'm1' });
    expect(first.turn).toMatch(/^[0-9a-f]{16}$/);
    expect(await tells('before')).toEqual(first);
    expect(await tells('stop')).toEqual(first);
    const second = await tells('prompt');
    expect(second).toMatchObject({ model: 'm1', turn: expect.not.stringMatching(first.turn!) });
    expect(await tells('before', { turn: 'its own', id: 'c2' })).toMatchObject({ turn: 'its own' });
  });

  it('goes on in another session after /clear, without the turn of before; ended, it is nobody', async () => {
    const { workspace } = await scene();
    await workspace.noteAgent({ ...CLAUDE, kind: 'prompt', model: 'm1' });
    await workspace.noteAgent({ ...CLAUDE, kind: 'end' });
    expect(await workspace.agentClient()).toBeNull();
    await workspace.noteAgent({ agent: 'claude-code', session: 's2', kind: 'start' });
    expect(await workspace.agentClient()).toEqual({ agent: 'claude-code', session: 's2' });
  });

  it('is no text that a trailer cannot hold, and known by its name where its file says nothing', async () => {
    const { box, workspace } = await scene();
    await workspace.noteAgent({ ...CLAUDE, kind: 'prompt' });
    const [name] = readdirSync(folder(box)) as [string];
    const write = (text: string): void => writeFileSync(`${folder(box)}/${name}`, text);
    write('{"turn":"a\\nVedit-Op: x","model":7}');
    expect(await workspace.agentClient()).toEqual({ ...CLAUDE, turn: 'a Vedit-Op: x' });
    for (const text of ['', '[]', '{"turn":[]}', 'x'.repeat(90_000), '{"turn":'.repeat(400)]) {
      write(text);
      expect(await workspace.agentClient()).toEqual(CLAUDE);
    }
  });

  it('has its session’s id, whatever that holds', async () => {
    const { workspace } = await scene();
    const session = `s.1/${'x'.repeat(100)}`;
    await workspace.noteAgent({ agent: 'cursor', session, kind: 'prompt', turn: 't' });
    expect(await workspace.agentClient()).toEqual({ agent: 'cursor', session, turn: 't' });
    expect(await workspace.agentClient({ session })).toEqual({ agent: 'cursor', session, turn: 't' });
  });
});

describe('what was asked', () => {
  const prompts = (box: Place): string => box.path('.git/vedit/prompts');
  const ask = (workspace: Workspace, turn: string, prompt: string) =>
    workspace.noteAgent({ ...CLAUDE, kind: 'prompt', turn, prompt });
  const kept = (box: Place): string =>
    readdirSync(prompts(box))
      .map(name => readFileSync(`${prompts(box)}/${name}`, 'utf8'))
      .join('');

  it('is kept only where the config says so, the first line or all of it, for the user alone', async () => {
    const { box, workspace } = await scene();
    await ask(workspace, 't1', 'secret');
    expect(existsSync(prompts(box))).toBe(false);
    await workspace.keepPrompts('first-line');
    const first = await box.open();
    await ask(first, 't2', 'one line\nand the secret');
    expect(kept(box)).toContain('one line');
    expect(kept(box)).not.toContain('secret');
    await workspace.keepPrompts('whole');
    await ask(await box.open(), 't3', 'one line\nand the secret');
    expect(kept(box)).toContain('secret');
    expect(statSync(prompts(box)).mode & 0o777).toBe(0o700);
    await workspace.keepPrompts('off');
    await ask(await box.open(), 't4', 'more');
    expect(kept(box)).not.toContain('more');
    await expect(workspace.keepPrompts('all' as never)).rejects.toThrow('off, first-line, whole');
  });

  it('is forgotten after 30 days, beyond 20 MB, and when it is asked for', async () => {
    const { box } = await scene();
    box.git('config', 'vedit.prompts', 'whole');
    const workspace = await box.open();
    for (const turn of ['t1', 't2', 't3']) await ask(workspace, turn, turn);
    const old = Date.now() / 1000 - 31 * 24 * 60 * 60;
    utimesSync(`${prompts(box)}/t1`, old, old);
    writeFileSync(`${prompts(box)}/big`, Buffer.alloc(20_000_001));
    utimesSync(`${prompts(box)}/big`, old + 2e6, old + 2e6);
    expect((await workspace.gc()).data.forgotten).toBe(2);
    expect(readdirSync(prompts(box)).sort()).toEqual(['t2', 't3']);
    expect((await workspace.gc({ prompts: true, dryRun: true })).data.forgotten).toBe(0);
    expect((await workspace.gc({ prompts: true })).data.forgotten).toBe(2);
    expect(readdirSync(prompts(box))).toEqual([]);
  });

  it('is in no commit', async () => {
    const { box } = await scene();
    box.git('config', 'vedit.prompts', 'whole');
    const workspace = await box.open();
    await ask(workspace, 't1', 'the-secret-words');
    const session = workspace.session({ agent: 'claude-code', id: 's1', turn: 't1' });
    await session.edit('create', { path: 'b.txt', file_text: 'b\n' });
    await box.close();
    expect(box.git('log', '--all', '-p', '--format=%B')).not.toContain('the-secret-words');
  });
});
