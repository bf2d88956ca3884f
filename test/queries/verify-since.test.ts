import { describe, expect, it } from 'vitest';
import type { Fault } from '../../src/index.ts';
import { codeOf, ownRepo, type Place, personRepo } from '../helpers/person-repo.ts';
import { lots, randomWork } from '../helpers/random-work.ts';
import { damageObject, rewriteTrail, TRAIL, trailCommits } from '../helpers/tampering.ts';
import { history, LINES, started } from './verified-history.ts';

interface Found {
  commits: number;
  since: string | null;
  faults: Fault[];
}

async function since(repo: Place, noted?: string, ...expected: string[]): Promise<Found> {
  const workspace = await repo.open();
  const { data } = await workspace.verify({ since: noted, expect: expected });
  await repo.close();
  return data;
}

describe('a check of what is new', () => {
  it.each([1, 2])(
    'finds what a full one finds above each commit, and nothing else: %i',
    { timeout: 120_000 },
    async seed => {
      const repo = personRepo({ 'a.txt': LINES, 'b.txt': LINES });
      await randomWork(repo, lots(seed), 25);
      const draw = lots(seed + 9);
      const count = trailCommits(repo).length;
      const tampered = 2 + draw(count - 3);
      rewriteTrail(repo, (text, index) =>
        index === tampered ? text.replace(/^Vedit-Path: .*$/m, 'Vedit-Path: z.txt') : text,
      );
      const all = await since(repo);
      const commits = trailCommits(repo);
      expect(all.faults.some(one => one.commit === commits[tampered])).toBe(true);
      for (const [at, noted] of commits.entries()) {
        const above = new Set(commits.slice(at + 1));
        const part = await since(repo, noted);
        expect(part).toMatchObject({ since: noted, commits: above.size });
        const isAbove = ({ commit }: Fault): boolean => commit !== null && above.has(commit);
        expect(part.faults).toEqual(all.faults.filter(isAbove));
      }
    },
  );

  it('does so where the branch is the trail', async () => {
    const repo = await history(ownRepo({ 'a.txt': LINES, 'b.txt': LINES }));
    const commits = repo.git('rev-list', 'HEAD').split('\n');
    expect(await since(repo, commits[3])).toMatchObject({ since: commits[3], commits: 3, faults: [] });
  });

  it('knows that what is taken back is below the noted commit, and what is not', async () => {
    const repo = await started();
    const commits = trailCommits(repo);
    const noted = repo.git('rev-parse', TRAIL);
    await (await repo.session()).revert(commits[0]!);
    expect(await since(repo, noted)).toMatchObject({ commits: 1, faults: [] });
    const strange = repo.git('rev-parse', 'main');
    rewriteTrail(repo, (text, index) =>
      index === 7 ? text.replace(/^Vedit-Undoes: .*$/m, `Vedit-Undoes: ${strange}`) : text,
    );
    expect((await since(repo, noted)).faults.map(one => one.kind)).toContain('names');
  });

  it('expects older commits that were noted as well', async () => {
    const repo = await started();
    const commits = trailCommits(repo);
    expect((await since(repo, commits[5], commits[1]!, commits[6]!)).faults).toEqual([]);
    const { faults } = await since(repo, commits[5], 'abcdef0123');
    expect(faults.map(one => one.kind)).toEqual(['expected']);
  });

  it('checks all where the noted commit is gone, and says so', async () => {
    const repo = await started();
    const noted = repo.git('rev-parse', TRAIL);
    repo.git('update-ref', TRAIL, `${TRAIL}~1`);
    const found = await since(repo, noted);
    expect(found).toMatchObject({ since: null, commits: 6 });
    expect(found.faults.map(one => one.kind)).toContain('expected');
    expect((await since(repo, '0123456789')).faults.map(one => one.kind)).toContain('expected');
  });

  it('takes on trust what is below', async () => {
    const repo = await started();
    const commits = trailCommits(repo);
    damageObject(repo, repo.git('rev-parse', `${commits[0]}:a.txt`));
    expect((await since(repo)).faults).not.toEqual([]);
    expect((await since(repo, commits[3])).faults).toEqual([]);
  });

  it('of nothing new is sound, and is told', async () => {
    const repo = await started();
    const noted = repo.git('rev-parse', TRAIL);
    const { message } = await (await repo.open()).verify({ since: noted.slice(0, 10) });
    expect(message).toContain(`0 commits since ${noted.slice(0, 12)} and 0 files checked, no fault.`);
  });

  it('refuses what is no id', async () => {
    const repo = await started();
    for (const given of ['HEAD', '~3', 'abc', '']) {
      expect(await codeOf((await repo.open()).verify({ since: given }))).toBe('INVALID_INPUT');
    }
  });
});
