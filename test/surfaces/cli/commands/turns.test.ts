import { expect, it } from 'vitest';
import { openWorkspace } from '../../../../src/index.ts';
import type { Sandbox } from '../../../helpers/real-git.ts';
import { content, personRepo, vedit, veditJson } from '../../../helpers/vedit.ts';

/** Two turns of one agent. */
async function edited(): Promise<Sandbox> {
  const box = personRepo();
  const workspace = await openWorkspace({ root: box.dir });
  const session = workspace.session({ id: 's1', agent: 'fixer', model: 'm1', turn: 'turn-1' });
  await session.edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: 'ONE' });
  await session.inTurn(
    async own => {
      await own.edit('str_replace', { path: 'a.txt', old_str: 'two', new_str: 'TWO' });
      await own.edit('create', { path: 'c.txt', file_text: 'c\n' });
    },
    { turn: 'turn-2', subagent: 'Explore' },
  );
  await workspace.close();
  return box;
}

it('log, diff, review and land are narrowed to a turn', async () => {
  const box = await edited();
  const log = await vedit(box, ['log', '--turn', 'latest']);
  expect(log.out).toMatch(/^Agent: {3}fixer \(m1, sub-agent Explore\)\nSession: s1\nTurn: {4}turn-2\n/m);
  expect(log.out).not.toContain('turn-1');
  const diff = await vedit(box, ['diff', '--turn', 'turn-1']);
  expect(diff.out).toContain('+ONE');
  expect(diff.out).not.toContain('+TWO');
  const review = await vedit(box, ['review', '--list', '--turn', 'turn-2', 'c.txt']);
  expect(review.out).toContain('c.txt');
  expect((await vedit(box, ['land', '--turn', 'turn-1', '-n', '--no-edit'])).out).toContain('+ONE');
  expect((await vedit(box, ['land', '--turn', 'turn-1', '-n', '--no-edit'])).out).not.toContain('+TWO');
});

it('undo takes a turn back, or what can be', async () => {
  const box = await edited();
  await vedit(box, ['replace', 'c.txt', 'c', 'changed', '--session', 's2']);
  const refused = await vedit(box, ['undo', '--turn', 'latest']);
  expect(refused).toMatchObject({ code: 3, err: expect.stringContaining('With --rest the others are.') });
  expect(content(box, 'a.txt')).toBe('ONE\nTWO\nthree\n');
  const { code, err } = await vedit(box, ['undo', '--turn', 'latest', '--rest']);
  expect({ code, err }).toEqual({ code: 0, err: expect.stringMatching(/ stays: c\.txt/) });
  expect(content(box, 'a.txt')).toBe('ONE\ntwo\nthree\n');
  expect(content(box, 'c.txt')).toBe('changed\n');
});

it('says what goes with a turn, and which there are', async () => {
  const box = await edited();
  const wrong = [
    ['undo', '2', '--turn', 'latest'],
    ['undo', '1a2b3c4', '--turn', 'latest'],
    ['diff', '~1', '--turn', 'latest'],
    ['accept', '--all', '--turn', 'latest'],
  ];
  for (const args of wrong) expect((await vedit(box, args)).code).toBe(2);
  const rest = await veditJson(box, ['undo', '--rest']);
  expect(rest).toMatchObject({ exit: 1, code: 'INVALID_INPUT', message: expect.stringContaining('--turn') });
  const none = await veditJson(box, ['undo', '--turn', 'x9']);
  expect(none).toMatchObject({ exit: 1, message: expect.stringContaining('turn-2 (fixer, ') });
});
