/** Rejected text that is back in the files does not land, until the person accepts it. */

import { describe, expect, it } from 'vitest';
import type { Session, Workspace } from '../../src/index.ts';
import { type Place, personRepo } from '../helpers/person-repo.ts';

const LINES = Array.from({ length: 20 }, (_, at) => `line ${at + 1}\n`).join('');
const ADA = { name: 'Ada', email: 'ada@example.com' };
const CACHE = 'const cache = {};\n';

interface Scene {
  repo: Place;
  workspace: Workspace;
  session: Session;
}

/** An agent put a line in at line 6, and changed line 15; the first is rejected. */
async function rejected(): Promise<Scene> {
  const repo = personRepo({ 'a.txt': LINES });
  const workspace = await repo.open({ user: ADA });
  const session = workspace.session({ id: 's1', agent: 'claude' });
  await session.edit('str_replace', { path: 'a.txt', old_str: 'line 5\n', new_str: `line 5\n${CACHE}` });
  await session.edit('str_replace', { path: 'a.txt', old_str: 'line 15\n', new_str: 'fifteen\n' });
  await workspace.reject({ path: 'a.txt', lines: { start_line: 6, end_line: 6 }, reason: 'no caching here' });
  return { repo, workspace, session };
}

const shell = ({ repo }: Scene): void =>
  repo.write('a.txt', repo.read('a.txt').replace('line 5\n', `line 5\n${CACHE}`));

/** An agent puts it back by a tool of its own. */
async function putBack(scene: Scene): Promise<void> {
  shell(scene);
  await scene.session.record(['a.txt']);
}

const head = ({ repo }: Scene): string => `${repo.git('show', 'HEAD:a.txt')}\n`;

describe('what an agent put back by a tool of its own', () => {
  it('is left out and named, with the rest landed', async () => {
    const scene = await rejected();
    await putBack(scene);
    const { message, data } = await scene.workspace.land({ message: 'all' });
    expect(head(scene)).toBe(LINES.replace('line 15\n', 'fifteen\n'));
    expect(data.left_out).toMatchObject([
      { path: 'a.txt', line: 6, lines: ['const cache = {};'], reviewer: 'Ada' },
    ]);
    expect(data.outside).toEqual([]);
    expect(message).toContain(
      'Left out of a.txt, line 6: `const cache = {};`. Ada rejected that: "no caching here", and it came back. To land it, accept it in the review.',
    );
    await expect(scene.workspace.land({ message: 'more' })).rejects.toMatchObject({
      code: 'NO_CHANGE',
      message: expect.stringContaining('Nothing is left to land. Left out of a.txt'),
    });
  });

  it('lands when it is accepted, and only that', async () => {
    const scene = await rejected();
    await putBack(scene);
    await scene.workspace.accept({ path: 'a.txt', lines: { start_line: 16, end_line: 16 } });
    const dry = await scene.workspace.land({ dryRun: true, message: 'all' });
    expect(dry.data.left_out).toHaveLength(1);
    await scene.workspace.accept({ path: 'a.txt', lines: { start_line: 6, end_line: 6 } });
    await scene.workspace.land({ message: 'all' });
    expect(head(scene)).toContain(CACHE);
  });

  it('is left out of every commit of its own, and of a landing that names it', async () => {
    const scene = await rejected();
    await putBack(scene);
    const [edit] = (await scene.session.log()).data.entries;
    await expect(scene.workspace.land({ commits: [edit!.commit] })).rejects.toMatchObject({
      code: 'NO_CHANGE',
    });
    const { data } = await scene.workspace.land({ each: true });
    expect(data.commits).toHaveLength(1);
    expect(head(scene)).toBe(LINES.replace('line 15\n', 'fifteen\n'));
  });
});

describe('what came back from outside', () => {
  it('is left out also with outside, and what is beside it lands', async () => {
    const scene = await rejected();
    shell(scene);
    await scene.session.edit('str_replace', { path: 'a.txt', old_str: 'line 9\n', new_str: 'nine\n' });
    const { data } = await scene.workspace.land({ outside: true, message: 'all' });
    expect(head(scene)).toBe(LINES.replace('line 15\n', 'fifteen\n').replace('line 9\n', 'nine\n'));
    expect(data.left_out).toMatchObject([{ line: 6 }]);
  });

  it.each(['recorded', 'not recorded'])(
    'is a hunk of the review, and lands when it is accepted: %s',
    async how => {
      const scene = await rejected();
      shell(scene);
      if (how === 'recorded')
        await scene.session.edit('str_replace', { path: 'a.txt', old_str: 'line 9\n', new_str: 'nine\n' });
      const { hunks } = (await scene.workspace.review()).data;
      const [back] = hunks;
      expect(back).toMatchObject({
        lines: { start_line: 6, end_line: 6 },
        before: { lines: [] },
        after: { lines: ['const cache = {};'] },
      });
      expect(hunks).toHaveLength(how === 'recorded' ? 3 : 2);
      await scene.workspace.accept({ path: 'a.txt', lines: back!.lines });
      expect((await scene.workspace.review()).data.hunks).toHaveLength(hunks.length - 1);
      await scene.workspace.land({ outside: true, message: 'all' });
      expect(head(scene)).toContain(CACHE);
    },
  );

  it('in place of another line is rejected again in favour of that', async () => {
    const repo = personRepo({ 'a.txt': LINES });
    const workspace = await repo.open({ user: ADA });
    const session = workspace.session({ id: 's1', agent: 'claude' });
    await session.edit('str_replace', { path: 'a.txt', old_str: 'line 5\n', new_str: 'a bad line\n' });
    await workspace.reject({ path: 'a.txt', reason: 'no' });
    repo.write('a.txt', LINES.replace('line 5\n', 'a bad line\n').replace('line 12\n', 'of a person\n'));
    const { hunks } = (await workspace.review()).data;
    expect(hunks).toMatchObject([{ before: { lines: ['line 5'] }, after: { lines: ['a bad line'] } }]);
    await workspace.reject({ path: 'a.txt', lines: hunks[0]!.lines });
    expect(repo.read('a.txt')).toBe(LINES.replace('line 12\n', 'of a person\n'));
    expect((await workspace.review()).data.hunks).toEqual([]);
  });

  it('leaves its place as HEAD has it, where the file lacks what the rejection brought', async () => {
    const repo = personRepo({ 'a.txt': LINES });
    const scene = { repo, workspace: await repo.open({ user: ADA }) } as Scene;
    const session = scene.workspace.session({ id: 's1', agent: 'claude' });
    const change = (old_str: string, new_str: string): Promise<unknown> =>
      session.edit('str_replace', { path: 'a.txt', old_str, new_str });
    await change('line 5\n', 'a good line\n');
    await scene.workspace.accept({ all: true });
    await change('a good line\n', 'a bad line\n');
    await scene.workspace.reject({ path: 'a.txt', reason: 'no' });
    repo.write('a.txt', LINES.replace('line 5\n', 'a bad line\n'));
    await expect(scene.workspace.land({ outside: true, message: 'all' })).rejects.toMatchObject({
      code: 'NO_CHANGE',
      message: expect.stringContaining('Left out of a.txt, line 5'),
    });
    expect(head(scene)).toBe(LINES);
  });
});
