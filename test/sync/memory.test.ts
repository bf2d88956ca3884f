/** Histories travel by the system's git alone: one that lives in memory is not shared, and the refusal says so. */

import { expect, it } from 'vitest';
import { initRepository, memoryFs, openWorkspace } from '../../src/index.ts';
import { git } from '../helpers/clones.ts';

it.each([
  ['given', { git }, 'a repository in memory, or in a browser, cannot be shared'],
  ['not given', {}, 'give git: await systemGit(process.env)'],
])('with git %s', async (_, options, words) => {
  const fs = memoryFs();
  await initRepository({ root: '/notes', fs });
  await using workspace = await openWorkspace({ root: '/notes', fs });
  await workspace.session({ agent: 'page' }).edit('create', { path: 'a.txt', file_text: 'one\n' });
  for (const call of [() => workspace.push(options), () => workspace.fetch(options)])
    await expect(call()).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining(words),
      data: { field: 'git' },
    });
});
