/** What git may have in progress, told from the files that git keeps while it is. */

import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import type { Context } from '../../../src/engine/context.ts';
import { checkIdle } from '../../../src/engine/transaction/in-progress.ts';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import { locate } from '../../../src/git/repository/repository.ts';
import { personRepo } from '../../helpers/person-repo.ts';

it.each<[word: string | null, files: string[], isDetached?: boolean]>([
  ['merge', ['MERGE_HEAD']],
  ['rebase', ['rebase-merge/done']],
  ['rebase', ['rebase-apply/next']],
  ['am', ['rebase-apply/next', 'rebase-apply/applying']],
  ['cherry-pick', ['CHERRY_PICK_HEAD']],
  ['revert', ['REVERT_HEAD']],
  ['bisect', ['BISECT_LOG'], true],
  [null, ['BISECT_LOG']],
  [null, [], true],
])('what waits for the person is %s: %j', async (word, files, isDetached = false) => {
  const repo = personRepo({ 'a.txt': 'a\n' });
  if (isDetached) repo.git('checkout', '-q', '--detach');
  for (const file of files) {
    mkdirSync(dirname(repo.path('.git', file)), { recursive: true });
    repo.write(`.git/${file}`, '');
  }
  const fs = nodeFs();
  const idle = checkIdle({ fs, repo: await locate(fs, repo.dir) } as unknown as Context);
  if (word === null) await expect(idle).resolves.toBe(undefined);
  else await expect(idle).rejects.toMatchObject({ code: 'CONFLICT', data: { in_progress: word } });
});
