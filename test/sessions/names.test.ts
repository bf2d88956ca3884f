/**
 * A name means one commit: whatever a person or another session did before, `@`, `~N`, a branch and an id are the same
 * commit to every reader and to every way back.
 */

import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type LogEntry, runTool, type Session, type Workspace } from '../../src/index.ts';
import { ownRepo, type Place, personRepo, place } from '../helpers/person-repo.ts';
import { sandbox } from '../helpers/real-git.ts';

const lines = (n: number): string => Array.from({ length: n }, (_, i) => `${i + 1}\n`).join('');
const word = (n: number, to: string) => ({ path: 'a.txt', old_str: `\n${n}\n`, new_str: `\n${to}\n` });

/** Newest first: an undo, the edit it undid, and three more edits. */
async function work(repo: Place): Promise<void> {
  repo.git('branch', 'other');
  repo.git('config', 'user.name', 'Ada');
  repo.git('config', 'user.email', 'ada@example.com');
  const session = await repo.session();
  await session.edit('str_replace', word(3, 'three'));
  await session.edit('str_replace', { path: 'b.txt', old_str: 'b', new_str: 'B' });
  await session.edit('str_replace', word(9, 'nine'));
  await session.edit('create', { path: 'n.txt', file_text: 'new\n' });
  await session.undo();
}

type Act = (repo: Place) => unknown;

const ACTS: Record<string, Act> = {
  nothing: () => {},
  'an empty commit': repo => repo.git('commit', '-q', '--allow-empty', '-m', 'empty'),
  'a commit of the same file': repo => {
    repo.write('a.txt', `${repo.read('a.txt')}mine\n`);
    repo.git('commit', '-qm', 'mine', 'a.txt');
  },
  'a commit of another file': repo => {
    repo.write('c.txt', 'mine\n');
    repo.git('commit', '-qm', 'mine', 'c.txt');
  },
  'a landing': async repo => (await repo.open()).land({ onto: onto(repo) }),
  'a switch': repo => repo.git('switch', '-qc', 'side'),
  'a switch and a commit': repo => {
    repo.git('switch', '-qc', 'side');
    repo.git('commit', '-q', '--allow-empty', '-m', 'empty');
  },
  'an amended commit': repo => repo.git('commit', '-q', '--amend', '--allow-empty', '-m', 'amended'),
  'an edit of another session': async repo =>
    (await repo.session('s2')).edit('str_replace', { path: 'c.txt', old_str: 'c', new_str: 'C' }),
};

function isOwn(repo: Place): boolean {
  return repo.git('config', '--default', '', 'vedit.trail') === 'HEAD';
}

function onto(repo: Place): string | undefined {
  return isOwn(repo) ? 'other' : undefined;
}

/** `@`, counted ones, branches, and full and short ids. */
async function namesFor(session: Session): Promise<string[]> {
  const ids = ((await session.log({ limit: 3 })).data.entries as LogEntry[]).map(one => one.commit);
  const [newest, , third] = ids;
  const branches = ['main', 'main~1', 'vedit/main~1'];
  return [
    '@',
    '~1',
    '~2',
    '~3',
    ...branches,
    ...(newest ? [newest.slice(0, 8)] : []),
    ...(third ? [third] : []),
  ];
}

interface Called {
  code: string | null;
  message: string;
  data: Record<string, unknown>;
}

/** The tool's answer, or its refusal. */
async function call(session: Session, tool: string, input: object): Promise<Called> {
  const result = await runTool(session, tool, input);
  return {
    code: result.ok ? null : result.code,
    message: result.message,
    data: (result.data ?? {}) as Called['data'],
  };
}

/** What each reader takes a name for: an id, or the code of a refusal. */
async function readAs(session: Session, name: string): Promise<Record<string, unknown>> {
  const of = async (tool: string, input: object, field = 'commit'): Promise<unknown> => {
    const { code, data } = await call(session, tool, input);
    return code ?? data[field];
  };
  return {
    show: await of('show', { commit: name }),
    view: await of('view', { path: 'a.txt', at: name }),
    blame: await of('blame', { path: 'a.txt', at: name }),
    from: await of('diff', { from: name }, 'from'),
    to: await of('diff', { from: name, to: name }, 'to'),
  };
}

