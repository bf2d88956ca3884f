/** What the next process does with the last edits of one that ended: their objects, their ref, and what was not published. */

import { linkSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import type { Workspace } from '../../../../src/index.ts';
import { codeOf, ownRepo, type Place, personRepo } from '../../../helpers/person-repo.ts';
import { inEndedProcess, openAs } from '../ended-process.ts';

const create = (workspace: Workspace, path: string, more = {}): Promise<unknown> =>
  workspace.session().edit('create', { path, file_text: `${path}\n`, ...more });

/** Edits in the next process; answers its warnings. */
async function nextEdit(repo: Place, boot: string): Promise<readonly string[]> {
  const workspace = await openAs(repo, { boot });
  const { data } = await workspace.session().edit('create', { path: 'z.txt', file_text: 'z\n' });
  await workspace.close();
  return data.warnings ?? [];
}

function looseObjects(repo: Place): string[] {
  const names = readdirSync(repo.path('.git/objects'), { recursive: true, encoding: 'utf8' });
  return names.filter(name => /^[0-9a-f]{2}\/./.test(name)).map(name => repo.path('.git/objects', name));
}

it.each<[string, boot: string, left: Uint8Array | null]>([
  ['that a gc removed, while the machine went on', 'first', null],
  ['that a power cut took', 'another', null],
  ['that a power cut left empty', 'another', Buffer.alloc(0)],
  ['of which a power cut left zeros', 'another', Buffer.alloc(40)],
])('objects of an acknowledged edit %s are given back', async (_, boot, left) => {
  const repo = personRepo({ 'a.txt': 'a\n' });
  const before = new Set(looseObjects(repo));
  await inEndedProcess(repo, workspace => create(workspace, 'one.txt'));
  const made = looseObjects(repo).filter(path => !before.has(path));
  expect(made).toHaveLength(3);
  for (const path of made) {
    rmSync(path);
    if (left) writeFileSync(path, left);
  }
  await nextEdit(repo, boot);
  expect(repo.git('fsck', '--strict', '--no-dangling')).toBe('');
  const subjects = repo.git('log', '--format=%s', 'vedit/main').split('\n');
  expect(subjects).toEqual(['create z.txt (+1 -0)', 'create one.txt (+1 -0)', 'start']);
});

it('an edit that was taken back does not come with a later power cut, which takes the ref', async () => {
  const repo = ownRepo({ 'a.txt': 'a\n' });
  await inEndedProcess(repo, workspace => create(workspace, 'one.txt'));
  const acknowledged = repo.git('rev-parse', 'HEAD');
  await inEndedProcess(repo, async (workspace, end) => {
    end.at = (method, to) => method === 'rename' && to === repo.path('.git/refs/heads/main');
    await create(workspace, 'two.txt').catch(() => {});
    expect(end.hasCome).toBe(true);
  });
  // It repairs, and makes nothing.
  await inEndedProcess(repo, async workspace => {
    expect(await codeOf(create(workspace, 'a.txt'))).toBe('FILE_EXISTS');
  });
  repo.write('.git/refs/heads/main', '');
  await (await openAs(repo, { boot: 'another' })).close();
  expect(repo.git('rev-parse', 'HEAD')).toBe(acknowledged);
});

it.each<[string, (ref: string) => void]>([
  ['is empty', ref => truncateSync(ref, 0)],
  ['holds zeros', ref => writeFileSync(ref, Buffer.alloc(41))],
  ['is missing', ref => rmSync(ref)],
  ['is missing with its folder', ref => rmSync(dirname(ref), { recursive: true })],
  ['holds no id', ref => writeFileSync(ref, 'x'.repeat(41))],
])('a ref that %s after a power cut goes to its last edit', async (_, lose) => {
  const repo = personRepo({ 'a.txt': 'a\n' });
  await inEndedProcess(repo, async workspace => {
    await create(workspace, 'one.txt');
    await create(workspace, 'two.txt');
  });
  const last = repo.git('rev-parse', 'vedit/main');
  lose(repo.path('.git/refs/vedit/main'));
  expect(await nextEdit(repo, 'another')).toEqual([]);
  expect(repo.git('rev-parse', 'vedit/main~1')).toBe(last);
});

/** A repository whose branch, in packed-refs, got one edit; the commits before and after it. */
async function packedRepo(): Promise<{ repo: Place; start: string; edit: string }> {
  const repo = ownRepo({ 'a.txt': 'a\n' });
  repo.git('pack-refs', '--all');
  const start = repo.git('rev-parse', 'HEAD');
  await inEndedProcess(repo, workspace => create(workspace, 'one.txt'));
  return { repo, start, edit: repo.git('rev-parse', 'HEAD') };
}

it('a packed ref that a power cut showed again goes to its last edit', async () => {
  const { repo, edit } = await packedRepo();
  rmSync(repo.path('.git/refs/heads/main'));
  await (await openAs(repo, { boot: 'another' })).close();
  expect(repo.git('rev-parse', 'HEAD')).toBe(edit);
});

it.each([true, false])(
  'a ref at the edit before the last one after a power cut goes on to it, unless a person set it there: %s',
  async isPersons => {
    const repo = ownRepo({ 'a.txt': 'a\n' });
    const ref = repo.path('.git/refs/heads/main');
    await inEndedProcess(repo, async workspace => {
      await create(workspace, 'one.txt');
      linkSync(ref, repo.path('../shown-again'));
      await create(workspace, 'two.txt');
    });
    const last = repo.git('rev-parse', 'HEAD');
    rmSync(ref);
    linkSync(repo.path('../shown-again'), ref);
    const before = repo.git('rev-parse', 'HEAD');
    if (isPersons) repo.write('.git/refs/heads/main', `${before}\n`);
    await (await openAs(repo, { boot: 'another' })).close();
    expect(repo.git('rev-parse', 'HEAD')).toBe(isPersons ? before : last);
  },
);

it.each(['heads/main', 'HEAD'])(
  'what a person moved back before the power cut stays there, and the edits are kept and told: %s',
  async name => {
    const { repo, start, edit } = await packedRepo();
    if (name === 'HEAD') repo.git('checkout', '-q', '--detach', start);
    if (name === 'HEAD') await inEndedProcess(repo, workspace => create(workspace, 'two.txt'));
    const kept = name === 'HEAD' ? repo.git('rev-parse', 'HEAD') : edit;
    repo.git('reset', '-q', '--hard', start);
    repo.git('pack-refs', '--all');
    const ref = `refs/vedit-kept/${name}/${kept.slice(0, 12)}`;
    const told = await nextEdit(repo, 'another');
    expect(told.filter(line => line.includes(ref))).toHaveLength(1);
    expect(repo.git('rev-parse', ref, 'HEAD~1').split('\n')).toEqual([kept, start]);
  },
);

it.each(['commit', 'tree', 'commit far below'])(
  'a ref on a commit of a person whose %s a power cut took goes to the last edit, which is told',
  async lost => {
    const repo = ownRepo({ 'a.txt': 'a\n' });
    await inEndedProcess(repo, workspace => create(workspace, 'one.txt'));
    const edit = repo.git('rev-parse', 'HEAD');
    for (const text of ['x\n', 'y\n', 'z\n']) {
      repo.write('a.txt', text);
      repo.git('commit', '-qam', text);
    }
    const theirs = repo.git('rev-parse', 'HEAD');
    const name = { commit: 'HEAD', tree: 'HEAD^{tree}', 'commit far below': 'HEAD~2' }[lost]!;
    const oid = repo.git('rev-parse', name);
    rmSync(repo.path('.git/objects', oid.slice(0, 2), oid.slice(2)));
    expect(await nextEdit(repo, 'another')).toEqual([
      expect.stringMatching(
        `refs/heads/main was at ${theirs}, which cannot be read .* it is at ${edit} again`,
      ),
    ]);
    expect(repo.git('rev-parse', 'HEAD~1')).toBe(edit);
  },
);
