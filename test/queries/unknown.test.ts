/** What is said of edits that no file's history has: why, and nothing of what only brings edits of others. */

import { expect, it } from 'vitest';
import { edit, shared, using } from '../helpers/clones.ts';
import { personRepo, place } from '../helpers/person-repo.ts';
import { sandbox } from '../helpers/real-git.ts';
import { vedit } from '../helpers/vedit.ts';
import { LINES, sync } from '../sync/hosts.ts';

it('says nothing of a merge of two hosts that share the trail: each edit has a status of its own', async () => {
  const { ada, bob } = shared({ 'a.txt': LINES });
  await edit(ada, 'a.txt', 'line 2\n', 'two\n', 'ada-agent');
  await edit(bob, 'a.txt', 'line 9\n', 'nine\n', 'bob-agent');
  for (const host of [ada, bob, ada]) await sync(host);
  for (const host of [ada, bob]) {
    const { entries } = await using(host, async one => (await one.session().log()).data);
    expect(entries.map(({ op }) => op)).toContain('merge');
    expect(entries.map(({ status }) => status.now)).toEqual(entries.map(() => 'open'));
    for (const args of [['log', '--oneline'], ['status'], ['show', 'HEAD']])
      expect((await vedit(host, args)).out).not.toContain('unknown');
  }
});

it('says of the oldest edit of a shallow clone that it is below its end', async () => {
  const box = personRepo({ 'a.txt': LINES });
  await edit(box, 'a.txt', 'line 2\n', 'two\n');
  await edit(box, 'a.txt', 'line 5\n', 'five\n');
  await edit(box, 'a.txt', 'line 9\n', 'nine\n');
  const clone = place(sandbox());
  clone.git('clone', '-q', '--depth', '1', `file://${box.dir}`, '.');
  clone.git('fetch', '-q', '--depth', '2', 'origin', '+refs/vedit/main:refs/vedit/main');
  clone.write('a.txt', box.read('a.txt'));
  expect((await vedit(clone, ['log', '--oneline'])).out).toMatch(
    /^\w{7} .*line 9\n?.*\n\w{7} .* \(unknown: below the end of a shallow clone\)\n$/,
  );
});
