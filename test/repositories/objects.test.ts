import { spawn } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { codeOf, ownRepo, type Place, personRepo, place } from '../helpers/person-repo.ts';
import { at } from '../helpers/real-git.ts';

/** Three commits, so that packs hold deltas. */
function grown(make: typeof personRepo = personRepo): Place {
  const text = Array.from({ length: 200 }, (_, n) => `line ${n}\n`).join('');
  const repo = make({ 'a.txt': text, 'd/b.txt': 'b\n' });
  for (const n of [1, 2]) {
    repo.write('a.txt', text.replace('line 100', `line 100 ${n}`));
    repo.git('commit', '-qam', `change ${n}`);
  }
  return repo;
}

function cloneOf(repo: Place, ...options: string[]): Place {
  const dir = join(repo.dir, '..', `clone${options.length}`);
  repo.git('clone', '-q', ...options, dir);
  return place(at(dir));
}

async function story(repo: Place): Promise<void> {
  const session = await repo.session();
  await session.edit('str_replace', { path: 'a.txt', old_str: 'line 100 2', new_str: 'hundred' });
  await session.edit('str_replace', { path: 'd/b.txt', old_str: 'b', new_str: 'B' });
  await session.undo();
  expect(repo.git('show', 'vedit/main:d/b.txt')).toBe('b');
  expect(repo.read('a.txt')).toContain('hundred\n');
  expect(repo.git('diff', '--name-only', 'HEAD', 'vedit/main')).toBe('a.txt');
  expect(repo.git('fsck', '--strict')).toBe('');
}

