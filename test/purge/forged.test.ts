import { expect, it } from 'vitest';
import { codeOf, type Place, personRepo } from '../helpers/person-repo.ts';
import { signAsAda } from '../helpers/signing-key.ts';

const KEY = 'hunter2-4711-swordfish';
const SECOND = 'correct-horse-battery';

async function purged(name = 'b.txt'): Promise<Place> {
  const repo = personRepo({ 'a.txt': 'a\n' });
  const workspace = await repo.open();
  const session = workspace.session({ id: 's1', agent: 'claude' });
  await session.edit('create', { path: 'conf.env', file_text: `PASS=${KEY}\nTOKEN=${SECOND}\nB=1\n` });
  await session.edit('str_replace', { path: 'conf.env', old_str: 'B=1', new_str: 'B=2' });
  await session.edit('create', { path: name, file_text: 'b\n', reason: `not ${SECOND}` });
  await session.edit('create', { path: 'conf.env', file_text: 'B=2\n', overwrite: true });
  await workspace.purge({ text: KEY, reason: 'a key' });
  await repo.close();
  return repo;
}

async function faults(repo: Place): Promise<string[]> {
  const workspace = await repo.open();
  const found = (await workspace.verify()).data.faults;
  await repo.close();
  return found.map(({ kind }) => kind);
}

/** Makes a commit of other content, as somebody who may write the repository would. */
function forge(repo: Place, commit: string, change: (content: string) => string): string {
  const content = change(repo.git('cat-file', 'commit', commit));
  return repo
    .pipe(content.endsWith('\n') ? content : `${content}\n`, 'hash-object', '-t', 'commit', '-w', '--stdin')
    .toString()
    .trim();
}

const trail = 'refs/vedit/main';

it('accepts two purges after each other, and old ids of before both', async () => {
  const repo = await purged();
  const oldest = repo.git('rev-list', '--reverse', trail, '^main').split('\n')[0]!;
  const workspace = await repo.open();
  const { data } = await workspace.purge({ text: SECOND, reason: 'a token' });
  expect([data.held, data.commits]).toEqual([[], 5]);
  await repo.close();
  expect(await faults(repo)).toEqual([]);
  const session = (await repo.open()).session({ id: 's2' });
  expect((await session.show(oldest)).message).toContain('TOKEN=[purged 2]');
  await repo.close();
});

it('accepts a purge of what files brought back, one after the other', async () => {
  const repo = personRepo({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
  const session = await repo.session();
  const workspace = await repo.open();
  const append = async (text: string): Promise<void> => {
    for (const path of ['a.txt', 'b.txt'])
      await session.edit('str_replace', { path, old_str: `${path[0]}\n`, new_str: `${text}\n${path[0]}\n` });
  };
  await append(SECOND);
  for (const text of ['on top', 'and again', 'and on']) {
    const { data } = await workspace.purge({ text: SECOND, reason: 'a token' });
    expect(data.held.map(({ name }) => name)).toEqual(['a.txt', 'b.txt']);
    expect((await workspace.verify()).data.faults).toEqual([]);
    await append(text);
  }
  await repo.close();
});

it.each<[string, (content: string) => string]>([
  ['without a tombstone', content => content.replace(/\nparent [0-9a-f]{40}(?=\nauthor)/, '')],
  [
    'that says another reason for what it joined',
    content => content.replace(/\nparent ([0-9a-f]{40})\nparent [0-9a-f]{40}/, '\nparent $1\nparent $1'),
  ],
])('refuses a purge %s', async (_, change) => {
  const repo = await purged();
  repo.git('update-ref', trail, forge(repo, trail, change));
  expect(await faults(repo)).toContain('purge');
});

it.each<[string, (message: string) => string]>([
  [
    'names another old id',
    message => message.replace(/^commit (.)/m, (_, digit) => `commit ${digit === '0' ? '1' : '0'}`),
  ],
  ['leaves a content out', message => message.replace(/^blob .*\n/m, '')],
  ['leaves a commit out', message => message.replace(/^commit .*\n/m, '')],
  ['says that the words changed, which they did not', message => message.replace(/^commit /m, 'words ')],
  [
    'names a commit that is not there',
    message => message.replace(/^(commit [0-9a-f]{40}) [0-9a-f]{40}/m, `$1 ${'1'.repeat(40)}`),
  ],
])('refuses a tombstone that %s', async (_, change) => {
  const repo = await purged();
  const tombstone = forge(repo, `${trail}^2`, content => {
    const at = content.indexOf('\n\n');
    return content.slice(0, at) + change(content.slice(at));
  });
  repo.git(
    'update-ref',
    trail,
    forge(repo, trail, content => content.replace(repo.git('rev-parse', `${trail}^2`), tombstone)),
  );
  expect(await faults(repo)).toContain('purge');
});

it('refuses a rewriting that changes more than it says', async () => {
  const repo = await purged();
  // The newest rewritten commit gets another author, and the tombstone names it as what the old one became.
  const [tip, tombstone] = [repo.git('rev-parse', `${trail}^1`), repo.git('rev-parse', `${trail}^2`)];
  const other = forge(repo, tip, content => content.replace(/^author \S+/m, 'author Mallory'));
  const named = forge(repo, tombstone, content => content.replace(tip, other));
  repo.git(
    'update-ref',
    trail,
    forge(repo, trail, content => content.replace(tip, other).replace(tombstone, named)),
  );
  expect(await faults(repo)).toContain('purge');
});

it('refuses the purge of another history', async () => {
  const [repo, other] = [await purged(), await purged('c.txt')];
  const strange = other.git('rev-parse', `${trail}^2`);
  repo.git('fetch', '-q', other.dir, `${trail}:refs/strange`);
  repo.git(
    'update-ref',
    trail,
    forge(repo, trail, content => content.replace(repo.git('rev-parse', `${trail}^2`), strange)),
  );
  expect(await faults(repo)).toContain('purge');
});

it('signs the tombstone where the history was signed, and purges nothing where git does not sign', async () => {
  const repo = personRepo({ 'a.txt': 'a\n' });
  const { key, userConfig } = signAsAda(repo);
  const open = () => repo.open({ userConfig });
  const workspace = await open();
  const session = workspace.session({ id: 's1', agent: 'claude' });
  await session.edit('create', { path: 'k', file_text: `${KEY}\n` });
  await workspace.sign();
  await session.edit('create', { path: 'k', file_text: 'gone\n', overwrite: true });
  await workspace.sign();
  repo.git('config', 'user.signingkey', `${key}-not-there`);
  const before = repo.git('for-each-ref');
  expect(await codeOf(workspace.purge({ text: KEY, reason: 'a key' }))).toBe('GIT_REFUSED');
  expect(repo.git('for-each-ref')).toBe(before);
  repo.git('config', 'user.signingkey', key);
  const { data } = await (await open()).purge({ text: KEY, reason: 'a key' });
  const { data: checked } = await (await open()).verify();
  expect(checked).toMatchObject({
    faults: [],
    signed: { head: data.trails[0]!.to, by: 'ada@example.com', unsigned: 0 },
  });
  expect(data).toMatchObject({ held: [], trails: [{ statement: checked.signed!.statement }] });
  expect(repo.git('rev-list', '--objects', '--all')).not.toContain(data.trails[0]!.from);
  await repo.close();
});
