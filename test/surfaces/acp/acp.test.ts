/** `vedit acp` between an editor and an agent, both of the protocol's own kit: who wrote what, and what each hears. */

import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Editor, withEditor } from '../../helpers/acp-editor.ts';
import type { Sandbox } from '../../helpers/real-git.ts';
import { BIN, cleanEnv, content, personRepo, plainFolder, vedit, veditJson } from '../../helpers/vedit.ts';

const AGENT = join(import.meta.dirname, 'agent.mjs');

function worked<T>(
  box: Sandbox,
  work: (editor: Editor) => Promise<T>,
  flags: readonly string[] = [],
): Promise<T> {
  const args = [BIN, 'acp', ...flags, '--', process.execPath, AGENT];
  return withEditor(box, { command: process.execPath, args, env: cleanEnv(box) }, work);
}

const steps = (...all: unknown[][]): string => JSON.stringify(all);

/** By its text, who wrote each line. */
async function writers(box: Sandbox, path: string): Promise<Record<string, string>> {
  const { message } = await veditJson(box, ['blame', path]);
  const lines = [...message.matchAll(/^\w+ \((.*?) \d{4}-\S+ [^)]*\) +\d+\t(.*)$/gm)];
  return Object.fromEntries(lines.map(([, who, text]) => [text, who]));
}

it('records what passes under the agent’s name, session and turn, and what others change as theirs', async () => {
  const box = personRepo();
  await worked(box, async ({ session, prompt, said }) => {
    const id = await session();
    await prompt(
      id,
      steps(
        ['write', box.path('a.txt'), 'one\nby the editor\nthree\n'],
        ['edit', box.path('a.txt'), 'three', 'by its tool'],
      ),
    );
    box.write('a.txt', content(box, 'a.txt').replace('one', 'by the person'));
    await prompt(
      id,
      steps(['terminal', 'echo in a terminal >> a.txt'], ['run', 'echo in its shell >> a.txt']),
    );
    await prompt(id, steps(['silently', box.path('new.txt'), 'told to nobody\n']));
    expect(said()).not.toContain('failed');
  });
  expect(await writers(box, 'a.txt')).toEqual({
    'by the person': expect.not.stringContaining('scripted'),
    'by the editor': 'scripted',
    'by its tool': 'scripted',
    'in a terminal': 'scripted',
    'in its shell': 'scripted',
  });
  const { out } = await vedit(box, ['log']);
  expect(out).toMatch(/Agent: {3}scripted\nSession: s-\d+\nTurn: {4}\w+/);
  expect(new Set(out.match(/Turn: {4}\w+/g)).size).toBeGreaterThanOrEqual(2);
  // Nobody is named for what the agent did behind everybody's back; it is recorded all the same.
  expect((await vedit(box, ['log', '--path', 'new.txt'])).out).not.toContain('Ada');
});

it('tells a rejection with the next prompt, once, and refuses a write that puts the lines back', async () => {
  const box = personRepo();
  await worked(box, async ({ session, prompt, said, updates }) => {
    const id = await session();
    const rejected = ['write', box.path('a.txt'), 'one\nno good\nthree\n'];
    await prompt(id, steps(rejected));
    await vedit(box, ['reject', 'a.txt', '-m', 'not like this']);
    expect(content(box, 'a.txt')).toBe('one\ntwo\nthree\n');
    await prompt(id, steps(rejected));
    expect(said()).toMatch(/heard: .*not like this/);
    expect(said()).toMatch(/write: "failed: reviewer rejected these lines.*not like this/s);
    expect(content(box, 'a.txt')).toBe('one\ntwo\nthree\n');
    updates.length = 0;
    await prompt(id, steps());
    await prompt(id, steps());
    expect(said()).not.toContain('heard');
  });
});

it('passes on what it does not know, both ways, and the refusals of either', async () => {
  const box = personRepo();
  await worked(box, async ({ context, session, prompt, said }) => {
    const id = await session();
    expect(await context.request('_odd/thing', { deep: [1, { ü: null }] })).toEqual({
      odd: { deep: [1, { ü: null }] },
    });
    await expect(context.request('_no/such', {})).rejects.toThrow(/not found/i);
    await prompt(id, steps(['ask', '_no/such', {}], ['write', box.path('no/such/folder'), 'x']));
    expect(said()).toMatch(/ask: "failed: .*write: "failed: /s);
  });
  expect((await vedit(box, ['log'])).out).not.toContain('no/such');
});

it('has the name that is given, and ends with the agent’s exit code', async () => {
  const box = personRepo();
  await worked(
    box,
    async ({ session, prompt }) => prompt(await session(), steps(['write', box.path('a.txt'), 'x\n'])),
    ['--agent', 'mine'],
  );
  expect((await vedit(box, ['log'])).out).toContain('Agent:   mine');
  const run = (...agent: string[]) => vedit(box, ['acp', '--', ...agent]);
  expect((await run(process.execPath, '-e', 'process.exit(7)')).code).toBe(7);
  expect(await run('/nowhere/agent')).toMatchObject({
    code: 2,
    err: expect.stringContaining('cannot be started'),
  });
});

it('lets the agent work where nothing can be recorded', async () => {
  const box = plainFolder();
  await worked(box, async ({ session, prompt, said }) => {
    await prompt(await session(), steps(['write', box.path('a.txt'), 'x\n']));
    expect(said()).not.toContain('failed');
  });
  expect(content(box, 'a.txt')).toBe('x\n');
});
