import { describe, expect, it } from 'vitest';
import type { LogOptions, Session } from '../../../src/index.ts';
import { ADA } from '../../helpers/landing.ts';
import { codeOf, ownRepo, type Place, personRepo } from '../../helpers/person-repo.ts';

const TEXT = 'one\ntwo\nthree\nfour\nfive\n';

async function scene(makeRepo: (files: Record<string, string>) => Place = personRepo) {
  const repo = makeRepo({ 'a.txt': TEXT });
  const workspace = await repo.open({ user: ADA });
  const session = workspace.session({ id: 's1', agent: 'fixer', turn: 'turn-1' });
  const other = workspace.session({ id: 's2', agent: 'helper', turn: 'turn-2', subagent: 'Explore' });
  const replace = async (by: Session, old_str: string, new_str: string, path = 'a.txt'): Promise<string> =>
    (await by.edit('str_replace', { path, old_str, new_str })).data.commit!;
  return { repo, workspace, session, other, replace };
}

describe('the turn of an edit', () => {
  it('is that of the session, or of the call, with its sub-agent; and so are events', async () => {
    const { session, other, workspace, replace } = await scene();
    await replace(session, 'one', 'ONE');
    await replace(other, 'two', 'TWO');
    await session.inTurn(own => replace(own, 'three', 'THREE'), { turn: 'turn-3', subagent: 'Plan' });
    const { entries } = (await session.log()).data;
    expect(entries.map(({ turn, subagent }) => [turn, subagent])).toEqual([
      ['turn-3', 'Plan'],
      ['turn-2', 'Explore'],
      ['turn-1', null],
    ]);
    const told = [];
    for await (const one of workspace.events({ follow: false })) {
      if (one.kind === 'edit') told.push([one.turn, one.subagent]);
      if (told.length === 3) break;
    }
    expect(told).toEqual([
      ['turn-1', null],
      ['turn-2', 'Explore'],
      ['turn-3', 'Plan'],
    ]);
  });

  it('is what was recorded, with how it is known', async () => {
    const { repo, session } = await scene();
    repo.write('a.txt', 'by a tool\n');
    await session.record(['a.txt'], { op: 'Edit', certain: 'tool' });
    expect((await session.log({ limit: 1 })).data.entries[0]).toMatchObject({
      op: 'Edit',
      turn: 'turn-1',
      certain: 'tool',
    });
  });

  it('can be no more than one line', async () => {
    const { workspace, session } = await scene();
    expect(() => workspace.session({ turn: 'a\nb' })).toThrow('turn');
    await expect(session.inTurn(async () => null, { subagent: '' })).rejects.toThrow('subagent');
  });
});

describe('what is asked of a turn', () => {
  it('log: its edits, by the start of its id, or the latest', async () => {
    const { session, other, replace } = await scene();
    const first = await replace(session, 'one', 'ONE');
    const second = await replace(other, 'two', 'TWO');
    const commits = async (options: LogOptions): Promise<string[]> =>
      (await session.log(options)).data.entries.map(({ commit }) => commit);
    expect(await commits({ turn: 'turn-1' })).toEqual([first]);
    expect(await commits({ turn: 'latest' })).toEqual([second]);
    expect(await commits({ turn: 'latest', session: 's1' })).toEqual([first]);
    await expect(commits({ turn: 'turn' })).rejects.toThrow(
      '"turn" is the start of 2 turns: turn-2, turn-1.',
    );
    await expect(commits({ turn: 'x' })).rejects.toThrow('The newest turns are turn-2 (helper, ');
  });

  it('log: in a history where no turn has a name, says who gives one', async () => {
    const { workspace, replace } = await scene();
    const unnamed = workspace.session({ id: 's3' });
    await replace(unnamed, 'one', 'ONE');
    await expect(unnamed.log({ turn: 'latest' })).rejects.toThrow('hooks of agents do');
  });

  it.each([
    ['beside the branch', personRepo],
    ['on the branch', ownRepo],
  ])('diff: what it changed, others left out, %s', async (_where, makeRepo) => {
    const { session, other, replace } = await scene(makeRepo);
    await replace(session, 'one', '1');
    await replace(session, '1', 'ONE');
    await session.edit('create', { path: 'b.txt', file_text: 'b\n' });
    await session.edit('move', { path: 'b.txt', new_path: 'c.txt' });
    const whole = (await session.diff({ turn: 'turn-1' })).data;
    expect(whole.paths.map(({ path, kind, added, removed }) => [path, kind, added, removed])).toEqual([
      ['a.txt', 'modify', 1, 1],
      ['c.txt', 'create', 1, 0],
    ]);
    expect(whole.diff).toContain('-one\n+ONE\n');
    await replace(other, 'five', 'FIVE');
    await replace(session, 'three', 'THREE');
    const parts = (await session.diff({ turn: 'turn-1', path: 'a.txt' })).data;
    expect(parts.paths).toHaveLength(2);
    expect(parts.diff).not.toContain('+FIVE');
    expect(await codeOf(session.diff({ turn: 'turn-1', from: '~1' }))).toBe('INVALID_INPUT');
  });

  it('review: the hunks that hold lines of it', async () => {
    const { workspace, session, other, replace } = await scene();
    await replace(session, 'one', 'ONE');
    await replace(other, 'five', 'FIVE');
    const { hunks } = (await workspace.review({ turn: 'turn-2' })).data;
    expect(hunks.map(({ after }) => after.lines)).toEqual([['FIVE']]);
    expect(hunks[0]!.edits[0]).toMatchObject({ turn: 'turn-2', agent: 'helper' });
  });

  it('land: its edits, and nothing of others', async () => {
    const { repo, workspace, session, other, replace } = await scene();
    const first = await replace(session, 'one', 'ONE');
    await replace(other, 'five', 'FIVE');
    await workspace.land({ turn: 'turn-1', message: 'one turn' });
    expect(repo.git('show', 'main:a.txt')).toBe(TEXT.replace('one', 'ONE').trim());
    expect((await session.log({ turn: 'turn-1' })).data.entries[0]).toMatchObject({
      commit: first,
      status: { now: 'landed' },
    });
    expect(await codeOf(workspace.land({ turn: 'turn-1' }))).toBe('NO_CHANGE');
  });
});
