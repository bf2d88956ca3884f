import { describe, expect, it } from 'vitest';
import type { EditErrorOf } from '../../../src/errors.ts';
import type { Session, UndoOptions } from '../../../src/index.ts';
import { codeOf, ownRepo, type Place, personRepo } from '../../helpers/person-repo.ts';

const LINES = Array.from({ length: 9 }, (_, n) => `line ${n + 1}\n`).join('');

type Turn = (turn: string) => {
  replace(old: string, text: string, path?: string): Promise<string>;
  create(path: string, text: string): Promise<string>;
};

const turnsOf =
  (session: Session): Turn =>
  turn => {
    const edit = (name: string, input: object): Promise<string> =>
      session.inTurn(async own => (await own.edit(name as string, input)).data.commit!, { turn });
    return {
      replace: (old_str, new_str, path = 'a.txt') => edit('str_replace', { path, old_str, new_str }),
      create: (path, file_text) => edit('create', { path, file_text }),
    };
  };

describe.each([
  ['beside the branch', personRepo],
  ['on the branch', ownRepo],
])('undo of a turn, %s', (_where, makeRepo) => {
  async function scene() {
    const repo: Place = makeRepo({ 'a.txt': LINES, 'b.txt': LINES });
    const workspace = await repo.open();
    const [fixer, other] = ['s1', 's2'].map(id => workspace.session({ id, agent: `agent ${id}` })) as [
      Session,
      Session,
    ];
    const undo = (options: UndoOptions) => fixer.undo({ scope: 'trail', ...options });
    return { repo, workspace, fixer, turn: turnsOf(fixer), others: turnsOf(other), undo };
  }

  it('takes back all of it as one change, and what others did beside it stays', async () => {
    const { repo, workspace, turn, others, undo } = await scene();
    const first = await turn('t1').replace('line 2', 'two');
    await others('u1').replace('line 5', 'FIVE');
    const made = await turn('t1').create('new/c.txt', 'made\n');
    const again = await turn('t1').replace('two', 'TWO');
    await turn('t2').replace('line 9', 'NINE');
    const { data } = await undo({ turn: 't1' });
    expect(data.edits?.map(({ commit }) => commit)).toEqual([again, made, first]);
    expect(repo.read('a.txt')).toBe(LINES.replace('line 5', 'FIVE').replace('line 9', 'NINE'));
    expect(() => repo.read('new/c.txt')).toThrow('ENOENT');
    const { entries } = (await workspace.session().log({ limit: 1 })).data;
    expect(entries[0]).toMatchObject({ op: 'undo', undoes: [again, made, first] });
    expect((await workspace.verify()).data.faults).toEqual([]);
    expect(await codeOf(undo({ turn: 't1' }))).toBe('NO_CHANGE');
  });

  it('latest is the newest of which something is left, of the session or of all', async () => {
    const { repo, fixer, turn, others, undo } = await scene();
    await turn('t1').replace('line 1', 'one');
    await turn('t2').replace('line 2', 'two');
    await others('u1').replace('line 5', 'five');
    await fixer.undo({ turn: 'latest' });
    expect(repo.read('a.txt')).toBe(LINES.replace('line 1', 'one').replace('line 5', 'five'));
    await undo({ turn: 'latest' });
    await undo({ turn: 'latest' });
    expect(repo.read('a.txt')).toBe(LINES);
    const left = { code: 'NO_CHANGE', message: 'Nothing of any turn is left to undo here.' };
    await expect(undo({ turn: 'latest' })).rejects.toMatchObject(left);
    await expect(undo({ turn: 't1' })).rejects.toMatchObject({
      message: 'Nothing of turn t1 is left to undo here.',
    });
  });

  it('of a history whose edits name no turn, latest is refused in these words', async () => {
    const { fixer, undo } = await scene();
    await fixer.edit('create', { path: 'c.txt', file_text: 'c\n' });
    const none = { code: 'INVALID_INPUT', message: expect.stringContaining('No edit names one') };
    await expect(undo({ turn: 'latest' })).rejects.toMatchObject(none);
  });

  it('all of it or nothing, with the places; or what can be', async () => {
    const { repo, workspace, turn, others, undo } = await scene();
    const held = await turn('turn-1').replace('line 3\n', 'three\nmore\n');
    await turn('turn-1').replace('line 8', 'eight', 'b.txt');
    const made = await turn('turn-1').create('c.txt', 'made\n');
    await others('u1').replace('more', 'much more');
    await others('u1').replace('made', 'made and changed', 'c.txt');
    const before = [repo.read('a.txt'), repo.read('b.txt')];
    const error = await undo({ turn: 'turn-1' }).then(
      () => expect.fail('was done'),
      (thrown: EditErrorOf<'CONFLICT'>) => thrown,
    );
    expect(error).toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('With rest') });
    expect(error.data.conflicts!.map(({ path, commit }) => [path, commit])).toEqual([
      ['c.txt', made],
      ['a.txt', held],
    ]);
    expect([repo.read('a.txt'), repo.read('b.txt')]).toEqual(before);
    const { data } = await undo({ turn: 'turn-1', rest: true });
    expect(data.notes).toEqual([
      expect.stringContaining(`${made.slice(0, 12)} stays: c.txt`),
      expect.stringContaining(`${held.slice(0, 12)} stays: a.txt:`),
    ]);
    expect(repo.read('b.txt')).toBe(LINES);
    expect(repo.read('c.txt')).toBe('made and changed\n');
    expect((await workspace.verify()).data.faults).toEqual([]);
    expect(await codeOf(undo({ turn: 'turn-1', rest: true }))).toBe('CONFLICT');
  });

  it('a dry run writes nothing', async () => {
    const { repo, turn, undo } = await scene();
    await turn('t1').replace('line 1', 'one');
    expect((await undo({ turn: 'latest', dryRun: true })).data.diff).toContain('+line 1');
    expect(repo.read('a.txt')).toContain('one\n');
  });

  it('is STALE where the turn had more since the base', async () => {
    const { turn, undo } = await scene();
    const base = await turn('t1').replace('line 1', 'one');
    await turn('t1').replace('line 2', 'two');
    expect(await codeOf(undo({ turn: 't1', base }))).toBe('STALE');
  });

  it('names what is wrong: no such turn, a number with one, rest without one', async () => {
    const { turn, undo } = await scene();
    await turn('t1').replace('line 1', 'one');
    await expect(undo({ turn: 'zzz' })).rejects.toThrow(/No turn is named "zzz".*The newest turns are t1 \(/);
    await expect(undo({ turn: 't1', count: 2 })).rejects.toThrow('a turn is undone as a whole');
    await expect(undo({ rest: true })).rejects.toThrow(/^rest is about a turn/);
  });
});
