/** push, fetch and peers, as a person uses them. */

import { describe, expect, it } from 'vitest';
import { edit, serverRefs, shared } from '../../../helpers/clones.ts';
import { vedit, veditJson } from '../../../helpers/vedit.ts';

const FILES = { 'a.txt': 'one\ntwo\nthree\n', 'b.txt': 'b\n' };

describe('two people', () => {
  it('publish and look', async () => {
    const { ada, bob } = shared(FILES);
    await edit(ada, 'a.txt', 'two', '2');
    const dry = await vedit(ada, ['push', '-n']);
    expect(dry).toMatchObject({ code: 0, out: expect.stringContaining('1 edit:\n') });
    const pushed = await vedit(ada, ['push']);
    expect(pushed).toMatchObject({ code: 0, out: expect.stringContaining('pushed: refs/vedit/main') });
    const fetched = await vedit(bob, ['fetch']);
    const [, name] = /^fetched: (ada-[0-9]{8}\/main) \(new\)/.exec(fetched.out) ?? [];
    expect(name).toBeDefined();
    expect((await vedit(bob, ['peers'])).out).toMatch(new RegExp(`^${name} [0-9a-f]{7} .*two to 2 \\(a`));
    expect((await vedit(bob, ['log', '--oneline', '--trail', name!])).out).toContain('two to 2 (a.txt)');
    expect((await vedit(bob, ['blame', 'a.txt', '--trail', name!])).out).toContain('fixer');
    expect(await vedit(bob, ['replace', 'a.txt', 'one', '1', '--trail', name!])).toMatchObject({ code: 1 });
    expect((await vedit(bob, ['verify', '--trail', name!])).code).toBe(0);
  });

  it('see in blame who made what was landed, and before a fetch where to ask', async () => {
    const { ada, bob } = shared(FILES);
    await edit(ada, 'a.txt', 'two', '2');
    await vedit(ada, ['land', '-m', 'Landed']);
    ada.git('push', '-q', 'origin', 'main');
    bob.git('pull', '-q');
    const before = await vedit(bob, ['blame', 'a.txt']);
    expect(before).toMatchObject({ code: 0, err: expect.stringContaining('vedit fetch may bring') });
    expect(before.out).not.toContain('fixer');
    const pushed = await vedit(ada, ['push']);
    await vedit(bob, ['fetch']);
    const after = await vedit(bob, ['blame', 'a.txt']);
    expect(after).toMatchObject({ code: 0, out: expect.stringContaining('fixer'), err: '' });
    const [, clone] = /refs\/vedit-peers\/([^/]+)/.exec(pushed.out)!;
    const status = await vedit(bob, ['status', '--trail', `${clone}/main`]);
    expect(status.out).toMatch(/, landed in [0-9a-f]{12}\)/);
    expect(status.out).not.toContain('vedit land');
  });

  it('are asked what may be seen on a terminal, and refused elsewhere', async () => {
    const { server, ada } = shared(FILES);
    ada.write('b.txt', 'b\nmy secret\n');
    await edit(ada, 'b.txt', 'b\n', 'B\n');
    expect(await vedit(ada, ['push'])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/say so: --with-outside\.\n$/),
    });
    expect(await veditJson(ada, ['push'])).toMatchObject({ ok: false, code: 'INVALID_INPUT' });
    const tty = ['in', 'out', 'err'] as const;
    const no = await vedit(ada, ['push'], { tty, input: 'n\n' });
    expect(no).toMatchObject({ code: 1, err: expect.stringContaining('outside b.txt') });
    expect(serverRefs(server)).toEqual(['refs/heads/main']);
    expect(await vedit(ada, ['push'], { tty, input: 'y\n' })).toMatchObject({ code: 0 });
    expect(serverRefs(server)).toHaveLength(2);
  });
});

it('without git on the path nothing travels, and the refusal says so', async () => {
  const { server, ada } = shared(FILES);
  const env = { PATH: '/nonexistent' };
  await edit(ada, 'a.txt', 'two', '2');
  for (const command of ['push', 'fetch'])
    expect(await vedit(ada, [command], { env })).toMatchObject({
      code: 1,
      err: expect.stringContaining('Install git'),
    });
  expect(await vedit(ada, ['peers'], { env })).toMatchObject({ code: 0 });
  expect(serverRefs(server)).toEqual(['refs/heads/main']);
});
