import { describe, expect, it } from 'vitest';
import type { ReviewData } from '../../../src/index.ts';
import { markerOfAgent } from '../../../src/surfaces/cli/agent-marker.ts';
import { codeOf, type Place, personRepo } from '../../helpers/person-repo.ts';
import { vedit, veditJson } from '../../helpers/vedit.ts';

const env = { CLAUDECODE: '1' };

async function reviewed(): Promise<Place> {
  const repo = personRepo({ 'a.txt': 'one\ntwo\nthree\nfour\nfive\n' });
  repo.git('config', 'user.name', 'Ada');
  repo.git('config', 'user.email', 'ada@example.com');
  const session = await repo.session('s1');
  await session.edit('str_replace', { path: 'a.txt', old_str: 'two', new_str: 'the second one' });
  await repo.close();
  return repo;
}

const refs = (repo: Place): string =>
  repo.git('for-each-ref', '--format=%(refname) %(objectname)', 'refs/vedit-review', 'refs/vedit');

describe('an agent', () => {
  it.each([
    ['accept', '--all'],
    ['reject', 'a.txt'],
    ['review', '--take-back'],
  ])('does not review as the person: %s', async (...args) => {
    const repo = await reviewed();
    if (args[0] === 'review') await vedit(repo, ['accept', '--all']);
    const before = refs(repo);
    const { code, err } = await vedit(repo, args, { env });
    expect([code, err]).toEqual([1, expect.stringContaining('(CLAUDECODE is set)')]);
    expect(err).toContain('vedit watch');
    expect(err).toContain('another terminal');
    expect(err).toContain('--as-agent');
    expect(refs(repo)).toBe(before);
    expect((await vedit(repo, args)).code).toBe(0);
  });

  it('is asked nothing on a terminal of its own', async () => {
    const repo = await reviewed();
    const { code, out } = await vedit(repo, ['review'], { env, tty: ['in', 'out', 'err'], input: 'a\n' });
    expect(code).toBe(0);
    expect(out).not.toContain('Accept this');
    expect((await veditJson<ReviewData>(repo, ['review'])).data.hunks).toHaveLength(1);
  });

  it('says with --as-agent what it thinks, which is shown as that and leaves the person’s review as it is', async () => {
    const repo = await reviewed();
    expect((await vedit(repo, ['accept', '--all', '--as-agent'], { env })).code).toBe(0);
    const { data } = await veditJson<ReviewData>(repo, ['review']);
    expect(data.hunks.map(one => one.accepted_by)).toEqual([['claude-code (an agent)']]);
    expect(refs(repo)).toContain('refs/vedit-review/agent-claude-code-vedit-invalid/vedit/main ');
    expect((await vedit(repo, ['review', '--take-back', '--as-agent'], { env })).code).toBe(0);
    expect((await veditJson<ReviewData>(repo, ['review'])).data.hunks[0]!.accepted_by).toEqual([]);
  });

  it('ends no rejection of a person', async () => {
    for (const [options, isOver] of [
      [{ env }, false],
      [{}, true],
    ] as const) {
      const repo = await reviewed();
      await vedit(repo, ['reject', 'a.txt']);
      const session = await repo.session('s2');
      const again = { path: 'a.txt', old_str: 'two', new_str: 'the second one' };
      repo.write('a.txt', repo.read('a.txt').replace('two', 'the second one'));
      await session.record(['a.txt']);
      const asAgent = isOver ? [] : ['--as-agent'];
      expect((await vedit(repo, ['accept', '--all', ...asAgent], options)).code).toBe(0);
      await repo.close();
      const later = await repo.session('s2');
      await later.undo();
      expect(await codeOf(later.edit('str_replace', again))).toBe(isOver ? null : 'REJECTED');
      await repo.close();
    }
  });

  it('is known by what it sets', () => {
    expect(markerOfAgent({})).toBe(null);
    expect(markerOfAgent({ CLAUDECODE: '' })).toBe(null);
    expect(markerOfAgent({ GEMINI_CLI: '1' })).toEqual({ name: 'GEMINI_CLI', agent: 'gemini' });
  });
});
