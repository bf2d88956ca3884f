import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../helpers/real-git.ts';
import { content, personRepo, vedit, veditJson } from '../../../helpers/vedit.ts';

const ADA = { GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@example.invalid' };

/** Two agents of which the ids begin alike, and one of another. */
async function edited(): Promise<Sandbox> {
  const box = personRepo();
  const as = (session: string, agent: string): string[] => ['--session', session, '--agent', agent];
  await vedit(box, ['replace', 'a.txt', 'one', 'ONE', ...as('7f3a00000001', 'fixer'), '--model', 'm1']);
  await vedit(box, ['replace', 'a.txt', 'three', 'THREE', ...as('7f3b00000002', 'writer')]);
  await vedit(box, ['replace', 'src/b.txt', 'x = 1', 'x = 2', ...as('other', 'fixer')]);
  return box;
}

describe('vedit sessions', () => {
  it('lists them with agent, model, times, edits and open ones', async () => {
    const box = await edited();
    await vedit(box, ['land', '--session', 'other', '-m', 'x', '--no-git'], { env: ADA });
    const { data } = await veditJson<{ sessions: object[] }>(box, ['sessions']);
    const time = expect.stringMatching(/^\d{4}-/);
    const common = { edits: 1, first: time, last: time };
    expect(data.sessions).toEqual([
      { session: 'other', agent: 'fixer', model: null, author: 'fixer', open: 0, ...common },
      { session: '7f3b00000002', agent: 'writer', model: null, author: 'writer', open: 1, ...common },
      { session: '7f3a00000001', agent: 'fixer', model: 'm1', author: 'fixer', open: 1, ...common },
    ]);
    const { out } = await vedit(box, ['sessions']);
    expect(out.split('\n')[0]).toMatch(/^other {9}fixer {7}\d{4}-\d\d-\d\d [:\d]{8} [-+]\d{4} {2}1 edit$/);
    expect(out.split('\n')[2]).toMatch(/^7f3a00000001 {2}fixer \(m1\) {2}.* {2}1 edit, 1 not landed$/);
  });

  it('says that there is none', async () => {
    const { code, out, err } = await vedit(personRepo(), ['sessions']);
    expect({ code, out, err }).toEqual({ code: 0, out: '', err: 'There is no session yet.\n' });
  });
});

const FILTERS = [['log'], ['export', '--jsonl']];

describe('the start of a session’s id', () => {
  it.each(FILTERS)('stands for it: vedit %s %s', async (...args) => {
    const box = await edited();
    const { code, out } = await vedit(box, [...args, '--session', '7f3a']);
    expect(code).toBe(0);
    expect(out).toContain('7f3a00000001');
    expect(out).not.toContain('7f3b00000002');
  });

  it.each(FILTERS)('is refused where several begin so: vedit %s %s', async (...args) => {
    const { code, err } = await vedit(await edited(), [...args, '--session', '7f3']);
    expect(code).toBe(1);
    expect(err).toMatch(
      /INVALID_INPUT: "7f3" is the start of 2 sessions: 7f3b00000002 \(writer\), 7f3a00000001 \(fixer \(m1\)\)\. Give more of it/,
    );
  });

  it.each([...FILTERS, ['undo'], ['redo'], ['rollback', '~1'], ['land'], ['log', '--refusals']])(
    'is an error where none does: vedit %s %s',
    async (...args) => {
      const box = await edited();
      const before = box.git('for-each-ref');
      const { code, out, err } = await vedit(box, [...args, '--session', 'zz']);
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(err).toContain(
        'No session of this history is named "zz". The newest sessions are other (fixer), 7f3b',
      );
      expect(box.git('for-each-ref')).toBe(before);
    },
  );

  it('is enough to undo, to redo, to land, and to go on editing', async () => {
    const box = await edited();
    expect(await vedit(box, ['undo', '--session', '7f3a'])).toMatchObject({ code: 0 });
    expect(content(box, 'a.txt')).toBe('one\ntwo\nTHREE\n');
    expect(await vedit(box, ['redo', '--session', '7f3a'])).toMatchObject({ code: 0 });
    await vedit(box, ['create', 'new.txt', '--text', 'x', '--session', '7f3a']);
    const { data } = await veditJson<{ edits: unknown; sessions: string[] }>(box, [
      'land',
      '-n',
      '--session',
      '7f3a',
    ]);
    expect(data.sessions).toEqual(['7f3a00000001']);
  });

  it('names a new session where an edit is made', async () => {
    const box = await edited();
    await vedit(box, ['replace', 'a.txt', 'two', '2', '--session', 'o']);
    expect(
      (await veditJson<{ sessions: Array<{ session: string }> }>(box, ['sessions'])).data.sessions[0]
        ?.session,
    ).toBe('o');
  });
});
