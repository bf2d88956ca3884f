/** A journal of format 2 names packs; the repository is one that 0.1.0 left when it was killed. */

import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Place, place } from '../../../helpers/person-repo.ts';
import { at, sandbox } from '../../../helpers/real-git.ts';

const FOLDER = join(import.meta.dirname, '../../../fixtures/0.1.0');

/** Killed after the answer: the journal names a pack with `.keep`. */
function killed(): { repo: Place; pack: string; index: string; mark: string } {
  const { dir } = sandbox('killedLarge');
  execFileSync('tar', ['-xzf', join(FOLDER, 'killedLarge.tar.gz'), '-C', dir]);
  const repo = place(at(join(dir, 'repo')));
  const [name] = readdirSync(repo.path('.git/objects/pack')).flatMap(
    file => /^(.*)\.keep$/.exec(file)?.[1] ?? [],
  );
  const path = repo.path(`.git/objects/pack/${name}`);
  return { repo, pack: `${path}.pack`, index: `${path}.idx`, mark: repo.path(`.git/vedit/keep-${name}`) };
}

/** The next edit; then who made the edits that are there, newest first. */
async function authorsAfter(repo: Place): Promise<string[]> {
  const workspace = await repo.open();
  const { data } = await workspace
    .session({ agent: 'next' })
    .edit('create', { path: 'n.txt', file_text: 'n\n' });
  await workspace.close();
  expect(repo.git('fsck', '--strict', '--no-dangling')).toBe('');
  const left = readdirSync(repo.path('.git/vedit')).filter(file => /^(journal|keep-)/.test(file));
  expect([left, readdirSync(repo.path('.git/objects/pack')).filter(file => file.endsWith('.keep'))]).toEqual([
    [],
    [],
  ]);
  return repo.git('log', '--format=%an', data.commit!).split('\n');
}

it('the pack is git’s from the first checkpoint on', async () => {
  const { repo, pack } = killed();
  expect((await authorsAfter(repo)).slice(0, 2)).toEqual(['next', 'writer']);
  expect(existsSync(pack)).toBe(true);
});

it('an index that waited beside its mark is put in its place', async () => {
  const { repo, index, mark } = killed();
  renameSync(index, `${mark}.idx`);
  expect((await authorsAfter(repo)).slice(0, 2)).toEqual(['next', 'writer']);
  expect(existsSync(index)).toBe(true);
});

it.each<[string, (files: { pack: string; index: string }) => void]>([
  ['the pack', ({ pack }) => rmSync(pack)],
  ['half of the pack', ({ pack }) => truncateSync(pack, readFileSync(pack).length >> 1)],
  ['the content of the index', ({ index }) => truncateSync(index, 0)],
  ['a byte of the pack', ({ pack }) => writeFileSync(pack, readFileSync(pack).fill(0, 50, 51))],
])('a record whose pack lost %s with the power does not count, and nothing of it stays', async (_, lose) => {
  const { repo, pack, index } = killed();
  const before = repo.git('rev-parse', 'vedit/main~1');
  for (const file of [pack, index]) chmodSync(file, 0o644);
  lose({ pack, index });
  // As the power cut left it.
  writeFileSync(repo.path('.git/refs/vedit/main'), `${before}\n`);
  expect(await authorsAfter(repo)).not.toContain('writer');
  expect([existsSync(pack), existsSync(index)]).toEqual([false, false]);
});

it('one that somebody has packed anew, with all that was kept, counts', async () => {
  const { repo, pack, index } = killed();
  repo.git('repack', '-adq', '--pack-kept-objects');
  for (const file of [pack, index]) rmSync(file, { force: true });
  expect((await authorsAfter(repo)).slice(0, 2)).toEqual(['next', 'writer']);
});

it('marks of packs that were joined go', async () => {
  const { repo } = killed();
  repo.write(`.git/vedit/packs/pack-${'1'.repeat(40)}`, '{}');
  await authorsAfter(repo);
  expect(readdirSync(repo.path('.git/vedit/packs'))).toEqual([]);
});
