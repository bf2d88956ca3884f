/** Reviewing a trail that a peer's was merged into: what came with the merge is reviewed as what was written here. */

import { describe, expect, it } from 'vitest';
import type { ReviewHunk, Workspace } from '../../src/index.ts';
import { edit, git, type Shared, shared, using } from '../helpers/clones.ts';
import type { Place } from '../helpers/person-repo.ts';

const LINES = Array.from({ length: 12 }, (_, n) => `line ${n + 1} of the file\n`).join('');
const BOB = { name: 'Bob', email: 'bob@example.com' };

const push = (at: Place) => using(at, one => one.push({ git, withOutside: true, withUnpushedCommits: true }));

/** Ada's agent edits, ada writes by hand, bob's agent edits; bob merges. */
async function merged(): Promise<Shared> {
  const all = shared({ 'a.txt': LINES, 'b.txt': 'b\n' });
  await edit(all.bob, 'a.txt', 'line 11 of', 'line eleven of', 'bob-agent');
  await edit(all.ada, 'a.txt', 'line 2 of', 'line two of', 'ada-agent');
  all.ada.write('a.txt', all.ada.read('a.txt').replace('line 6 of', 'line six of'));
  await using(all.ada, one => one.session().record(['a.txt'], { outside: true }));
  await edit(all.ada, 'b.txt', 'b', 'B as the agent has it', 'ada-agent');
  const { data } = await push(all.ada);
  await using(all.bob, one => one.fetch({ git }));
  await using(all.bob, one => one.merge({ peer: `${data.clone}/main` }));
  return all;
}

const hunksOf = async (workspace: Workspace): Promise<ReviewHunk[]> =>
  (await workspace.review({ reviewer: BOB })).data.hunks;

const named = ({ commit: at, path, lines, version }: ReviewHunk) => ({
  at,
  path,
  lines,
  version: version ?? undefined,
  reviewer: BOB,
});

const told = (hunks: readonly ReviewHunk[]): unknown[] =>
  hunks.map(({ path, after, edits }) => [path, after.lines, edits.map(({ agent }) => agent)]);

describe('a review after a merge of a peer’s trail', () => {
  it('shows what agents wrote there and here, and who; what the peer typed is a person’s', async () => {
    const { bob } = await merged();
    expect(bob.read('a.txt')).toContain('line six of');
    await using(bob, async workspace => {
      expect(told(await hunksOf(workspace))).toEqual([
        ['a.txt', ['line two of the file'], ['ada-agent']],
        ['a.txt', ['line eleven of the file'], ['bob-agent']],
        ['b.txt', ['B as the agent has it'], ['ada-agent']],
      ]);
    });
  });

  it('accepts and rejects what came with it; the rejection goes with the trail, and is told to agents here alone', async () => {
    const { ada, bob } = await merged();
    await using(bob, async workspace => {
      const [first, second] = await hunksOf(workspace);
      await workspace.accept(named(second!));
      await workspace.reject({ ...named(first!), reason: 'digits are fine' });
      expect(told(await hunksOf(workspace))).toEqual([['b.txt', ['B as the agent has it'], ['ada-agent']]]);
      expect(bob.read('a.txt')).toContain('line 2 of');
      const here = workspace.session({ id: 'here', agent: 'bob-agent' });
      expect((await here.view('a.txt')).message).toContain('Bob rejected what an agent wrote in a.txt');
      const again = { path: 'a.txt', old_str: 'line 2 of', new_str: 'line two of' };
      await expect(here.edit('str_replace', again)).rejects.toMatchObject({ code: 'REJECTED' });
      expect((await workspace.verify()).data.faults).toEqual([]);
      await workspace.unreview({ reviewer: BOB });
      expect(bob.read('a.txt')).toContain('line two of');
      await workspace.reject({ ...named(first!), reason: 'digits are fine' });
    });
    const back = (await push(bob)).data.clone!;
    await using(ada, one => one.fetch({ git }));
    await using(ada, async workspace => {
      await workspace.merge({ peer: `${back}/main` });
      expect(ada.read('a.txt')).toContain('line 2 of');
      const there = workspace.session({ id: 'there', agent: 'ada-agent' });
      expect((await there.view('a.txt')).message).not.toContain('rejected');
      expect((await workspace.verify()).data.faults).toEqual([]);
    });
  });
});
