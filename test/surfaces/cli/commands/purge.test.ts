import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { allOf } from '../../../helpers/all-of.ts';
import { personRepo, vedit, veditJson } from '../../../helpers/vedit.ts';

const KEY = 'hunter2-4711-swordfish';

async function withKey() {
  const box = personRepo();
  box.git('config', 'user.name', 'Ada');
  box.git('config', 'user.email', 'ada@example.com');
  await vedit(box, ['create', 'k.env', '-'], { input: `A=1\nKEY=${KEY}\n` });
  await vedit(box, ['replace', 'k.env', '--old', `KEY=${KEY}`, '--new', 'KEY=']);
  return box;
}

it('purges after a look, and says how it is proven', async () => {
  const box = await withKey();
  const input = KEY;
  const planned = await vedit(box, ['purge', '-n', '--text-file', '-', '--reason', 'a key'], { input });
  expect(planned.out).toContain('2 commits would be rewritten');
  expect(allOf(box)).toContain(KEY);
  const done = await vedit(box, ['purge', '--text-file', '-', '--reason', 'a key', '--yes'], { input });
  expect([done.code, done.err]).toEqual([0, '']);
  expect(done.out).toContain('It is nowhere in this repository any more.');
  expect(done.out).not.toContain(KEY);
  expect(allOf(box)).not.toContain(KEY);
  expect((await vedit(box, ['verify'])).code).toBe(0);
  expect((await vedit(box, ['show'])).out).toContain('a key');
});

it('does nothing before a person said so', async () => {
  const box = await withKey();
  const before = allOf(box);
  const line = ['purge', 'k.env', '--reason', 'a key'];
  expect(await vedit(box, line)).toMatchObject({ code: 2, err: expect.stringContaining('--yes') });
  expect(await vedit(box, ['purge', 'k.env', '--yes'])).toMatchObject({ code: 2 });
  const asked = await vedit(box, line, { tty: ['in', 'err'], stdin: Readable.from([Buffer.from('n\n')]) });
  expect(asked.err).toContain('Purge it for good? [y/N]');
  const agent = await veditJson(box, [...line, '--yes'], { env: { CLAUDECODE: '1' } });
  expect(agent).toMatchObject({ ok: false, code: 'DENIED' });
  for (const wrong of [
    ['purge', '--reason', 'r', '--yes'],
    ['purge', '../x', '--reason', 'r', '--yes'],
  ])
    expect((await vedit(box, wrong)).code).not.toBe(0);
  expect(allOf(box)).toBe(before);
});
