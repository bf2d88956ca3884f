/** Somebody else acts between any two calls of an edit. */

import { each } from '../crash/each.ts';
import { pick } from '../crash/operations.ts';
import { committer, editors, locker, stager, tryOther } from '../crash/others.ts';
import { sampled } from '../crash/stride.ts';

const own = pick('second edit, on the branch', 'several files, on the branch', 'undo, on the branch');
const beside = pick('second edit, beside the branch', 'several files, beside the branch');
const LOCKED = 'a lock of somebody else from a call on';
/** Each of these waits until the patience ends. */
const waits = sampled(7);

for (const editor of editors)
  each(`${editor.name}, before every call`, [...own, ...beside], (lab, tally) =>
    tryOther(lab, editor, tally),
  );
each('git add before every call', own, (lab, tally) => tryOther(lab, stager, tally));
each('a commit on the same ref before every call', [...own, ...beside], (lab, tally) =>
  tryOther(lab, committer, tally),
);
for (const file of ['index.lock', 'HEAD.lock', 'refs/heads/main.lock'])
  each(LOCKED, own, (lab, tally, i) => tryOther(lab, locker(file), tally, waits, i));
each(LOCKED, beside, (lab, tally, i) => tryOther(lab, locker('refs/vedit/main.lock'), tally, waits, i));