describe('objects', () => {
  it.each([
    ['gc', ['gc', '-q']],
    ['gc, aggressively', ['gc', '-q', '--aggressive']],
    ['repack with reference deltas and a bitmap', ['repack', '-adqb', '--no-write-bitmap-index']],
    ['several small packs', ['repack', '-adq', '--max-pack-size=1k']],
    ['a multi-pack index', ['multi-pack-index', 'write']],
    ['a commit graph', ['commit-graph', 'write', '--reachable']],
  ])('packed by %s', async (_how, command) => {
    const repo = grown();
    if (command[0] !== 'gc') repo.git('repack', '-q');
    repo.git(...command);
    await story(repo);
  });

  it('packed between two edits of one session, and those that an undo needs again', async () => {
    const repo = ownRepo({ 'a.txt': '0\n' });
    const session = await repo.session();
    for (let n = 0; n < 3; n++) {
      await session.edit('str_replace', { path: 'a.txt', old_str: `${n}`, new_str: `${n + 1}` });
      repo.git('gc', '-q', '--prune=now');
    }
    await session.undo({ count: 3 });
    expect(repo.read('a.txt')).toBe('0\n');
    expect(repo.git('fsck', '--strict')).toBe('');
  });

  it('are read from the journal where a gc took them before anything named them', async () => {
    const repo = personRepo({ 'a.txt': '0\n' });
    const workspace = await repo.open();
    await workspace.session().edit('str_replace', { path: 'a.txt', old_str: '0', new_str: '1' });
    const names = ['vedit/main:a.txt', 'vedit/main^{tree}', 'vedit/main'];
    for (const oid of names.map(name => repo.git('rev-parse', name).trim())) {
      rmSync(join(repo.dir, '.git/objects', oid.slice(0, 2), oid.slice(2)));
    }
    const session = await repo.session();
    expect((await session.show('@')).message).toContain('+1');
    expect((await session.undo({ scope: 'trail' })).data.op).toBe('undo');
    await workspace.close();
    expect(repo.git('fsck', '--strict')).toBe('');
  });

  it('beside git gc, which prunes all the time, no edit misses one', async () => {
    const repo = personRepo({ 'a.txt': 'END\n', 'b.txt': 'END\n' });
    let isEnded = false;
    const collecting = (async () => {
      while (!isEnded)
        await new Promise(resolve =>
          spawn('git', ['gc', '-q', '--prune=now'], { cwd: repo.dir, stdio: 'ignore' }).on('close', resolve),
        );
    })();
    const edits = async (path: string): Promise<unknown[]> => {
      const session = await repo.session();
      const failed: unknown[] = [];
      for (let n = 0; n < 30; n++)
        await session
          .edit('str_replace', { path, old_str: 'END', new_str: `${n}\nEND` })
          .then((): Promise<unknown> => (n % 5 === 4 ? session.undo() : session.log()))
          .catch(error => failed.push(error));
      return failed;
    };
    const failed = await Promise.all(['a.txt', 'b.txt'].map(edits));
    isEnded = true;
    await collecting;
    expect(failed.flat()).toEqual([]);
  });

  it.each([
    ['clone --shared', ['--shared']],
    ['clone --reference', ['--no-local', '--reference', '.']],
  ])('borrowed from another repository: %s', async (_how, options) => {
    const repo = grown();
    const shared = cloneOf(repo, ...options.map(option => (option === '.' ? repo.dir : option)), repo.dir);
    expect(existsSync(shared.path('.git/objects/info/alternates'))).toBe(true);
    await story(shared);
    expect(repo.git('count-objects')).toBe(at(repo.dir).git('count-objects'));
  });

  it.each([1, 2])('of a shallow clone of depth %i', async depth => {
    const repo = grown();
    const shallow = cloneOf(repo, `--depth=${depth}`, `file://${repo.dir}`);
    expect(shallow.git('rev-list', '--count', 'HEAD')).toBe(String(depth));
    await story(shallow);
    const { data } = await (await shallow.session()).log();
    expect(data.entries).toHaveLength(3);
    expect((await (await shallow.open()).verify()).data).toMatchObject({ sound: true });
  });

  it('that a partial clone does not have are named, not made up', async () => {
    const repo = grown();
    repo.git('config', 'uploadpack.allowFilter', 'true');
    const partial = cloneOf(repo, '--filter=blob:none', `file://${repo.dir}`);
    await story(partial);
    rmSync(repo.dir, { recursive: true });
    const session = await partial.session();
    const error = await session.view({ path: 'a.txt', at: 'HEAD~1' }).catch(error => error);
    expect(error).toMatchObject({ code: 'CORRUPT', message: expect.stringContaining('a partial one') });
    await session.edit('create', { path: 'new.txt', file_text: 'x\n' });
  });

  it('are there after the command that the refusal names', async () => {
    const repo = grown();
    repo.git('config', 'uploadpack.allowFilter', 'true');
    const partial = cloneOf(repo, '--filter=blob:none', `file://${repo.dir}`);
    partial.git('config', 'gc.auto', '0');
    const session = await partial.session();
    const error = await session.view({ path: 'a.txt', at: 'HEAD~1' }).catch(error => error);
    const [, command] = /a partial one with git (.+)$/.exec(error.message)!;
    partial.git(...command!.split(' '));
    await session.view({ path: 'a.txt', at: 'HEAD~1' });
  });

  it('of an old repository, with modes that git no longer writes', async () => {
    const repo = grown(ownRepo);
    const blob = repo.git('rev-parse', 'HEAD:d/b.txt');
    const raw = Buffer.concat([Buffer.from('100664 b.txt\0'), Buffer.from(blob, 'hex')]);
    const folder = repo
      .pipe(raw, 'hash-object', '-t', 'tree', '-w', '--literally', '--stdin')
      .toString()
      .trim();
    const top = repo.git('ls-tree', 'HEAD').replace(/\w{40}\td$/m, `${folder}\td`);
    const tree = repo.pipe(`${top}\n`, 'mktree').toString().trim();
    repo.git('reset', '-q', '--hard', repo.git('commit-tree', '-p', 'HEAD', '-m', 'old', tree));
    const session = await repo.session();
    const { data } = await session.edit('str_replace', { path: 'd/b.txt', old_str: 'b', new_str: 'B' });
    expect(data.outside).toBeUndefined();
    expect(repo.git('ls-tree', 'main', 'd/b.txt')).toMatch(/^100644 /);
    await session.edit('create', { path: 'c.txt', file_text: 'c' });
    await session.undo({ count: 2 });
    expect(repo.read('d/b.txt')).toBe('b\n');
  });

  it('with names that are no UTF-8, or hold a backslash, stay as they are', async () => {
    const repo = ownRepo({ 'a.txt': 'a\n' });
    const blob = repo.git('rev-parse', 'HEAD:a.txt');
    const list = Buffer.concat([
      Buffer.from(`100644 ${blob}\t`),
      Buffer.from([0x63, 0xe9, 0x0a]),
      Buffer.from(`100644 ${blob}\tb\\c\n`),
    ]);
    repo.pipe(list, 'update-index', '--index-info');
    repo.git('commit', '-qm', 'names');
    const before = repo.pipe('', 'ls-tree', '-z', 'HEAD');
    await (await repo.session()).edit('str_replace', { path: 'a.txt', old_str: 'a', new_str: 'A' });
    const after = repo.pipe('', 'ls-tree', '-z', 'main');
    const changed = repo.git('rev-parse', 'main:a.txt');
    expect(after.toString('latin1').replace(changed, blob)).toBe(before.toString('latin1'));
  });

  it('that are damaged are found out, and nothing is written', async () => {
    const repo = grown();
    const blob = repo.git('rev-parse', 'HEAD:d');
    const path = `.git/objects/${blob.slice(0, 2)}/${blob.slice(2)}`;
    rmSync(repo.path(path));
    repo.write(path, 'torn');
    const session = await repo.session();
    const call = session.edit('str_replace', { path: 'd/b.txt', old_str: 'b', new_str: 'B' });
    expect(await codeOf(call)).toBe('CORRUPT');
    expect(repo.read('d/b.txt')).toBe('b\n');
    expect(repo.git('for-each-ref', 'refs/vedit')).toBe('');
  });
});
