/** An agent takes lines out, a person rejects that, and the agent takes them out again. */

import { describe, expect, it } from 'vitest';
import { type EditErrorOf, isEditError, type Session, type Workspace } from '../../../src/index.ts';
import { type Place, personRepo } from '../../helpers/person-repo.ts';
import { lots } from '../../helpers/random-work.ts';

const ADA = { name: 'Ada', email: 'ada@example.com' };
const LINES = Array.from({ length: 12 }, (_, at) => `line ${at + 1} of all`);

const joined = (lines: readonly string[]): string => lines.map(line => `${line}\n`).join('');

interface Scene {
  repo: Place;
  workspace: Workspace;
  session: Session;
  /** Lines 5 and 6 were taken out and are back. */
  write(lines: readonly string[]): Promise<string>;
}

/** Writes the whole file as an agent; answers the message, or the code of the refusal. */
async function rejected(lines: readonly string[] = LINES, from = 4, count = 2): Promise<Scene> {
  const repo = personRepo({ 'a.txt': joined(lines) });
  const workspace = await repo.open({ user: ADA });
  const session = workspace.session({ id: 's1', agent: 'fixer' });
  const write = async (now: readonly string[]): Promise<string> => {
    const input = { path: 'a.txt', file_text: joined(now), overwrite: true, base: '@' };
    return session.edit('create', input).then(
      ({ message }) => message,
      error => {
        if (isEditError(error)) return error.code;
        throw error;
      },
    );
  };
  await write(lines.toSpliced(from, count));
  await workspace.reject({ path: 'a.txt', reason: 'these are needed' });
  return { repo, workspace, session, write };
}

const WITHOUT = LINES.toSpliced(4, 2);

describe('lines that a person put back', () => {
  it('are told of, and REJECTED when they are taken out again by any way', async () => {
    const { repo, session, write } = await rejected();
    expect(repo.read('a.txt')).toBe(joined(LINES));
    const { message } = await session.view({ path: 'a.txt' });
    expect(message).toContain('Ada rejected that 2 lines were taken out in a.txt: "these are needed".');
    expect(message).toContain('Do not take them out again, or ask the person.');
    expect(await write(WITHOUT)).toBe('REJECTED');
    const cut = { path: 'a.txt', old_str: joined(LINES.slice(4, 6)), new_str: '' };
    const error: EditErrorOf<'REJECTED'> = await session.edit('str_replace', cut).then(
      () => Promise.reject(new Error('it was done')),
      refused => refused,
    );
    expect(error.code).toBe('REJECTED');
    expect(error.message).toContain(
      'Ada rejected that these lines of a.txt were taken out (' /* the commit */,
    );
    expect(error.data).toMatchObject({ lines: LINES.slice(4, 6), taken_out: true });
    expect(repo.read('a.txt')).toBe(joined(LINES));
    expect(await write([...WITHOUT.slice(0, 9), 'more'])).toBe('REJECTED');
  });

  it('may be changed, moved, and taken out with more, of which a note reminds', async () => {
    const { write } = await rejected();
    expect(await write(LINES.with(4, 'line 5, better said'))).toContain('done');
    const moved = await rejected();
    expect(await moved.write([...WITHOUT, ...LINES.slice(4, 6)])).not.toContain('rejected before');
    const more = await rejected();
    expect(await more.write(LINES.toSpliced(3, 4))).toContain(
      'Ada rejected before that lines of a.txt were taken out',
    );
    const other = await rejected();
    expect(await other.write(LINES.toSpliced(8, 2))).not.toContain('rejected before');
  });

  it('may go when the person wrote there, or accepts it', async () => {
    const { repo, workspace, session, write } = await rejected();
    repo.write('a.txt', joined(WITHOUT));
    await session.record(['a.txt']);
    await workspace.accept({ all: true });
    await session.undo();
    expect(repo.read('a.txt')).toBe(joined(LINES));
    expect(await write(WITHOUT)).toContain('done');
    const touched = await rejected();
    touched.repo.write('a.txt', joined(LINES.toSpliced(6, 0, 'what Ada has to say of this')));
    const cut = { path: 'a.txt', old_str: joined(LINES.slice(4, 6)), new_str: '' };
    expect((await touched.session.edit('str_replace', cut)).data.commit).not.toBeNull();
  });

  it('that say nothing of their own may go', async () => {
    const lines = LINES.with(4, '}').with(5, '');
    const { write } = await rejected(lines);
    expect(await write(lines.toSpliced(4, 2))).toContain('done');
  });

  it('are a whole file: to delete it again is REJECTED', async () => {
    const repo = personRepo({ 'a.txt': joined(LINES), 'b.txt': 'b\n' });
    const workspace = await repo.open({ user: ADA });
    const session = workspace.session({ id: 's1', agent: 'fixer' });
    await session.edit('delete', { path: 'a.txt' });
    await workspace.reject({ path: 'a.txt', reason: 'no' });
    expect(repo.read('a.txt')).toBe(joined(LINES));
    await expect(session.edit('delete', { path: 'a.txt' })).rejects.toMatchObject({ code: 'REJECTED' });
    await session.edit('move', { path: 'a.txt', new_path: 'c.txt' });
    expect(repo.read('c.txt')).toBe(joined(LINES));
  });
});

