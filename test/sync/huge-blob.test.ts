/** A blob of hundreds of megabytes, which a few hundred kilobytes of a pack make. */

import { execSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { edit, git, shared, using } from '../helpers/clones.ts';

/** Ada's trail with a file of 300 MB of nothing in it, made on the server. */
async function hostile() {
  const all = shared({ 'a.txt': 'one\ntwo\nthree\nfour\nfive\n' });
  const { server, ada } = all;
  await edit(ada, 'a.txt', 'two', '2');
  const { data } = await using(ada, one => one.push({ git }));
  const { ref, to } = data.trails[0]!;
  const blob = execSync('head -c 300000000 /dev/zero | git hash-object -w --stdin', { cwd: server.dir });
  const entries = `${server.git('ls-tree', to)}\n100644 blob ${blob.toString().trim()}\tdir.bin\n`;
  const tree = server.pipe(entries, 'mktree').toString().trim();
  const text = server
    .pipe('', 'cat-file', 'commit', to)
    .toString()
    .replace(/^tree .*/m, `tree ${tree}`);
  const forged = server.pipe(text, 'hash-object', '-t', 'commit', '-w', '--stdin').toString().trim();
  server.git('update-ref', ref!, forged);
  return { ...all, clone: data.clone! };
}

it('is fetched as it is, and named by verify', async () => {
  const { bob, clone } = await hostile();
  expect((await using(bob, one => one.fetch({ git }))).data.fetched).toHaveLength(1);
  const { data } = await using(bob, one => one.verify(), `${clone}/main`);
  expect(data.faults.map(({ kind }) => kind)).toContain('unreadable');
});
