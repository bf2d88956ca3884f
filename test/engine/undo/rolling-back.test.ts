import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { EditError, Session } from '../../../src/index.ts';
import { codeOf, ownRepo, type Place, personRepo } from '../../helpers/person-repo.ts';

const LINES = '1\n2\n3\n4\n5\n6\n7\n8\n9\n';

function change(session: Session, line: string, to: string): Promise<unknown> {
  return session.edit('str_replace', { path: 'a.txt', old_str: line, new_str: to });
}

async function sound(repo: Place): Promise<boolean> {
  return (await (await repo.open()).verify()).data.faults.length === 0;
}

async function land(repo: Place): Promise<void> {
  const user = { name: 'Ada', email: 'ada@example.com' };
  await (await repo.open({ user })).land({ message: 'landed' });
}

function refusal(call: Promise<unknown>): Promise<EditError> {
  return call.then(
    () => Promise.reject(new Error('it was done')),
    error => error,
  );
}

describe.each(['HEAD', 'main'])('rollback to %s', name => {
  it('after a landing takes back what was edited since, and nothing that landed', async () => {
    const repo = personRepo({ 'a.txt': LINES });
    const session = await repo.session();
    await change(session, '2', 'two');
    await land(repo);
    await change(session, '8', 'eight');
    await session.rollback(name);
    expect(repo.read('a.txt')).toBe(LINES.replace('2', 'two'));
    expect(repo.git('status', '--short')).toBe('');
    expect(await sound(repo)).toBe(true);
  });

  it('after a landing says when nothing was edited since', async () => {
    const repo = personRepo({ 'a.txt': LINES });
    const session = await repo.session();
    await change(session, '2', 'two');
    await land(repo);
    const error = await refusal(session.rollback(name));
    const head = repo.git('rev-parse', 'HEAD');
    expect(error.code).toBe('NO_CHANGE');
    expect(error.message).toBe(`Nothing was edited since ${name} (${head.slice(0, 12)}) "landed".`);
    expect(repo.read('a.txt')).toBe(LINES.replace('2', 'two'));
  });

  it('after a person’s commit names what was edited before it and is not in it', async () => {
    const repo = personRepo({ 'a.txt': LINES });
    const session = await repo.session();
    await change(session, '2', 'two');
    repo.write('mine.txt', 'mine\n');
    repo.git('add', 'mine.txt');
    repo.git('commit', '-qm', 'mine');
    const error = await refusal(session.rollback(name));
    expect(error.message).toMatch(
      /^Nothing was edited since .*"mine"\. What was edited in a\.txt before .*undo/,
    );
    await change(session, '8', 'eight');
    const { message } = await session.rollback(name, { withOthers: true });
    expect(message).toContain('what was edited in a.txt before');
    expect(repo.read('a.txt')).toBe(LINES.replace('2', 'two'));
    expect(repo.read('mine.txt')).toBe('mine\n');
    expect(await sound(repo)).toBe(true);
  });
});

describe('rollback to a commit of the branch', () => {
  it('that the trail was brought past keeps what persons committed since', async () => {
    const repo = personRepo({ 'a.txt': LINES });
    const session = await repo.session();
    await change(session, '2', 'two');
    repo.git('commit', '-qam', 'with two');
    repo.write('a.txt', repo.read('a.txt').replace('5', 'five'));
    repo.git('commit', '-qam', 'by hand');
    await change(session, '8', 'eight');
    await session.rollback('HEAD~1');
    expect(repo.read('a.txt')).toBe(LINES.replace('2', 'two').replace('5', 'five'));
    expect(await sound(repo)).toBe(true);
  });

  it('that is older than the trail is refused: others may have changed the files since', async () => {
    const repo = personRepo({ 'a.txt': LINES });
    repo.git('commit', '-q', '--allow-empty', '-m', 'second');
    const session = await repo.session();
    await change(session, '2', 'two');
    expect(await codeOf(session.rollback('HEAD~1'))).toBe('INVALID_INPUT');
    await session.rollback('HEAD');
    expect(repo.read('a.txt')).toBe(LINES);
  });

  it('where HEAD came back to an older one means what was edited since it came back', async () => {
    const repo = personRepo({ 'a.txt': LINES, 'b.txt': 'b\n' });
    const session = await repo.session();
    await change(session, '2', 'two');
    repo.git('commit', '-q', '--allow-empty', '-m', 'second');
    await change(session, '5', 'five');
    repo.git('reset', '-q', '--soft', 'HEAD~1');
    await change(session, '8', 'eight');
    await session.rollback('HEAD');
    expect(repo.read('a.txt')).toBe(LINES.replace('2', 'two').replace('5', 'five'));
  });

  it('that the trail knows nothing of is refused', async () => {
    const repo = personRepo({ 'a.txt': LINES });
    repo.git('branch', 'other');
    const session = await repo.session();
    await change(session, '2', 'two');
    repo.git('switch', '-q', 'other');
    repo.git('commit', '-q', '--allow-empty', '-m', 'elsewhere');
    repo.git('switch', '-q', 'main');
    expect(await codeOf(session.rollback('other'))).toBe('INVALID_INPUT');
    expect(repo.read('a.txt')).toBe(LINES.replace('2', 'two'));
  });

  it('that a merge brought to the branch that is the trail means what was edited since the merge', async () => {
    const repo = ownRepo({ 'a.txt': LINES });
    const session = await repo.session();
    repo.git('switch', '-qc', 'side');
    repo.write('side.txt', 'side\n');
    repo.git('add', '.');
    repo.git('commit', '-qm', 'side');
    repo.git('switch', '-q', 'main');
    await change(session, '2', 'two');
    repo.git('merge', '-q', '--no-edit', 'side');
    await change(session, '8', 'eight');
    await session.rollback('side');
    expect(repo.read('a.txt')).toBe(LINES.replace('2', 'two'));
    const error = await refusal(session.rollback('HEAD'));
    expect(error.message).toMatch(/^Nothing was edited since HEAD /);
  });
});

it('a file that a person deleted and somebody restored is as it was, and not gone again', async () => {
  const repo = personRepo({ 'a.txt': LINES, 'b.txt': LINES });
  const session = await repo.session();
  await change(session, '2', 'two');
  const edit = { path: 'b.txt', old_str: '3', new_str: 'three' };
  await session.edit('str_replace', edit);
  rmSync(repo.path('a.txt'));
  await session.restore({ path: '.' });
  expect(repo.read('a.txt')).toBe(LINES.replace('2', 'two'));
  await session.rollback('HEAD');
  expect([repo.read('a.txt'), repo.read('b.txt')]).toEqual([LINES, LINES]);
  expect(await sound(repo)).toBe(true);
});

it('where only a restore came since, there is nothing to roll back', async () => {
  const repo = personRepo({ 'a.txt': LINES });
  const session = await repo.session();
  await change(session, '2', 'two');
  rmSync(repo.path('a.txt'));
  await session.restore({ path: '.' });
  await expect(session.rollback('~2')).rejects.toMatchObject({ code: 'NO_CHANGE' });
  expect(repo.read('a.txt')).toBe(LINES.replace('2', 'two'));
});

it('rollback puts back what a revert of a redo took', async () => {
  const repo = personRepo({ 'a.txt': LINES });
  const session = await repo.session();
  await change(session, '2', 'two');
  await session.undo();
  await session.redo();
  await session.revert('@');
  expect(repo.read('a.txt')).toBe(LINES);
  await session.rollback('~1');
  expect(repo.read('a.txt')).toBe(LINES.replace('2', 'two'));
  expect(await sound(repo)).toBe(true);
});
