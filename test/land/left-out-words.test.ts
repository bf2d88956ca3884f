import { expect, it } from 'vitest';
import { ADA, edit, git, LINES } from '../helpers/landing.ts';
import { personRepo } from '../helpers/person-repo.ts';

it('rejected text that came back, was accepted and lands is not called left out', async () => {
  const repo = personRepo({ 'x.txt': 'x\n' });
  const workspace = await repo.open({ user: ADA });
  const session = workspace.session({ id: 's1', agent: 'claude' });
  const text = '# a\nalpha\nbeta\n';
  await session.edit('create', { path: 'a.md', file_text: text });
  await workspace.reject({ path: 'a.md', reason: 'no docs' });
  repo.write('a.md', text);
  await session.record(['a.md']);
  await workspace.accept({ path: 'a.md' });
  const { data } = await workspace.land({ git });
  expect(`${repo.git('show', 'HEAD:a.md')}\n`).toBe(text);
  expect([data.taken_back, data.discarded, data.left_out, data.notes]).toEqual([[], [], [], []]);
});

it('a restore is proposed where it brings something back, and not where what was typed would stay', async () => {
  const repo = personRepo({ 'a.txt': LINES, 'b.txt': LINES });
  await edit(repo, ['a.txt', 'two', 'TWO']);
  repo.write('a.txt', LINES.replace('two', 'typed'));
  const workspace = await repo.open({ user: ADA });
  const refused = (): Promise<string> => workspace.land({ git }).then(String, error => error.message);
  expect(await refused()).not.toContain('restore');
  expect(await refused()).toContain('If you rewrote what they had written');
  repo.git('restore', 'a.txt');
  const [, commit] = /restore a\.txt .*?([0-9a-f]{12})/.exec(await refused())!;
  await (await repo.session()).restore({ path: 'a.txt', from: commit! });
  expect(repo.read('a.txt')).toBe(LINES.replace('two', 'TWO'));
});

it('the log has a rejection as that, and not as something open; what takes it back is open as a redo is', async () => {
  const repo = personRepo({ 'a.txt': LINES });
  await edit(repo, ['a.txt', 'two', 'TWO']);
  const workspace = await repo.open({ user: ADA });
  await workspace.reject({ path: 'a.txt', reason: 'no' });
  await workspace.unreview();
  const { entries } = (await (await repo.session()).log()).data;
  expect(entries.map(({ op, status }) => [op, status.now])).toEqual([
    ['unreject', 'open'],
    ['reject', 'nothing left'],
    ['str_replace', 'open'],
  ]);
});

it('what a landing leaves out is told as log tells it: where it is away', async () => {
  const repo = personRepo({ 'a.txt': LINES, 'b.txt': LINES });
  const [gone] = await edit(repo, ['a.txt', 'two', 'TWO']);
  const [away] = await edit(repo, ['b.txt', 'two', 'TWO']);
  const workspace = await repo.open({ user: ADA });
  repo.git('stash', '-q', '--', 'b.txt');
  repo.git('checkout', '-q', 'a.txt');
  const refused = await workspace.land({ git }).then(String, error => error.message);
  expect(refused).toContain(
    `a.txt (${gone!.slice(0, 12)} taken out by hand), b.txt (${away!.slice(0, 12)} away: in stash@{0})`,
  );
});
