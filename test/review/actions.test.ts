import { describe, expect, it } from 'vitest';
import type { EditErrorOf, ReviewHunk, Session, Workspace } from '../../src/index.ts';
import { ownRepo, type Place, personRepo } from '../helpers/person-repo.ts';

const LINES = Array.from({ length: 30 }, (_, at) => `line ${at + 1}\n`).join('');
const ADA = { name: 'Ada', email: 'ada@example.com' };
const BEN = { name: 'Ben', email: 'ben@example.com' };

interface Scene {
  repo: Place;
  workspace: Workspace;
  session: Session;
  edit(old: string, text: string): Promise<unknown>;
  hunks(options?: object): Promise<ReviewHunk[]>;
}

async function scene(repository: typeof personRepo): Promise<Scene> {
  const repo = repository({ 'a.txt': LINES });
  const workspace = await repo.open({ user: ADA });
  const session = workspace.session({ id: 's1', agent: 'claude' });
  return {
    repo,
    workspace,
    session,
    edit: (old_str, new_str) => session.edit('str_replace', { path: 'a.txt', old_str, new_str }),
    hunks: async options => (await workspace.review(options)).data.hunks,
  };
}

const textsOf = (hunks: readonly ReviewHunk[]): string[][] => hunks.map(one => one.after.lines);

function name({ commit, path, lines, version }: ReviewHunk) {
  return { at: commit, path, lines, version: version ?? undefined };
}