/** The names that `log` and `export` list by their order. */
async function listedAs(session: Session): Promise<Map<string, Record<string, unknown>>> {
  const logged = (await session.log()).data.entries as LogEntry[];
  const exported: LogEntry[] = [];
  for await (const entry of session.export()) exported.push(entry);
  const rows = logged.map(({ commit }, n) => {
    return [n === 0 ? '@' : `~${n}`, { log: commit, export: exported[n]?.commit }] as const;
  });
  return new Map(rows);
}

const removed = (diff: unknown): string[] => String(diff).match(/^-(?!--).*$/gm) ?? [];
const added = (diff: unknown): string[] => String(diff).match(/^\+(?!\+\+).*$/gm) ?? [];
const bare = (marked: readonly string[]): string => marked.map(line => line.slice(1)).join('\n');

async function versionAt(session: Session, path: string, name: string): Promise<unknown> {
  return (await call(session, 'view', { path, at: name })).data.version ?? null;
}

/** What is wrong with what a way back takes `name` for, and `undefined` where it says nothing of it. */
type Check = (session: Session, name: string, commit: string) => Promise<boolean | undefined>;

const named = ({ data }: Called, commit: string): boolean | undefined =>
  typeof data.commit === 'string' ? data.commit === commit : undefined;

const WAYS_BACK: Record<string, Check> = {
  /** The opposite of what `show` shows. */
  async revert(session, name, commit) {
    const answer = await call(session, 'revert', { commit: name, dry_run: true });
    const conflicts = answer.data.conflicts as Array<{ commit: string }> | undefined;
    if (conflicts) return conflicts.every(one => one.commit === commit);
    if (answer.code) return named(answer, commit);
    const { diff } = (await call(session, 'show', { commit: name })).data;
    const back = answer.data.diff;
    return bare(removed(back)) === bare(added(diff)) && bare(added(back)) === bare(removed(diff));
  },
  /** The files as `view --at` shows them, but for what others changed in them. */
  async rollback(session, name, commit) {
    const answer = await call(session, 'rollback', { commit: name, with_others: true, dry_run: true });
    const isSo = async (path: string, now: unknown): Promise<boolean> =>
      answer.message.includes(`${path} was also changed`) || now === (await versionAt(session, path, name));
    // Where only others changed something, there is nothing to take back.
    if (answer.code === 'NO_CHANGE') return undefined;
    if (answer.code) return named(answer, commit);
    const paths = answer.data.paths as Array<{ path: string; version: string | null }>;
    return (await Promise.all(paths.map(one => isSo(one.path, one.version)))).every(Boolean);
  },
  async restore(session, name, commit) {
    const answer = await call(session, 'restore', { path: 'a.txt', from: name, dry_run: true });
    const then = await versionAt(session, 'a.txt', name);
    if (answer.code === 'NO_CHANGE') {
      const { version, recorded } = (await call(session, 'view', { path: 'a.txt' })).data;
      // What is not recorded yet is kept.
      return recorded ? then === version : undefined;
    }
    if (answer.code) return named(answer, commit);
    return (answer.data.paths as Array<{ version: string }>)[0]!.version === then;
  },
  /** The base of a way back: what came since is told by the same commit. */
  undo: async (session, name, commit) => based(await call(session, 'undo', based.input(name)), commit),
  redo: async (session, name, commit) => based(await call(session, 'redo', based.input(name)), commit),
  /** An edit's. */
  async str_replace(session, name, commit) {
    const input = { path: 'a.txt', old_str: 'nine\n', new_str: 'NINE\n', base: name, dry_run: true };
    const answer = await call(session, 'str_replace', input);
    if (answer.code) return answer.data.base === commit;
    const now = (await call(session, 'view', { path: 'a.txt' })).data.version;
    return now === (await versionAt(session, 'a.txt', name));
  },
};

/** True where a base is what `commit` is; where it is refused for another reason, nothing is known. */
function based({ code, data }: Called, commit: string): boolean | undefined {
  if (code === 'STALE') return data.base === commit;
  if (code === 'INVALID_INPUT') return data.commit === commit;
  return undefined;
}
based.input = (name: string) => ({ base: name, dry_run: true });

/** What a landing takes a name for. */
function landing(workspace: Workspace, branch: string | undefined): Check {
  return async (_session, name, commit) => {
    try {
      const { data } = await workspace.land({ commits: [name], onto: branch, dryRun: true });
      return data.commits.flatMap(one => one.edits).join() === commit;
    } catch (error) {
      return named(error as Called, commit);
    }
  };
}

