/** Every crash point of a review. */

import { it } from 'vitest';
import { HOMES, REVIEW_ACTIONS, tryReview, tryReviewCuts } from './reviews.ts';
import { checked } from './scenario-tests.ts';

const all = HOMES.flatMap(([home, make]) =>
  REVIEW_ACTIONS.map(action => [action.name, home, make, action] as const),
);

it.each(all)('%s, %s', (_, __, make, action) => checked('review', tally => tryReview(make, action, tally)));

it.each(all)('%s, %s, in the states that a power cut leaves', (_, __, make, action) =>
  checked('power cut of a review', tally => tryReviewCuts(make, action, tally)),
);
