import { describe, expect, it } from 'vitest';
import { personRepo, vedit, veditJson } from '../../../helpers/vedit.ts';

const LOUDER = ['replace', 'a.txt', 'two', 'TWO', '--agent', 'fixer'];

describe('status', () => {
  it('says that nothing was edited yet', async () => {
    const { out } = await vedit(personRepo(), ['status']);
    expect(out).toBe('History vedit/main, beside your branch\nNothing was edited yet\n');
  });

  it('names the trail and the newest commit', async () => {
    const box = personRepo();
    await vedit(box, LOUDER);
    expect((await vedit(box, ['status'])).out).toMatch(
      /^History vedit\/main, beside your branch\nNewest: \w{7} str_replace a\.txt \(\+1 -1\) \(fixer, .*\)\n1 edit is open: not on your branch \(vedit land\)\nNothing but vedit changed the file looked at\n$/,
    );
  });

  it('names what others changed', async () => {
    const box = personRepo();
    await vedit(box, LOUDER);
    await vedit(box, ['rm', 'src/b.txt']);
    box.write('a.txt', 'mine\n');
    box.write('src/b.txt', 'back\n');
    expect((await vedit(box, ['status'])).out).toMatch(
      /\n\nChanged, not through vedit.*:\n {2}modified: a\.txt\n {2}created: {2}src\/b\.txt\n$/,
    );
  });

  it('counts and names the changed files that no edit explains', async () => {
    const box = personRepo();
    await vedit(box, LOUDER);
    box.write('src/b.txt', 'mine\n');
    for (let i = 10; i < 30; i++) box.write(`new-${i}.txt`, 'n\n');
    const { out } = await vedit(box, ['status']);
    expect(out).toContain(
      '\n\n21 changed files that no edit explains (git status):\n  created:  new-10.txt\n',
    );
    expect(out).toContain('  created:  new-29.txt\n  and 1 more\n');
  });

  it('tells that HEAD moved, and of the branch that is the trail', async () => {
    const box = personRepo();
    await vedit(box, LOUDER);
    box.git('commit', '-qm', 'empty', '--allow-empty');
    expect((await vedit(box, ['status'])).out).toContain('\nYour branch moved since; ');
    box.git('config', 'vedit.trail', 'HEAD');
    expect((await vedit(box, ['status'])).out).toMatch(
      /^History main, which is the checked-out branch\nNewest: \w{7} empty \(Bob|Ada, /,
    );
  });

  it('goes on with the work when the branch changes under it', async () => {
    const box = personRepo();
    await vedit(box, LOUDER);
    box.git('switch', '-q', '-c', 'feature');
    expect((await vedit(box, ['status'])).out).toMatch(/^History vedit\/main, beside your branch\nNewest: /);
    const other = await vedit(box, ['status', '--trail', 'mine']);
    expect(other).toMatchObject({ code: 1, err: expect.stringContaining('a folder has one') });
  });

  it('tells of edits that were taken out by hand', async () => {
    const box = personRepo();
    await vedit(box, LOUDER);
    await vedit(box, ['replace', 'src/b.txt', 'x', 'X', '--agent', 'fixer']);
    box.git('checkout', '-q', 'a.txt');
    expect((await vedit(box, ['status'])).out).toContain(
      '\n1 edit is open: not on your branch (vedit land)\n1 edit was taken out by hand (vedit log)\n',
    );
    expect((await vedit(box, ['log', '--oneline'])).out).toMatch(
      /^\w{7} .*: str_replace src\/b\.txt \(\+1 -1\)\n\w{7} .*: str_replace a\.txt \(\+1 -1\) \(taken out by hand\)\n$/,
    );
    box.git('checkout', '-q', 'src/b.txt');
    expect((await vedit(box, ['status'])).out).toContain('\n2 edits were taken out by hand (vedit log)\n');
  });

  it('answers in JSON', async () => {
    const { data } = await veditJson(personRepo(), ['status']);
    expect(data).toMatchObject({
      trail: 'refs/vedit/main',
      checked_out: false,
      last: null,
      outside: [],
      interrupted: false,
      locked_by: null,
    });
  });
});
