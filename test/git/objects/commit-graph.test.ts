import { createHash } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { describe, expect, it } from 'vitest';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import { nativeCodec } from '../../../src/git/native/codec.ts';
import type { CommitGraph } from '../../../src/git/objects/commit-graph.ts';
import { openCommitGraph } from '../../../src/git/objects/commit-graph.ts';
import { type ObjectDatabase, openObjects } from '../../../src/git/objects/object-database.ts';
import { isAncestor, revList } from '../../../src/git/rev-list.ts';
import { repository, type Sandbox } from '../../helpers/real-git.ts';
import { history } from '../merge-histories.ts';

function objectsOf(repo: Sandbox, commitGraph = true): ObjectDatabase {
  const objectsDir = repo.path('.git/objects');
  return openObjects({ fs: nodeFs(), codec: nativeCodec, objectsDir, commitGraph });
}

function graphOf(repo: Sandbox): Promise<CommitGraph | null> {
  const objectsDirs = [repo.path('.git/objects')];
  return openCommitGraph({ fs: nodeFs(), codec: nativeCodec, objectsDirs });
}

/** Expects that the file has of each of these commits what the commit itself has. */
async function expectAll(graph: CommitGraph, repo: Sandbox, commits: readonly string[]): Promise<void> {
  const objects = objectsOf(repo, false);
  for (const oid of commits) {
    const { generation, ...found } = graph.find(oid)!;
    const { generation: none, ...expected } = (await objects.commitInfo(oid))!;
    expect([found, none]).toEqual([expected, Number.POSITIVE_INFINITY]);
    for (const parent of found.parents) expect(graph.find(parent)!.generation).toBeLessThan(generation);
  }
}

const GRAPH = '.git/objects/info/commit-graph';
const CHAIN = '.git/objects/info/commit-graphs';

/** Makes the files of a history of 80 commits in two steps. */
const FORMS: Record<string, (repo: Sandbox) => void> = {
  'one file': repo => repo.git('commit-graph', 'write', '--reachable'),
  'one file of topological levels': repo =>
    repo.git('-c', 'commitGraph.generationVersion=1', 'commit-graph', 'write', '--reachable'),
  'a chain of files': repo => {
    repo.pipe(
      `${repo.git('rev-parse', 'c30')}\n`,
      'commit-graph',
      'write',
      '--split=no-merge',
      '--stdin-commits',
    );
    repo.git('commit-graph', 'write', '--split=no-merge', '--reachable');
    expect(readdirSync(repo.path(CHAIN)).length).toBe(3);
  },
  'a chain of both kinds of generation numbers': repo => {
    const old = ['-c', 'commitGraph.generationVersion=1'];
    repo.pipe(
      `${repo.git('rev-parse', 'c30')}\n`,
      ...old,
      'commit-graph',
      'write',
      '--split=no-merge',
      '--stdin-commits',
    );
    repo.git('commit-graph', 'write', '--split=no-merge', '--reachable');
  },
  'one file with filters of paths': repo =>
    repo.git('commit-graph', 'write', '--reachable', '--changed-paths'),
};

function writableGraph(repo: Sandbox): string {
  const path = repo.path(GRAPH);
  chmodSync(path, 0o644);
  return path;
}

/** Writes the file with a checksum that fits. */
function forge(path: string, change: (bytes: Buffer) => unknown): void {
  const bytes = readFileSync(path).subarray(0, -20);
  change(bytes);
  writeFileSync(path, Buffer.concat([bytes, createHash('sha1').update(bytes).digest()]));
}

/** Where the chunk of this name begins. */
function chunkAt(bytes: Buffer, name: string): number {
  for (let row = 8; ; row += 12)
    if (bytes.toString('latin1', row, row + 4) === name) return bytes.readUInt32BE(row + 8);
}