/** A copy to work in: each edit syncs the disk, so what all have in common is done once. */
function copyOf(dir: string): Place {
  const copy = place(sandbox());
  cpSync(dir, copy.dir, { recursive: true });
  return copy;
}

const DONE: ReadonlyArray<[tool: string, name: string, input: object]> = [
  ['revert', '~2', { commit: '~2' }],
  ['revert', '~4', { commit: '~4' }],
  ['rollback', '~3', { commit: '~3', with_others: true }],
  ['restore', '~3', { path: 'a.txt', from: '~3' }],
];

/** Not a dry run: what the commit of a way back says that it took back, where that is not what `show` showed. */
async function tookAnother(repo: Place): Promise<object[]> {
  const wrong: object[] = [];
  for (const [tool, name, input] of DONE) {
    const session = await copyOf(repo.dir).session();
    const { commit } = (await call(session, 'show', { commit: name })).data;
    const { code, data } = await call(session, tool, input);
    const { undoes, restores } = (await call(session, 'show', { commit: '@' })).data;
    const took = code ? (data.commit ?? commit) : (restores ?? (undoes as string[])[0]);
    if (took !== commit) wrong.push({ tool, name, took, shown: commit });
  }
  for (const tool of ['undo', 'redo']) {
    const session = await copyOf(repo.dir).session();
    const shown = (await newestFor(session, tool)) ?? 'NO_CHANGE';
    const { code } = await call(session, tool, {});
    const { undoes, redoes } = (await call(session, 'show', { commit: '@' })).data;
    const took = code ?? ((tool === 'undo' ? undoes : redoes) as string[])[0];
    if (took !== shown) wrong.push({ tool, took, shown });
  }
  return wrong;
}

/** The session's edit that `log` shows as the newest of which something stands, or that is undone. */
async function newestFor(session: Session, tool: string): Promise<string | undefined> {
  const logged = (await session.log({ session: 's1' })).data.entries as LogEntry[];
  const edits = logged.filter(({ op }) => op === 'str_replace' || op === 'create');
  const words = tool === 'redo' ? ['taken back'] : ['open', 'landed', 'changed', 'superseded'];
  return edits.find(({ status }) => words.includes(status.now))?.commit;
}

/** Where the trail is the branch, a person's commit is on it, and nothing has to be brought up to it. */
const ON_BRANCH = ['nothing', 'a commit of the same file', 'an amended commit', 'an edit of another session'];

describe.each([
  ['beside the branch', personRepo, Object.keys(ACTS)],
  ['on the branch', ownRepo, ON_BRANCH],
])('a name, with the trail %s', (_where, makeRepo, acts) => {
  const files = { 'a.txt': lines(12), 'b.txt': 'b\n', 'c.txt': 'c\n' };

  const worked = mkdtempSync(join(tmpdir(), 'vedit-names-'));
  afterAll(() => rmSync(worked, { recursive: true }));

  it.each(acts)('is one commit to readers and ways back after %s', async act => {
    if (readdirSync(worked).length === 0) {
      const made = makeRepo(files);
      await work(made);
      await made.close();
      cpSync(made.dir, worked, { recursive: true });
    }
    const repo = copyOf(worked);
    await ACTS[act]!(repo);
    await repo.close();
    const workspace = await repo.open();
    const session = workspace.session({ id: 's1' });
    const land = landing(workspace, onto(repo));
    const wrong: string[] = [];
    const told = new Set<string>();
    const listed = await listedAs(session);
    for (const name of await namesFor(session)) {
      const { show, ...others } = { ...(await readAs(session, name)), ...listed.get(name) };
      const commit = String(show);
      for (const [reader, id] of Object.entries(others))
        if (id !== commit) wrong.push(`${reader} ${name}: ${id}, not ${commit}`);
      if (!/^[0-9a-f]{40}$/.test(commit)) continue;
      for (const [tool, check] of Object.entries({ ...WAYS_BACK, land })) {
        const isSame = await check(session, name, commit);
        if (isSame !== undefined) told.add(tool);
        if (isSame === false) wrong.push(`${tool} ${name}: not ${commit}`);
      }
    }
    expect(wrong).toEqual([]);
    // What is compared with nothing proves nothing.
    expect(told.size).toBeGreaterThanOrEqual(5);
    await repo.close();
    expect(await tookAnother(repo)).toEqual([]);
  });
});
