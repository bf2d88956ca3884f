/** Keys that come with a way back are asked about, where history does not have them yet. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { git, type Shared, shared, using } from '../../helpers/clones.ts';
import { type Place, personRepo } from '../../helpers/person-repo.ts';
import { KEYS } from '../../text/key-forms.ts';

const key = (): string => KEYS['a GitHub token']!();

const allows = (at: Place, commit: string): string =>
  at.git('log', '-1', '--format=%(trailers:key=Vedit-Allows-Secret,valueonly)', commit).trim();

/** A clone whose own policy lets keys into every file: its commits do not say that any was allowed. */
async function writesFreely(at: Place, path: string, file_text: string): Promise<void> {
  const policy = join(at.dir, '..', `free-${Math.random()}.json`);
  writeFileSync(policy, '{"version":1,"secrets_allowed":["**"]}');
  await (await at.session('s', { policyFiles: [policy] })).edit('create', {
    path,
    file_text,
    overwrite: true,
  });
  await at.close();
}

/** Ada publishes, bob fetches. Answers the name of ada's trail. */
async function handed({ ada, bob }: Shared): Promise<string> {
  const { data } = await using(ada, one => one.push({ git, withOutside: true, withUnpushedCommits: true }));
  await using(bob, one => one.fetch({ git }));
  return `${data.clone}/main`;
}

describe('a way back', () => {
  it('asks nothing about what the trail had', async () => {
    const text = key();
    const repo = personRepo({ 'a.txt': `${text}\n` });
    const session = await repo.session();
    await session.edit('create', { path: 'a.txt', file_text: 'none\n', overwrite: true });
    await session.undo();
    await session.redo();
    const { data } = await session.restore({ path: 'a.txt', from: 'HEAD' });
    await session.edit('create', { path: 'a.txt', file_text: 'none again\n', overwrite: true });
    await session.rollback(data.commit!);
    expect(repo.read('a.txt')).toBe(`${text}\n`);
  });

  it('is refused where it restores a key that this history never had', async () => {
    const all = shared({ 'a.txt': 'a\n' });
    const text = key();
    await writesFreely(all.ada, 'a.txt', `${text}\n`);
    await handed(all);
    const [theirs] = all.bob.git('for-each-ref', '--format=%(objectname)', 'refs/vedit-peers').split('\n');
    const session = await all.bob.session();
    const error = await session.restore({ path: 'a.txt', from: theirs! }).catch(one => one);
    expect([error.code, error.data.path]).toEqual(['SECRET', 'a.txt']);
    expect(all.bob.read('a.txt')).toBe('a\n');
    const { data } = await session.restore({
      path: 'a.txt',
      from: theirs!,
      allowSecret: true,
      reason: 'known',
    });
    expect(allows(all.bob, data.commit!)).toBe('github-token a.txt');
  });
});