const DAMAGES: Record<string, (path: string) => void> = {
  empty: path => writeFileSync(path, ''),
  'cut off': path => writeFileSync(path, readFileSync(path).subarray(0, -500)),
  'with a bit that fell over': path => {
    const bytes = readFileSync(path);
    bytes[bytes.length >> 1]! ^= 4;
    writeFileSync(path, bytes);
  },
  'with more at its end': path => appendFileSync(path, 'more'),
  'of a future version': path => forge(path, bytes => bytes.writeUInt8(2, 4)),
  'of another hash': path => forge(path, bytes => bytes.writeUInt8(2, 5)),
  'that goes on from others': path => forge(path, bytes => bytes.writeUInt8(1, 7)),
  'whose parents are not in it': path =>
    forge(path, bytes => bytes.writeUInt32BE(5000, chunkAt(bytes, 'CDAT') + 20)),
  'whose list of parents is not in it': path =>
    forge(path, bytes => bytes.writeUInt32BE(0x8000_ffff, chunkAt(bytes, 'CDAT') + 24)),
  'in which commits are their own parents': path =>
    forge(path, bytes => {
      for (let n = 0; n < 80; n++) bytes.writeUInt32BE(n, chunkAt(bytes, 'CDAT') + n * 36 + 20);
    }),
  'with a chunk beyond its end': path =>
    forge(path, bytes => bytes.writeUInt32BE(bytes.length + 8, 8 + 12 + 8)),
  'whose ids are out of order': path =>
    forge(path, bytes => {
      const at = chunkAt(bytes, 'OIDL');
      Buffer.from(bytes.subarray(at, at + 20)).copy(bytes, at + 40);
    }),
  'whose counts fall': path => forge(path, bytes => bytes.writeUInt32BE(9000, chunkAt(bytes, 'OIDF'))),
};

/** Each answer with the file, and without it. */
async function expectSame(repo: Sandbox, commits: readonly string[]): Promise<void> {
  const [one, other] = [objectsOf(repo), objectsOf(repo, false)];
  await one.hasGenerations();
  for (const [n, from] of commits.entries()) {
    const exclude = commits[(n * 13 + 5) % commits.length]!;
    expect([...(await revList(one, from, exclude))].sort()).toEqual(
      [...(await revList(other, from, exclude))].sort(),
    );
    expect(await isAncestor(one, exclude, from)).toBe(await isAncestor(other, exclude, from));
    expect((await one.commitInfo(from))?.parents).toEqual((await other.commitInfo(from))?.parents);
  }
}

