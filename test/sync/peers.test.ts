/** Pruning what abandoned clones published. */

import { describe, expect, it } from 'vitest';
import { edit, git as realGit, shared, TRANSPORTS, using } from '../helpers/clones.ts';

describe.each(TRANSPORTS)('workspace.prunePeers over %s', (_, git) => {
  it('deletes the trails of abandoned clones, with a lease', async () => {
    const { server, ada, bob } = shared({ 'a.txt': 'one\ntwo\nthree\n' });
    await edit(ada, 'a.txt', 'two', '2');
    const { data } = await using(ada, one => one.push({ git: realGit }));
    const { clone } = data;
    await using(bob, one => one.fetch({ git }));
    const prune = (options: object) =>
      using(bob, one => one.prunePeers({ git, before: new Date(0), ...options }));
    const soon = new Date(Date.now() + 1e6);
    expect((await prune({})).data.pruned).toEqual([]);
    expect((await prune({ before: soon, dryRun: true })).data.pruned).toHaveLength(1);
    await edit(ada, 'a.txt', 'three', '3');
    await using(ada, one => one.push({ git }));
    expect((await prune({ before: soon })).data.kept).toMatchObject([{ name: `${clone}/main` }]);
    await using(bob, one => one.fetch({ git }));
    expect((await prune({ before: soon })).data.pruned).toHaveLength(1);
    expect(server.git('for-each-ref', 'refs/vedit-peers')).toBe('');
    expect(bob.git('for-each-ref', 'refs/vedit-peers')).toBe('');
  });
});
