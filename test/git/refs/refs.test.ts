import { mkdirSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import { nativeCodec } from '../../../src/git/native/codec.ts';
import { openObjects } from '../../../src/git/objects/object-database.ts';
import { listRefs } from '../../../src/git/refs/ref-list.ts';
import { checkRefName, readHead, readRef } from '../../../src/git/refs/refs.ts';
import { resolveCommit } from '../../../src/git/refs/revision.ts';
import { locate, type Repository } from '../../../src/git/repository/repository.ts';
import { failing, overriding } from '../../helpers/overriding.ts';
import { repository, type Sandbox, sandbox, succeeds } from '../../helpers/real-git.ts';

const fs = nodeFs();

function commit(box: Sandbox, message: string): string {
  box.git('commit', '-q', '--allow-empty', '-m', message);
  return box.git('rev-parse', 'HEAD');
}

async function opened(box: Sandbox): Promise<Repository> {
  return await locate(fs, box.dir);
}

test('loose, packed and overridden refs are read as git reads them', async () => {
  const box = repository();
  const first = commit(box, 'one');
  box.git('branch', 'topic/é');
  box.git('tag', 'v1');
  box.git('pack-refs', '--all');
  const second = commit(box, 'two');
  const repo = await opened(box);
  expect(await readRef(repo, 'refs/heads/main')).toBe(second);
  expect(await readRef(repo, 'refs/heads/topic/é')).toBe(first);
  expect(await readRef(repo, 'refs/tags/v1')).toBe(first);
  for (const name of ['refs/heads/topic', 'refs/heads/ain', 'refs/heads/main/x', 'ORIG_HEAD']) {
    expect(await readRef(repo, name)).toBeNull();
  }
  mkdirSync(box.path('.git/refs/heads/topic/é'), { recursive: true });
  expect(await readRef(repo, 'refs/heads/topic/é')).toBe(first);
});

test('HEAD is a branch, an unborn branch, or detached', async () => {
  const box = repository();
  const repo = await opened(box);
  expect(await readHead(repo)).toEqual({ ref: 'refs/heads/main', oid: null });
  const oid = commit(box, 'one');
  expect(await readHead(repo)).toEqual({ ref: 'refs/heads/main', oid });
  box.git('checkout', '-q', '--detach');
  expect(await readHead(repo)).toEqual({ ref: null, oid });
});

test('a worktree has HEAD and refs/worktree of its own and shares branches', async () => {
  const box = repository();
  const first = commit(box, 'one');
  box.git('worktree', 'add', '-q', '../side');
  const side = await locate(fs, box.path('../side'));
  box.git('-C', '../side', 'update-ref', 'refs/worktree/mine', first);
  expect(await readHead(side)).toEqual({ ref: 'refs/heads/side', oid: first });
  expect(await readRef(side, 'refs/worktree/mine')).toBe(first);
  expect(await readRef(await opened(box), 'refs/worktree/mine')).toBeNull();
  expect(await readRef(side, 'refs/heads/main')).toBe(first);
});

test.each([
  ['empty', ''],
  ['torn', 'abc123'],
  ['binary', '\0\0\0'],
  ['a bad link', 'ref: ../../x\n'],
])('a ref file that is %s is damage, never an unborn branch', async (_, content) => {
  const box = repository();
  commit(box, 'one');
  box.git('pack-refs', '--all');
  box.write('.git/refs/heads/main', content);
  await expect(readHead(await opened(box))).rejects.toMatchObject({
    code: 'CORRUPT',
    data: { ref: 'refs/heads/main' },
  });
});

test('damage of HEAD and packed-refs, and loops, are errors', async () => {
  const box = repository();
  commit(box, 'one');
  const repo = await opened(box);
  box.git('symbolic-ref', 'refs/heads/a', 'refs/heads/b');
  box.git('symbolic-ref', 'refs/heads/b', 'refs/heads/a');
  await expect(readRef(repo, 'refs/heads/a')).rejects.toMatchObject({ code: 'CORRUPT' });
  writeFileSync(box.path('.git/packed-refs'), 'cut of');
  await expect(readRef(repo, 'refs/heads/other')).rejects.toMatchObject({ code: 'CORRUPT' });
  writeFileSync(box.path('.git/packed-refs'), 'zzz refs/heads/other\n');
  await expect(readRef(repo, 'refs/heads/other')).rejects.toMatchObject({ code: 'CORRUPT' });
  box.write('.git/HEAD', '');
  await expect(readHead(repo)).rejects.toMatchObject({ code: 'CORRUPT' });
});

test.each(['EIO', 'EMFILE', 'EACCES'])('%s is an error, never a missing ref', async code => {
  const box = repository();
  commit(box, 'one');
  const repo = await opened(box);
  const broken = overriding(fs, { readFile: failing(code) });
  await expect(readHead({ ...repo, fs: broken })).rejects.toMatchObject({
    code: 'STORE_FAILED',
    data: { cause: code },
  });
});

test('names are allowed as git allows them', { timeout: 120_000 }, async () => {
  const box = sandbox();
  const special = fc.constantFrom(
    'a',
    'B',
    '.',
    '..',
    '/',
    '@',
    '{',
    '@{',
    '~',
    '^',
    ':',
    '?',
    '*',
    '[',
    '\\',
    ' ',
    '\x7f',
    '\x01',
    '.lock',
    '-',
    'é',
    'lock',
  );
  const name = fc.array(special, { minLength: 1, maxLength: 5 }).map(parts => `refs/${parts.join('')}`);
  fc.assert(
    fc.property(name, text => {
      expect([text, checkRefName(text)]).toEqual([text, succeeds(box, 'check-ref-format', text)]);
    }),
    { numRuns: 250 },
  );
  for (const text of ['HEAD', 'ORIG_HEAD']) expect(checkRefName(text)).toBe(true);
  for (const text of [
    '',
    'head',
    '../x',
    'refs',
    'config',
    'hooks/x',
    `refs/${'x'.repeat(251)}`,
    'refs/\ud800',
  ]) {
    expect(checkRefName(text)).toBe(false);
  }
  await expect(readRef(await opened(repository()), 'refs/a..b')).rejects.toMatchObject({
    code: 'INVALID_INPUT',
  });
});

test('refs are listed as git lists them', async () => {
  const box = repository();
  commit(box, 'one');
  for (const name of ['a', 'b/c', 'é']) box.git('branch', name);
  box.git('tag', '-a', '-m', 'm', 'v1');
  box.git('pack-refs', '--all');
  commit(box, 'two');
  box.git('branch', 'b/d');
  box.git('symbolic-ref', 'refs/heads/link', 'refs/heads/a');
  box.git('symbolic-ref', 'refs/heads/dangling', 'refs/heads/none');
  box.write('.git/refs/heads/main.lock', '');
  const repo = await opened(box);
  for (const prefix of ['refs/heads/', 'refs/heads/b/', 'refs/', 'refs/none/']) {
    const theirs = box.git('for-each-ref', '--format=%(refname) %(objectname)', prefix);
    const ours = (await listRefs(repo, prefix)).map(({ name, oid }) => `${name} ${oid}`);
    expect(ours.sort()).toEqual(theirs === '' ? [] : theirs.split('\n').sort());
  }
});

test('commits are named as git names them', async () => {
  const box = repository();
  const one = commit(box, 'one');
  const two = commit(box, 'two');
  box.git('checkout', '-q', '-b', 'side', one);
  commit(box, 'three');
  box.git('merge', '-q', '-m', 'merge', 'main');
  box.git('tag', '-a', '-m', 'm', 'v1', two);
  box.git('tag', '-a', '-m', 'm', 'v2', 'v1');
  box.git('update-ref', 'refs/vedit/main', two);
  box.git('update-ref', 'refs/remotes/origin/main', one);
  box.git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main');
  box.git('branch', 'cafe', one);
  const repo = await opened(box);
  const objects = openObjects({ fs, objectsDir: box.path('.git/objects'), codec: nativeCodec });
  const specs = [
    'HEAD',
    'HEAD~',
    'HEAD~2',
    'HEAD^2',
    'HEAD^0',
    'side^2~1',
    'main',
    'v1',
    'v2',
    'v2~',
    'refs/heads/main',
    'heads/main',
    'vedit/main',
    'origin',
    'origin/main',
    'cafe',
    two,
    two.slice(0, 7),
    two.toUpperCase(),
    box.git('rev-parse', 'v1'),
    `${box.git('rev-parse', 'v1').slice(0, 9)}~1`,
  ];
  for (const spec of specs) {
    expect([spec, await resolveCommit(repo, objects, spec)]).toEqual([
      spec,
      box.git('rev-parse', `${spec}^{commit}`),
    ]);
  }
  const tree = box.git('rev-parse', 'HEAD^{tree}');
  for (const spec of [
    '',
    'none',
    'HEAD~9',
    'HEAD^3',
    'main.lock',
    '../x',
    'abc',
    tree,
    tree.slice(0, 8),
    'f'.repeat(40),
    'a b',
  ]) {
    await expect(resolveCommit(repo, objects, spec)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  }
});

test('the start of an id that fits several commits is refused with the candidates', async () => {
  const box = repository();
  const tree = box.git('write-tree');
  const byStart = new Map<string, string>();
  for (let n = 0; ; n++) {
    const raw = `tree ${tree}\nauthor A <a> ${n} +0000\ncommitter A <a> ${n} +0000\n\nm\n`;
    const oid = String(nativeCodec.hash('commit', new TextEncoder().encode(raw)));
    const twin = byStart.get(oid.slice(0, 4));
    byStart.set(oid.slice(0, 4), raw);
    if (twin === undefined) continue;
    const oids = [raw, twin].map(text =>
      box.pipe(text, 'hash-object', '-t', 'commit', '-w', '--stdin').toString().trim(),
    );
    const objects = openObjects({ fs, objectsDir: box.path('.git/objects'), codec: nativeCodec });
    const error = await resolveCommit(await opened(box), objects, oid.slice(0, 4)).catch(caught => caught);
    expect(error).toMatchObject({ code: 'INVALID_INPUT', data: { candidates: oids.sort() } });
    return;
  }
});