/** A text that an agent writes next: some lines taken out, put in or changed; of few words, so that lines are alike. */
function next(lines: readonly string[], draw: (below: number) => number, words: readonly string[]): string[] {
  let now = [...lines];
  for (let n = 1 + draw(2); n > 0; n--) {
    const put = Array.from({ length: draw(3) }, () => words[draw(words.length)]!);
    now = now.toSpliced(draw(now.length + 1), draw(4), ...put);
  }
  return now;
}

const SEEDS = Number(process.env.SEEDS ?? 40);

/** The lines between the neighbours are gone somewhere in the text, and there are fewer of them than there were. */
function isGone(before: readonly string[], after: readonly string[], from: number, count: number): boolean {
  const [above, below] = [before[from - 1], before[from + count]];
  const meets = [...after.keys(), after.length].some(at => after[at - 1] === above && after[at] === below);
  const many = (lines: readonly string[], word: string): number => lines.filter(one => one === word).length;
  const gone = before.slice(from, from + count);
  return meets && gone.every(word => many(after, word) <= many(before, word) - many(gone, word));
}

it('are refused exactly where just they go: of lines that differ always, of lines that are alike never wrongly', async () => {
  const found = { refused: 0, done: 0 };
  for (let seed = 1; seed <= SEEDS; seed++) {
    const draw = lots(seed);
    const alike = seed % 2 === 0;
    const words = alike ? ['alpha one', 'beta two', 'gamma three'] : [];
    const lines = Array.from({ length: 9 }, (_, n) => (alike ? words[draw(3)]! : `words of line ${n}`));
    const [from, count] = [1 + draw(5), 1 + draw(2)];
    const { write, session, repo } = await rejected(lines, from, count);
    const now =
      draw(3) === 0 ? lines.toSpliced(from, count) : next(lines, draw, alike ? words : ['quite new']);
    const answer = await write(now);
    const isRefused = answer === 'REJECTED';
    found[isRefused ? 'refused' : 'done']++;
    if (isRefused) expect({ seed, isGone: isGone(lines, now, from, count) }).toEqual({ seed, isGone: true });
    if (!alike && isGone(lines, now, from, count))
      expect({ seed, isRefused }).toEqual({ seed, isRefused: true });
    expect(session.id).toBe('s1');
    await repo.close();
  }
  expect(found.refused).toBeGreaterThan(SEEDS / 10);
  expect(found.done).toBeGreaterThan(SEEDS / 10);
}, 60_000);
