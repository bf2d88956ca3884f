/** Patches through the whole engine: the list of unified diffs with links and folders, and what comes with every edit. */

import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { EditError, Session } from '../../src/index.ts';
import cases from '../conformance/unified-diff.json' with { type: 'json' };
import { codeOf, type Place, personRepo } from '../helpers/person-repo.ts';

type Entry = string | { symlink: string };
type Files = Record<string, Entry>;

interface Case {
  name: string;
  files: Files;
  patch: string;
  git_apply: string;
  result: Files | null;
  suggested: string;
}

/** A repository with the files and links of a case. */
function repoOf(files: Files): Place {
  const repo = personRepo({});
  mkdirSync(repo.path('../outdir'), { recursive: true });
  for (const [path, entry] of Object.entries(files)) {
    mkdirSync(dirname(repo.path(path)), { recursive: true });
    if (typeof entry === 'string') repo.write(path, entry);
    else symlinkSync(entry.symlink, repo.path(path));
  }
  repo.git('add', '-A');
  repo.git('commit', '-q', '--allow-empty', '-m', 'files');
  return repo;
}

/** Everything in the work tree. */
function filesOf(repo: Place, folder = '', found: Files = {}): Files {
  for (const name of readdirSync(repo.path(folder))) {
    const path = join(folder, name);
    const stat = lstatSync(repo.path(path));
    if (path === '.git') continue;
    if (stat.isDirectory()) filesOf(repo, path, found);
    else
      found[path] = stat.isSymbolicLink()
        ? { symlink: readlinkSync(repo.path(path)) }
        : readFileSync(repo.path(path), 'utf8');
  }
  return found;
}

/** What the list leaves open, and where the answer of git is no example. */
const DECIDED: Readonly<Record<string, Files | 'refused'>> = {
  // The old lines have the line ends of the file, so the added one is meant with its own: as git does it.
  crlf_added_lines_only: { 'f.txt': 'a\nx\r\nb\n' },
  // A link that stays inside is followed, and the real file is patched.
  symlink_leaf_patched_as_regular: { 'link.txt': { symlink: 't.txt' }, 't.txt': 'a\nB\n' },
  smart_quotes_differ: 'refused',
  // Git reports success and leaves the file: here the second part deletes what the first one changed.
  modify_then_delete_same_file: { x: '1\n' },
};

function expectedOf({ name, suggested, git_apply, result }: Case): Files | 'refused' | 'applied' {
  const decided = DECIDED[name];
  if (decided) return decided;
  if (!suggested.startsWith('apply')) return 'refused';
  return git_apply === 'applied' ? result! : 'applied';
}

describe('unified diffs of the conformance list', () => {
  it.each((cases as Case[]).map(one => [one.name, one] as const))('%s', async (_, one) => {
    const repo = repoOf(one.files);
    const session = await repo.session();
    const expected = expectedOf(one);
    const code = await codeOf(session.edit('unified_diff', { patch: one.patch }));
    if (expected === 'refused') {
      expect(code).toMatch(/^[A-Z_]+$/);
      expect(code).not.toBe('STORE_FAILED');
      expect(filesOf(repo)).toEqual(one.files);
      expect((await session.log()).data.entries).toEqual([]);
    } else {
      expect(code).toBeNull();
      if (expected === 'applied') expect(filesOf(repo)).not.toEqual(one.files);
      else expect(filesOf(repo)).toEqual(expected);
    }
    expect(existsSync(repo.path('../evil.txt'))).toBe(false);
    expect(readdirSync(repo.path('../outdir'))).toEqual([]);
  });
});

const wrapped = (...lines: string[]): { patch: string } => ({
  patch: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n'),
});

const FORMS: ReadonlyArray<readonly [name: string, input: object]> = [
  ['apply_patch', wrapped('*** Update File: a.txt', '-2', '+two')],
  ['context_patch', { path: 'a.txt', patch_text: '-2\n+two' }],
  ['unified_diff', { patch: '--- a/a.txt\n+++ b/a.txt\n@@ -2 +2 @@\n-2\n+two\n' }],
  ['search_replace', { path: 'a.txt', blocks: '<<<<<<< SEARCH\n2\n=======\ntwo\n>>>>>>> REPLACE\n' }],
];

async function refusal(call: Promise<unknown>): Promise<EditError> {
  return call.then(
    () => Promise.reject(new Error('was not refused')),
    error => error,
  );
}

