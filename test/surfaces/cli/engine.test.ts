import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../helpers/real-git.ts';
import { personRepo, vedit } from '../../helpers/vedit.ts';

const TTY = { tty: ['in', 'out', 'err'] } as const;
const ADA = { GIT_AUTHOR_NAME: 'Ada Lovelace', GIT_AUTHOR_EMAIL: 'ada@example.invalid', PAGER: 'cat' };

const trail = (box: Sandbox, format: string): string[] =>
  box.git('log', '--reverse', `--format=${format}`, 'main..vedit/main').split('\n');

describe('an edit on a terminal', () => {
  it('is by the person of git’s config, in one standing session', async () => {
    const box = personRepo();
    await vedit(box, ['replace', 'a.txt', 'one', 'ONE'], { ...TTY, env: ADA });
    await vedit(box, ['create', 'b.txt', '--text', 'x\n'], { ...TTY, env: ADA });
    await vedit(box, ['undo'], { ...TTY, env: ADA });
    const format = '%an <%ae> %(trailers:key=Vedit-Session,valueonly,separator=)%(trailers:key=Vedit-Agent)';
    expect(new Set(trail(box, format))).toEqual(
      new Set(['Ada Lovelace <ada@example.invalid> ada@example.invalid']),
    );
  });

  it('is by the login name where git knows nobody', async () => {
    const box = personRepo();
    await vedit(box, ['replace', 'a.txt', 'one', 'ONE'], { ...TTY, env: { USER: 'ada', PAGER: 'cat' } });
    expect(trail(box, '%an <%ae>')).toEqual(['ada <ada@vedit.invalid>']);
  });

  it.each([
    ['that names an agent', ['--agent', 'fixer'], {}, 'fixer'],
    ['that an agent was given', [], { CLAUDECODE: '1' }, 'agent'],
  ])('%s is by the agent', async (_, args, env, author) => {
    const box = personRepo();
    await vedit(box, ['replace', 'a.txt', 'one', 'ONE', ...args], { ...TTY, env: { ...ADA, ...env } });
    expect(trail(box, '%an')).toEqual([author]);
  });

  it('is told as theirs', async () => {
    const box = personRepo();
    await vedit(box, ['replace', 'a.txt', 'one', 'ONE'], { ...TTY, env: ADA });
    expect((await vedit(box, ['blame', 'a.txt'])).out).toMatch(/^\w{7} Ada Lovelace .*ONE\n/);
    expect((await vedit(box, ['sessions'])).out).toMatch(/^ada@example\.invalid {2}Ada Lovelace /);
    expect((await vedit(box, ['land', '-n'])).out).not.toContain('Assisted-by');
  });
});

describe('an edit that no terminal sees', () => {
  it('is by an agent, in a session of its own', async () => {
    const box = personRepo();
    await vedit(box, ['replace', 'a.txt', 'one', 'ONE'], { env: ADA });
    await vedit(box, ['replace', 'a.txt', 'two', 'TWO'], { env: ADA });
    const format = '%an %(trailers:key=Vedit-Session,valueonly,separator=)';
    const [first, second] = trail(box, format);
    expect(first).toMatch(/^agent \w{12}$/);
    expect(second).not.toBe(first);
  });

  it('is by the person whose script says --as-me, and no agent may say that', async () => {
    const box = personRepo();
    const args = ['replace', 'a.txt', 'one', 'ONE', '--as-me'];
    expect(await vedit(box, args, { env: { ...ADA, CLAUDECODE: '1' } })).toMatchObject({
      code: 1,
      err: expect.stringContaining('CLAUDECODE is set'),
    });
    expect(await vedit(box, [...args, '--agent', 'fixer'], { env: ADA })).toMatchObject({ code: 2 });
    expect(await vedit(box, args, { env: ADA })).toMatchObject({ code: 0 });
    const call = { tool: 'create', input: { path: 'n.txt', file_text: 'x\n' } };
    await vedit(box, ['apply', '--as-me'], { env: ADA, input: JSON.stringify(call) });
    await vedit(box, ['run', '--as-me', 'sh', '-c', 'echo y > n.txt'], { env: ADA });
    expect(trail(box, '%an')).toEqual(['Ada Lovelace', 'Ada Lovelace', 'Ada Lovelace']);
  });

  it('is by an agent too where calls of one are applied at a terminal', async () => {
    const box = personRepo();
    const call = { tool: 'create', input: { path: 'n.txt', file_text: 'x\n' } };
    await vedit(box, ['apply'], { tty: ['out', 'err'], env: ADA, input: JSON.stringify(call) });
    expect(trail(box, '%an')).toEqual(['agent']);
  });
});

describe('a change made outside', () => {
  it('names no session, whoever recorded it', async () => {
    const box = personRepo();
    box.write('a.txt', 'one\ntwo\nthree!\n');
    await vedit(box, ['replace', 'a.txt', 'one', 'ONE', '--agent', 'fixer', '--session', 's1']);
    const format =
      '%(trailers:key=Vedit-Op,valueonly,separator=):%(trailers:key=Vedit-Session,valueonly,separator=)';
    expect(trail(box, format)).toEqual(['outside:', 'str_replace:s1']);
    expect((await vedit(box, ['log', '--session', 's1', '--oneline'])).out.split('\n')).toHaveLength(2);
  });

  it('lands with the session whose files it is in', async () => {
    const box = personRepo();
    box.write('a.txt', 'one\ntwo\nthree!\n');
    await vedit(box, ['replace', 'a.txt', 'one', 'ONE', '--session', 's1']);
    box.write('src/b.txt', 'x = 1\ny = 3\n');
    await vedit(box, ['replace', 'src/b.txt', 'x = 1', 'x = 2', '--session', 's2']);
    const lands = ['land', '--session', 's1', '--with-outside', '-m', 'both', '--no-git'];
    const { code } = await vedit(box, lands, { env: ADA });
    expect(code).toBe(0);
    expect(box.git('show', 'HEAD:a.txt')).toBe('ONE\ntwo\nthree!');
    expect(box.git('show', 'HEAD:src/b.txt')).toBe('x = 1\ny = 1');
  });
});
