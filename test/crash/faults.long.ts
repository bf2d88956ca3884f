/** Calls of every kind of operation fail, with each error in turn, once and for good. */

import { each } from './each.ts';
import { tryFaults } from './faults.ts';
import { scenarios } from './operations.ts';
import { sampled } from './stride.ts';

// A prime, so that every kind of fault has its turn.
const stride = sampled(37);

each('failing calls', scenarios, (lab, tally, i) => tryFaults(lab, tally, stride, i % stride));
