/** What is said of edits that no file's history has: why. */

import { expect, it } from 'vitest';
import { edit } from '../helpers/clones.ts';
import { personRepo, place } from '../helpers/person-repo.ts';
import { sandbox } from '../helpers/real-git.ts';
import { vedit } from '../helpers/vedit.ts';

const LINES = Array.from({ length: 12 }, (_, n) => `line ${n + 1}\n`).join('');

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