describe('git’s commit-graph', () => {
  it.each(Object.keys(FORMS))('is read as %s', async form => {
    const repo = repository();
    const commits = history(repo, 80, 5);
    FORMS[form]!(repo);
    const graph = (await graphOf(repo))!;
    expect(graph.hasGenerations).toBe(true);
    await expectAll(graph, repo, commits);
    expect(graph.find('1'.repeat(40))).toBeNull();
    await expectSame(repo, commits);
  });

  it('gives way to commits that are newer, and to none that were pruned', async () => {
    const repo = repository();
    const commits = history(repo, 80, 6);
    repo.git('commit-graph', 'write', '--reachable');
    const newer = repo.git('commit-tree', '-p', commits[79]!, '-p', commits[3]!, '-m', 'm', 'main^{tree}');
    await expectSame(repo, [...commits, newer]);
    const gone = commits[40]!;
    for (const name of readdirSync(repo.path('.git/objects/pack')))
      chmodSync(repo.path(`.git/objects/pack/${name}`), 0o644);
    repo.git('repack', '-adq');
    const pack = readdirSync(repo.path('.git/objects/pack')).find(name => name.endsWith('.pack'))!;
    const moved = repo.path(pack);
    writeFileSync(moved, readFileSync(repo.path(`.git/objects/pack/${pack}`)));
    rmSync(repo.path('.git/objects/pack'), { recursive: true });
    repo.pipe(readFileSync(moved), 'unpack-objects', '-q');
    rmSync(repo.path(`.git/objects/${gone.slice(0, 2)}/${gone.slice(2)}`));
    expect((await graphOf(repo))!.find(gone)).not.toBeNull();
    const objects = objectsOf(repo);
    await objects.hasGenerations();
    expect(await objects.commitInfo(gone)).toBeNull();
    // What is above it is damaged, and read as git reads it.
    for (const from of commits.slice(41))
      expect([...(await revList(objects, from, null))].sort()).toEqual(
        repo.git('rev-list', from).split('\n').sort(),
      );
    await expectSame(repo, commits.slice(0, 40));
  });

  it.each(Object.keys(DAMAGES))('is ignored when it is %s', async damage => {
    const repo = repository();
    const commits = history(repo, 80, 7);
    repo.git('commit-graph', 'write', '--reachable');
    expect(await graphOf(repo)).not.toBeNull();
    DAMAGES[damage]!(writableGraph(repo));
    expect(await graphOf(repo)).toBeNull();
    await expectSame(repo, commits.slice(60));
  });

  it.each<[string, (repo: Sandbox) => void]>([
    ['names a file that is gone', repo => rmSync(lastOf(repo))],
    ['names no file', repo => writeFileSync(repo.path(CHAIN, 'commit-graph-chain'), 'nothing\n')],
    [
      'lacks the file below',
      repo => writeFileSync(repo.path(CHAIN, 'commit-graph-chain'), `${nameOf(lastOf(repo))}\n`),
    ],
    ['has its files in another order', repo => reverseChain(repo)],
  ])('is ignored when its chain %s', async (_, damage) => {
    const repo = repository();
    const commits = history(repo, 80, 8);
    FORMS['a chain of files']!(repo);
    expect(await graphOf(repo)).not.toBeNull();
    chmodSync(repo.path(CHAIN, 'commit-graph-chain'), 0o644);
    damage(repo);
    expect(await graphOf(repo)).toBeNull();
    await expectSame(repo, commits.slice(60));
  });

  it.each<[string, (repo: Sandbox, commits: readonly string[]) => void]>([
    ['is shallow', (repo, commits) => writeFileSync(repo.path('.git/shallow'), `${commits[50]}\n`)],
    ['has grafts', (repo, commits) => repo.write('.git/info/grafts', `${commits[50]} ${commits[2]}\n`)],
    ['replaces commits', (repo, commits) => void repo.git('replace', '--graft', commits[50]!, commits[2]!)],
    [
      'replaces commits, in packed refs',
      (repo, commits) => {
        repo.git('replace', '--graft', commits[50]!, commits[2]!);
        repo.git('pack-refs', '--all');
        expect(existsSync(repo.path('.git/refs/replace', commits[50]!))).toBe(false);
      },
    ],
  ])('is ignored, as git does, where the repository %s', async (_, change) => {
    const repo = repository();
    const commits = history(repo, 80, 9);
    repo.git('commit-graph', 'write', '--reachable');
    change(repo, commits);
    expect(await graphOf(repo)).toBeNull();
    await expectSame(repo, commits.slice(60));
  });

  it('of an alternate is read, and none where core.commitGraph says so', async () => {
    const repo = repository();
    const commits = history(repo, 80, 10);
    repo.git('commit-graph', 'write', '--reachable');
    expect(await objectsOf(repo).hasGenerations()).toBe(true);
    expect(await objectsOf(repo, false).hasGenerations()).toBe(false);
    repo.git('clone', '-q', '--shared', '.', '../second');
    const objectsDir = repo.path('../second/.git/objects');
    const borrowing = openObjects({ fs: nodeFs(), codec: nativeCodec, objectsDir });
    expect(await borrowing.hasGenerations()).toBe(true);
    expect((await borrowing.commitInfo(commits[79]!))!.generation).toBeLessThan(Number.POSITIVE_INFINITY);
  });
});

/** The file of the chain that was written last. */
function lastOf(repo: Sandbox): string {
  const names = readFileSync(repo.path(CHAIN, 'commit-graph-chain'), 'utf8').trim().split('\n');
  return repo.path(CHAIN, `graph-${names.at(-1)}.graph`);
}

function nameOf(path: string): string {
  return /graph-([0-9a-f]{40})\.graph$/.exec(path)![1]!;
}

function reverseChain(repo: Sandbox): void {
  const path = repo.path(CHAIN, 'commit-graph-chain');
  const names = readFileSync(path, 'utf8').trim().split('\n');
  chmodSync(path, 0o644);
  writeFileSync(path, `${names.reverse().join('\n')}\n`);
}