describe.each(FORMS)('%s', (name, input) => {
  const files = { 'a.txt': '1\n2\n3\n4\n5\n', 'b.txt': 'b\n' };
  const start = async (): Promise<{ repo: Place; session: Session; version: string }> => {
    const repo = personRepo(files);
    const session = await repo.session();
    return { repo, session, version: String((await session.view({ path: 'a.txt' })).data.version) };
  };

  it('is recorded, undone, and dry', async () => {
    const { repo, session } = await start();
    const dry = await session.edit(name, { ...input, dry_run: true });
    expect([dry.data.commit, repo.read('a.txt')]).toEqual([null, files['a.txt']]);
    const { data } = await session.edit(name, input);
    expect(data).toMatchObject({
      op: name,
      paths: [{ path: 'a.txt', kind: 'modify', added: 1, removed: 1 }],
    });
    expect(repo.git('log', '-1', '--format=%s', 'vedit/main')).toBe(`${name} a.txt (+1 -1)`);
    await session.undo();
    expect(repo.read('a.txt')).toBe(files['a.txt']);
  });

  it('is refused on an old base and rebased on request', async () => {
    const { repo, session, version } = await start();
    const old = repo.git('rev-parse', 'HEAD');
    await session.edit('str_replace', { path: 'a.txt', old_str: '5', new_str: 'five' });
    expect(await codeOf(session.edit(name, { ...input, version }))).toBe('STALE');
    expect(await codeOf(session.edit(name, { ...input, base: old }))).toBe('STALE');
    await session.edit(name, { ...input, base: old, on_stale: 'rebase' });
    expect(repo.read('a.txt')).toBe('1\ntwo\n3\n4\nfive\n');
  });

  it('is part of a change, all of it or nothing', async () => {
    const { repo, session } = await start();
    const failing = { edit: 'str_replace', path: 'b.txt', old_str: 'x', new_str: 'y' };
    expect(await codeOf(session.change([{ edit: name, ...input }, failing]))).toBe('NO_MATCH');
    expect(repo.read('a.txt')).toBe(files['a.txt']);
    await session.change([
      { edit: name, ...input },
      { ...failing, old_str: 'b' },
    ]);
    expect([repo.read('a.txt'), repo.read('b.txt')]).toEqual(['1\ntwo\n3\n4\n5\n', 'y\n']);
  });
});

describe('patches of several files', () => {
  it('leave nothing behind when one file fails', async () => {
    const repo = personRepo({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    const patch = wrapped(
      '*** Add File: new/c.txt',
      '+c',
      '*** Update File: a.txt',
      '-a',
      '+A',
      '*** Update File: b.txt',
      '-x',
      '+y',
    );
    expect(await codeOf((await repo.session()).edit('apply_patch', patch))).toBe('PATCH_FAILED');
    expect(filesOf(repo)).toEqual({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    expect(existsSync(repo.path('new'))).toBe(false);
  });

  it('are one commit, and one undo', async () => {
    const repo = personRepo({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' });
    const session = await repo.session();
    const patch = wrapped(
      '*** Add File: d.txt',
      '+d',
      '*** Update File: a.txt',
      '*** Move to: e.txt',
      '-a',
      '+A',
      '*** Delete File: b.txt',
    );
    const { data } = await session.edit('apply_patch', patch);
    expect(data.paths.map(({ path, kind }) => [path, kind])).toEqual([
      ['d.txt', 'create'],
      ['e.txt', 'move'],
      ['b.txt', 'delete'],
    ]);
    expect(filesOf(repo)).toEqual({ 'c.txt': 'c\n', 'd.txt': 'd\n', 'e.txt': 'A\n' });
    await session.undo();
    expect(filesOf(repo)).toEqual({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' });
  });

  it('say in the answer what was put up with', async () => {
    const repo = personRepo({ 'a.txt': 'a\nb\n' });
    const session = await repo.session();
    const { patch } = wrapped('*** Update File: a.txt', ' a', '-b', '+B');
    const answer = await session.edit('apply_patch', { patch: `\`\`\`\n${patch}\n\`\`\`` });
    expect(answer.data.notes).toEqual(['the code fence around the patch was left out']);
    expect(answer.message).toContain('Note: the code fence around the patch was left out');
  });

  it('need a version of one of their files only', async () => {
    const repo = personRepo({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    const session = await repo.session();
    const version = (await session.view({ path: 'a.txt' })).data.version;
    const patch = wrapped(
      '*** Update File: a.txt',
      '*** Move to: c.txt',
      '-a',
      '+A',
      '*** Update File: b.txt',
      '-b',
      '+B',
    );
    expect((await refusal(session.edit('apply_patch', { ...patch, version: 'abcdef' }))).data.path).toBe(
      'a.txt',
    );
    await session.edit('apply_patch', { ...patch, version });
    await session.edit('move', {
      path: 'c.txt',
      new_path: 'd.txt',
      version: (await session.view({ path: 'c.txt' })).data.version,
    });
    expect(filesOf(repo)).toEqual({ 'b.txt': 'B\n', 'd.txt': 'A\n' });
  });

  it('do not name one file twice through a link', async () => {
    const repo = repoOf({ 'AGENTS.md': 'a\nb\n', 'CLAUDE.md': { symlink: 'AGENTS.md' } });
    const patch = wrapped('*** Update File: AGENTS.md', '-a', '+A', '*** Update File: CLAUDE.md', '-b', '+B');
    const error = await refusal((await repo.session()).edit('apply_patch', patch));
    expect(error.code).toBe('INVALID_INPUT');
    expect(error.message).toContain('AGENTS.md and CLAUDE.md are the same file');
    expect(repo.read('AGENTS.md')).toBe('a\nb\n');
  });

  it('change and keep modes', async () => {
    const repo = personRepo({ 's.sh': 'a\n' });
    const session = await repo.session();
    const git = (from: string, to: string): { patch: string } => ({
      patch: `diff --git a/s.sh b/s.sh\nold mode ${from}\nnew mode ${to}\n`,
    });
    expect(await codeOf(session.edit('unified_diff', git('100755', '100644')))).toBe('PATCH_FAILED');
    await session.edit('unified_diff', git('100644', '100755'));
    expect(lstatSync(repo.path('s.sh')).mode & 0o111).toBe(0o111);
    const copy = 'diff --git a/s.sh b/t.sh\ncopy from s.sh\ncopy to t.sh\n';
    await session.edit('unified_diff', { patch: copy });
    expect(lstatSync(repo.path('t.sh')).mode & 0o111).toBe(0o111);
    expect(repo.git('ls-tree', '--format=%(objectmode)', 'vedit/main', 't.sh')).toBe('100755');
  });
});
