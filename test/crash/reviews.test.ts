/** A process that dies while it accepts, rejects or takes either back, at some of its calls; `npm run test:crash` tries all. */

import { it } from 'vitest';
import { afterPowerCut, HOMES, REVIEW_ACTIONS, tryReview, tryReviewCuts } from './reviews.ts';
import { checked } from './scenario-tests.ts';

const all = HOMES.flatMap(([home, make]) =>
  REVIEW_ACTIONS.map(action => [action.name, home, make, action] as const),
);

it.each(all)('%s, %s', (name, home, make, action) => {
  const first = (name.length + home.length) % 23;
  return checked('review', tally => tryReview(make, action, tally, n => n % 23 === first));
});

it.each(HOMES)('accept, %s, at every call about its ref and its locks', (_, make) => {
  const isAbout = (path: string): boolean => /vedit-review|-ref$|-lock$/.test(path);
  return checked('review', tally =>
    tryReview(make, REVIEW_ACTIONS[0]!, tally, (n, path) => isAbout(path) && n % 2 === 0),
  );
});

it.each(HOMES)('reject, %s, where an object cannot be written', (_, make) =>
  checked('review', tally =>
    tryReview(make, REVIEW_ACTIONS[1]!, tally, (n, path) => path.includes('/object-') && n % 3 === 0),
  ),
);

it.each(HOMES)('accept, %s, outlives a power cut', (_, make) => afterPowerCut(make));

it.each(all)('%s, %s, in some of the states that a power cut leaves', (name, home, make, action) => {
  const from = name.length + 7 * home.length;
  return checked('power cut of a review', tally => tryReviewCuts(make, action, tally, { stride: 151, from }));
});
