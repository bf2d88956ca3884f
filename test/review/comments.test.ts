/** A comment of a person: told to the agent with its next answer, without a rejection; what it replies stands on the hunk. */

import { describe, expect, it } from 'vitest';
import { type ReviewHunk, runTool, type Session, type Workspace } from '../../src/index.ts';
import { ownRepo, type Place, personRepo } from '../helpers/person-repo.ts';

const LINES = Array.from({ length: 20 }, (_, at) => `line ${at + 1}\n`).join('');
const ADA = { name: 'Ada', email: 'ada@example.com' };

interface Scene {
  repo: Place;
  workspace: Workspace;
  session: Session;
  edit(old_str: string, new_str: string, by?: Session): Promise<unknown>;
  hunks(): Promise<ReviewHunk[]>;
}

async function scene(repository = personRepo): Promise<Scene> {
  const repo = repository({ 'a.txt': LINES });
  const workspace = await repo.open({ user: ADA });
  const session = workspace.session({ id: 's1', agent: 'claude' });
  return {
    repo,
    workspace,
    session,
    edit: (old_str, new_str, by = session) => by.edit('str_replace', { path: 'a.txt', old_str, new_str }),
    hunks: async () => (await workspace.review()).data.hunks,
  };
}

const named = ({ commit: at, path, lines, version }: ReviewHunk) => ({
  ...{ at, path, lines },
  version: version ?? undefined,
});

describe.each([
  ['beside the branch', personRepo],
  ['on the branch', ownRepo],
])('on a history %s', (_, repository) => {
  it('stands on its hunk, accepts nothing, changes no file, and is sound', async () => {
    const { repo, workspace, edit, hunks } = await scene(repository);
    await edit('line 5\n', 'five\n');
    await edit('line 9\n', 'nine\n');
    const [first] = await hunks();
    const text = repo.read('a.txt');
    const { data } = await workspace.comment({ ...named(first!), text: 'why not 5?' });
    expect(data.edits).toEqual([first!.edits[0]!.commit]);
    const after = await hunks();
    expect(after.map(({ comments }) => comments.map(one => [one.author, one.text]))).toEqual([
      [['Ada', 'why not 5?']],
      [],
    ]);
    expect(repo.read('a.txt')).toBe(text);
    expect((await workspace.verify()).data.faults).toEqual([]);
    await workspace.accept(named(after[0]!));
    await workspace.accept({ all: true });
    expect(await hunks()).toEqual([]);
    expect((await workspace.unreview()).data.took_back).toBe('accept');
    expect((await hunks()).length).toBe(1);
    expect((await workspace.verify()).data.faults).toEqual([]);
  });
});

