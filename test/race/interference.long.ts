/** Somebody else acts between any two calls of an edit; and between many of larger changes. */

import type { FaultHarness } from '../crash/fault-harness.ts';
import { committer, editors, locker, type Other, stager, tryOther } from '../crash/interference.ts';
import { pick, type Scenario } from '../crash/operations.ts';
import { each } from '../crash/scenario-tests.ts';
import { sampled } from '../helpers/sampling.ts';
import type { Tally } from '../helpers/tally.ts';

const own = pick('second edit, on the branch');
const ownLarger = pick('several files, on the branch', 'undo, on the branch');
const beside = pick('second edit, beside the branch');
const besideLarger = pick('several files, beside the branch');

const trying =
  (other: Other, stride: number) =>
  (harness: FaultHarness, tally: Tally, i: number): Promise<void> =>
    tryOther(harness, other, tally, stride, i % stride);

function everywhere(
  kind: string,
  other: Other,
  small: readonly Scenario[],
  larger: readonly Scenario[],
): void {
  each(kind, small, trying(other, 1));
  each(kind, larger, trying(other, sampled(5)));
}

for (const editor of editors)
  everywhere('an editor saves', editor, [...own, ...beside], [...ownLarger, ...besideLarger]);
everywhere('git add', stager, own, ownLarger);
everywhere('a commit on the same ref', committer, [...own, ...beside], [...ownLarger, ...besideLarger]);

/** Each of these waits until the patience ends. */
const locked = (file: string): ReturnType<typeof trying> => trying(locker(file), sampled(7));
for (const file of ['index.lock', 'HEAD.lock', 'refs/heads/main.lock'])
  each('somebody takes a lock and keeps it', [...own, ...ownLarger], locked(file));
each('somebody takes a lock and keeps it', [...beside, ...besideLarger], locked('refs/vedit/main.lock'));