describe.each([
  ['beside the branch', personRepo],
  ['on the branch', ownRepo],
])('on a trail %s', (_, repository) => {
  it('accepting a hunk leaves the others, and changes no file', async () => {
    const { repo, workspace, edit, hunks } = await scene(repository);
    await edit('line 5\n', 'five\n');
    await edit('line 9\n', 'nine\n');
    const text = repo.read('a.txt');
    const head = repo.git('rev-parse', 'HEAD');
    const [first] = await hunks();
    const answer = await workspace.accept(name(first!));
    expect(answer.message).toBe('Accepted 1 hunk; 1 left to review.');
    expect(textsOf(await hunks())).toEqual([['nine']]);
    expect([repo.read('a.txt'), repo.git('rev-parse', 'HEAD')]).toEqual([text, head]);
    const refs = repo.git('for-each-ref', '--format=%(refname)', 'refs/vedit-review');
    expect(refs).toMatch(/^refs\/vedit-review\/ada-example-com\/(vedit|heads)\/main$/);
    expect(repo.git('show', `${refs}:a.txt`)).toBe(LINES.replace('line 5', 'five').trim());
    expect((await workspace.verify()).data.faults).toEqual([]);
  });

  it('what is edited again after it was accepted is one hunk against that', async () => {
    const { workspace, edit, hunks } = await scene(repository);
    await edit('line 5\n', 'five\n');
    await workspace.accept({ path: 'a.txt' });
    expect(await hunks()).toEqual([]);
    await edit('five\n', 'FIVE\n');
    expect((await hunks()).map(({ before, after: now }) => [before.lines, now.lines])).toEqual([
      [['five'], ['FIVE']],
    ]);
  });

  it('accepts up to an edit, a session, a folder, everything', async () => {
    const { workspace, session, edit, hunks } = await scene(repository);
    await edit('line 5\n', 'five\n');
    const upTo = (await session.log()).data.entries[0]!.commit;
    await edit('line 9\n', 'nine\n');
    await workspace.accept({ upTo });
    expect(textsOf(await hunks())).toEqual([['nine']]);
    const other = workspace.session({ id: 's2', agent: 'fixer' });
    await other.edit('str_replace', { path: 'a.txt', old_str: 'line 20\n', new_str: 'twenty\n' });
    await workspace.accept({ session: 's2' });
    expect(textsOf(await hunks())).toEqual([['nine']]);
    await session.edit('create', { path: 'src/new.txt', file_text: 'new\n' });
    await workspace.accept({ path: 'src' });
    expect(textsOf(await hunks())).toEqual([['nine']]);
    await workspace.accept({ all: true });
    expect(await hunks()).toEqual([]);
    await expect(workspace.accept({ all: true })).rejects.toMatchObject({ code: 'NO_CHANGE' });
    await expect(workspace.accept({})).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('accepts what was read, not what stands there by now', async () => {
    const { workspace, edit, hunks } = await scene(repository);
    await edit('line 5\n', 'five\n');
    const [read] = await hunks();
    await edit('line 1\n', 'zero\none\n');
    await edit('five\n', 'five\nsneaked in\n');
    await workspace.accept(name(read!));
    expect(textsOf(await hunks())).toEqual([['zero', 'one'], ['sneaked in']]);
  });

  it('accepts what was read where its lines are others by now: those are left to review', async () => {
    const { workspace, session, edit, hunks } = await scene(repository);
    await edit('line 5\n', 'five\n');
    const [read] = await hunks();
    await edit('five\n', 'FIVE\n');
    await workspace.accept(name(read!));
    expect((await hunks()).map(({ before, after: now }) => [before.lines, now.lines])).toEqual([
      [['five'], ['FIVE']],
    ]);
    await expect(workspace.accept(name(read!))).rejects.toMatchObject({ code: 'NO_CHANGE' });
    await workspace.accept({ all: true });
    await expect(workspace.accept(name(read!))).rejects.toMatchObject({ code: 'NO_CHANGE' });
    await edit('line 9\n', 'nine\nnine and a half\n');
    const [nine] = await hunks();
    await edit('nine\n', '');
    await edit('nine and a half\n', 'ten\n');
    const upTo = (await session.log()).data.entries[1]!.commit;
    await workspace.accept(name(nine!));
    expect((await hunks())[0]!.before.lines).toEqual(['nine', 'nine and a half']);
    await workspace.accept({ upTo });
    expect((await hunks())[0]).toMatchObject({
      before: { lines: ['nine and a half'] },
      after: { lines: ['ten'] },
    });
    expect((await workspace.verify()).data.faults).toEqual([]);
  });

  it('rejecting a hunk is one commit of the person, with the reason, that takes out just that', async () => {
    const { repo, workspace, session, edit, hunks } = await scene(repository);
    await edit('line 5\n', 'five\n');
    await edit('line 9\n', 'nine\n');
    const [first] = await hunks();
    const { data, message } = await workspace.reject({ ...name(first!), reason: 'say line 5' });
    expect(message).toMatch(/^reject done, commit [0-9a-f]{12}:/);
    expect(repo.read('a.txt')).toBe(LINES.replace('line 9', 'nine'));
    expect(textsOf(await hunks())).toEqual([['nine']]);
    const entry = (await session.log()).data.entries[0]!;
    expect(entry).toMatchObject({ commit: data.commit, author: 'Ada', reason: 'say line 5' });
    expect(entry.subject).toBe('reject a.txt (+1 -1)');
    expect(
      repo.git('show', '-s', '--format=%(trailers:key=Vedit-Rejects,valueonly)', data.commit!).trim(),
    ).toBe(first!.edits[0]!.commit);
    expect((await workspace.verify()).data.faults).toEqual([]);
  });

  it('rejects new files, deleted files and lines that were taken out', async () => {
    const { repo, workspace, session, edit, hunks } = await scene(repository);
    await edit('line 5\nline 6\n', '');
    await session.edit('create', { path: 'new.txt', file_text: 'new\n' });
    for (const hunk of await hunks()) await workspace.reject(name(hunk));
    expect(repo.read('a.txt')).toBe(LINES);
    expect(() => repo.read('new.txt')).toThrow(/ENOENT/);
    await session.edit('delete', { path: 'a.txt' });
    const [gone] = await hunks();
    await workspace.reject(name(gone!));
    expect(repo.read('a.txt')).toBe(LINES);
    expect(await hunks()).toEqual([]);
  });

  it('a person’s text in a hunk is never taken out, unless it is asked for', async () => {
    const { repo, workspace, edit, hunks } = await scene(repository);
    await edit('line 5\n', 'five\n5\n');
    repo.write('a.txt', repo.read('a.txt').replace('five\n', 'five\nmine\n'));
    const [hunk] = await hunks();
    const error: EditErrorOf<'CONFLICT'> = await workspace.reject(name(hunk!)).catch(thrown => thrown);
    expect(error.code).toBe('CONFLICT');
    expect(error.message).toContain('text that did not come through vedit, not recorded yet');
    expect(error.data.builds_on).toMatchObject([{ commit: null }]);
    expect(repo.read('a.txt')).toContain('five\nmine\n5\n');
    const { data } = await workspace.reject({ ...name(hunk!), together: true });
    expect(repo.read('a.txt')).toBe(LINES);
    expect(repo.git('show', `${data.parent}:a.txt`)).toContain('mine');
  });

  it('what a person changed beside the lines of an agent stays, recorded or not', async () => {
    const { repo, workspace, edit, hunks } = await scene(repository);
    await edit('line 5\n', 'five\n');
    repo.write('a.txt', repo.read('a.txt').replace('line 4\n', 'four\nmine\n').replace('line 6\n', 'six\n'));
    const [hunk] = await hunks();
    // The part of the agent, and nothing of what stands beside it.
    expect(hunk).toMatchObject({ mixed: false, before: { lines: ['line 5'] }, after: { lines: ['five'] } });
    await workspace.reject(name(hunk!));
    expect(repo.read('a.txt')).toBe(LINES.replace('line 4\n', 'four\nmine\n').replace('line 6\n', 'six\n'));
    expect(await hunks()).toEqual([]);
    await workspace.unreview();
    expect(repo.read('a.txt')).toContain('four\nmine\nfive\nsix\n');
    expect((await workspace.verify()).data.faults).toEqual([]);
  });

  it('a part of a hunk has only the edits of its own lines', async () => {
    const { repo, workspace, session, edit, hunks } = await scene(repository);
    await edit('line 5\n', 'five\n');
    const first = (await session.log()).data.entries[0]!.commit;
    await edit('line 6\n', 'six\n');
    repo.write('a.txt', repo.read('a.txt').replace('line 7\n', 'seven\n'));
    const [hunk] = await hunks();
    const line = (start: number) => ({ ...name(hunk!), lines: { start_line: start, end_line: start } });
    await expect(workspace.reject(line(7))).rejects.toMatchObject({ code: 'NO_CHANGE' });
    const listed = await workspace.review({ path: 'a.txt', lines: line(5).lines });
    expect(listed.data.hunks).toMatchObject([{ mixed: false, edits: [{ commit: first }] }]);
    const { data } = await workspace.reject(line(5));
    const rejected = '%(trailers:key=Vedit-Rejects,valueonly)';
    expect(repo.git('show', '-s', `--format=${rejected}`, data.commit!).trim()).toBe(first);
    expect(repo.read('a.txt')).toBe(LINES.replace('line 6', 'six').replace('line 7', 'seven'));
  });

  it('of several edits in a row, the accepted one stays below the person’s line', async () => {
    const { repo, workspace, edit, hunks } = await scene(repository);
    await edit('line 5\n', 'five\n');
    await workspace.accept(name((await hunks())[0]!));
    await edit('five\n', 'FIVE\n');
    await edit('FIVE\n', 'V\n');
    repo.write('a.txt', repo.read('a.txt').replace('line 6\n', 'six\n'));
    await workspace.reject(name((await hunks())[0]!));
    expect(repo.read('a.txt')).toBe(LINES.replace('line 5\n', 'five\n').replace('line 6\n', 'six\n'));
  });

  it('what came to the lines since they were read is a conflict that names it', async () => {
    const { repo, workspace, session, edit, hunks } = await scene(repository);
    await edit('line 5\n', 'five\n');
    const [read] = await hunks();
    await edit('five\n', 'five\nbuilt on it\n');
    const newest = (await session.log()).data.entries[0]!.commit;
    const error: EditErrorOf<'CONFLICT'> = await workspace.reject(name(read!)).catch(thrown => thrown);
    expect(error.code).toBe('CONFLICT');
    expect(error.data.builds_on).toMatchObject([{ commit: newest, session: 's1', agent: 'claude' }]);
    expect(error.message).toContain(newest.slice(0, 12));
    await workspace.reject({ ...name(read!), together: true });
    expect(repo.read('a.txt')).toBe(LINES);
  });

  it('a hunk is found by its name after others moved it', async () => {
    const { repo, workspace, edit, hunks } = await scene(repository);
    await edit('line 20\n', 'twenty\n');
    const [read] = await hunks();
    await edit('line 1\n', 'a\nb\nc\n');
    await workspace.reject(name(read!));
    expect(repo.read('a.txt')).toBe(LINES.replace('line 1\n', 'a\nb\nc\n'));
    await expect(workspace.reject(name(read!))).rejects.toMatchObject({ code: 'NO_CHANGE' });
  });

  it('takes back what was accepted and rejected, the last first', async () => {
    const { repo, workspace, edit, hunks } = await scene(repository);
    await edit('line 5\n', 'five\n');
    await edit('line 9\n', 'nine\n');
    await edit('line 20\n', 'twenty\n');
    const text = repo.read('a.txt');
    const [first, second, third] = await hunks();
    await workspace.accept(name(first!));
    await workspace.reject(name(second!));
    await workspace.accept(name(third!));
    expect(await hunks()).toEqual([]);
    const took: string[] = [];
    for (let n = 0; n < 3; n++) took.push((await workspace.unreview()).data.took_back);
    expect(took).toEqual(['accept', 'reject', 'accept']);
    expect(repo.read('a.txt')).toBe(text);
    expect(textsOf(await hunks())).toEqual([['five'], ['nine'], ['twenty']]);
    await expect(workspace.unreview()).rejects.toMatchObject({ code: 'NO_CHANGE' });
    expect((await workspace.verify()).data.faults).toEqual([]);
  });

  it('a rejection that the person reverts is to be reviewed again', async () => {
    const { repo, workspace, edit, hunks } = await scene(repository);
    await edit('line 5\n', 'five\n');
    const text = repo.read('a.txt');
    const { data } = await workspace.reject({ path: 'a.txt' });
    await workspace.session({ id: 'ada', person: ADA }).revert(data.commit!);
    expect(repo.read('a.txt')).toBe(text);
    expect(textsOf(await hunks())).toEqual([['five']]);
  });

  it('two reviewers have a text each, and are told of each other', async () => {
    const { workspace, edit, hunks } = await scene(repository);
    await edit('line 5\n', 'five\n');
    await edit('line 9\n', 'nine\n');
    const [first] = await hunks();
    await workspace.accept({ ...name(first!), reviewer: BEN });
    expect((await hunks()).map(one => one.accepted_by)).toEqual([['Ben'], []]);
    expect(textsOf(await hunks({ reviewer: BEN }))).toEqual([['nine']]);
    await workspace.accept({ all: true });
    expect((await workspace.review({ reviewer: BEN })).data).toMatchObject({
      reviewer: 'Ben',
      reviewers: ['Ada'],
      hunks: [{ accepted_by: ['Ada'] }],
    });
  });

  it('a dry run of a rejection shows it and does nothing', async () => {
    const { repo, workspace, edit, hunks } = await scene(repository);
    await edit('line 5\n', 'five\n');
    const [first] = await hunks();
    const { data } = await workspace.reject({ ...name(first!), dryRun: true });
    expect(data.dry_run).toBe(true);
    expect(data.diff).toContain('+line 5');
    expect(repo.read('a.txt')).toContain('five');
  });
});