describe('a comment', () => {
  it('names lines of a file that was edited before others, something of which is accepted', async () => {
    const { repo, workspace, session, edit, hunks } = await scene();
    await edit('line 5\n', 'five\n');
    repo.write('b.txt', 'b\n');
    await session.edit('str_replace', { path: 'b.txt', old_str: 'b', new_str: 'c' });
    await workspace.accept({ path: 'b.txt' });
    const [first] = await hunks();
    await workspace.comment({ ...named(first!), text: 'why not 5?' });
    const { message } = await runTool(session, 'log', {});
    expect(message).toContain('what you wrote in a.txt line 5, now `five`: "why not 5?"');
  });

  it('is told in the next answer of the session whose edit it is about, several together, once', async () => {
    const { workspace, session, edit, hunks } = await scene();
    await edit('line 5\n', 'five\n');
    await edit('line 9\n', 'nine\n');
    const [first, second] = await hunks();
    const one = await workspace.comment({ ...named(first!), text: 'why not 5?' });
    await workspace.comment({ ...named(second!), text: 'and 9?' });
    const told = await runTool(session, 'log', {});
    const id = one.data.comment.slice(0, 12);
    expect(told.message).toContain(
      `Note: Ada commented on what you wrote in a.txt line 5, now \`five\`: "why not 5?". It is no rejection, and the text stands: change it if you see why, and answer it with reply, comment ${id}.`,
    );
    expect(told.message).toContain('"and 9?"');
    const data = told.data as { comments: Array<{ lines: unknown; own: boolean }> };
    expect(data.comments).toHaveLength(2);
    for (const line of [5, 9])
      expect(data.comments).toContainEqual(
        expect.objectContaining({ lines: { start_line: line, end_line: line }, own: true }),
      );
    expect((await runTool(session, 'log', {})).message).not.toContain('Note: Ada');
  });

  it('names the command to an agent that has no tool for a reply, as one with hooks', async () => {
    const { workspace, session, edit, hunks } = await scene();
    await edit('line 5\n', 'five\n');
    const { data } = await workspace.comment({ ...named((await hunks())[0]!), text: 'why not 5?' });
    const told = await session.rejections(session.moment(), {}, {}, { tools: {} });
    expect(told!.message).toContain(`answer it with: vedit reply ${data.comment.slice(0, 12)} <text>.`);
  });

  it('gets a reply, which stands on the hunk, in show, log and audit', async () => {
    const { workspace, session, edit, hunks } = await scene();
    await edit('line 5\n', 'five\n');
    const [hunk] = await hunks();
    const { data } = await workspace.comment({ ...named(hunk!), text: 'why not 5?' });
    const answer = await runTool(session, 'reply', {
      comment: data.comment.slice(0, 7),
      text: 'words read well',
    });
    expect(answer).toMatchObject({ ok: true, data: { comment: data.comment } });
    expect((await hunks())[0]!.comments).toMatchObject([
      { text: 'why not 5?', replies: [{ author: 'claude', session: 's1', text: 'words read well' }] },
    ]);
    const shown = await session.show('@');
    expect(shown.message).toContain('\nAda: why not 5?\nclaude: words read well\n');
    expect(shown.data.comments).toHaveLength(1);
    expect((await session.log()).message).toContain('[commented by Ada]');
    expect((await workspace.verify()).data.faults).toEqual([]);
  });

  it('goes along with its lines while the file changes', async () => {
    const { workspace, session, edit, hunks } = await scene();
    await edit('line 5\n', 'five\n');
    const [hunk] = await hunks();
    await workspace.comment({ ...named(hunk!), text: 'why not 5?' });
    await edit('line 2\n', 'two\nand a half\n');
    const after = await hunks();
    expect(after.map(({ after: { lines }, comments }) => [lines[0], comments.length])).toEqual([
      ['two', 0],
      ['five', 1],
    ]);
    await edit('five\n', 'V\n');
    expect((await hunks()).map(({ comments }) => comments.length)).toEqual([0, 1]);
    expect((await runTool(session, 'log', {})).message).not.toContain('Ada commented');
  });

  it('may be about lines that were taken out, lines of a person, or the whole file', async () => {
    const { repo, workspace, session, edit, hunks } = await scene();
    await edit('line 5\nline 6\n', '');
    const [hunk] = await hunks();
    expect(hunk!.lines).toEqual({ start_line: 5, end_line: 4 });
    await workspace.comment({ ...named(hunk!), text: 'both?' });
    expect((await hunks())[0]!.comments).toHaveLength(1);
    repo.write('a.txt', `typed\n${repo.read('a.txt')}`);
    await workspace.comment({ path: 'a.txt', lines: { start_line: 1, end_line: 1 }, text: 'mine' });
    await workspace.comment({ path: 'a.txt', text: 'all of it' });
    const told = await runTool(session, 'view', { path: 'a.txt' });
    for (const text of ['both?', 'mine', 'all of it']) expect(told.message).toContain(`"${text}"`);
  });

  it('is told to another session that looks at the file, until the text has landed', async () => {
    const { workspace, edit, hunks } = await scene();
    await edit('line 5\n', 'five\n');
    await workspace.comment({ ...named((await hunks())[0]!), text: 'why not 5?' });
    const other = workspace.session({ id: 's2', agent: 'fixer' });
    expect((await runTool(other, 'log', {})).message).not.toContain('why not 5?');
    expect((await runTool(other, 'view', { path: 'a.txt' })).message).toContain(
      'Ada commented on what is written in a.txt line 5',
    );
    await workspace.land({ message: 'five' });
    const third = workspace.session({ id: 's3', agent: 'late' });
    expect((await runTool(third, 'view', { path: 'a.txt' })).message).not.toContain('why not 5?');
  });

  it('is refused without words, of lines that there are not, and of what no edit is of', async () => {
    const { workspace, session, edit } = await scene();
    await edit('line 5\n', 'five\n');
    await expect(workspace.comment({ path: 'a.txt', text: ' ' })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
    const lines = { start_line: 90, end_line: 95 };
    await expect(workspace.comment({ path: 'a.txt', lines, text: 'why?' })).rejects.toThrow(
      'a.txt has 20 lines, so there is no line 95. Nothing was done.',
    );
    await expect(workspace.comment({ path: 'b.txt', text: 'why?' })).rejects.toMatchObject({
      code: 'FILE_NOT_FOUND',
    });
    await expect(session.reply('1a2b3c4', 'because')).rejects.toThrow(
      'There is no comment "1a2b3c4". Nobody commented on anything. Nothing was done.',
    );
  });
});
