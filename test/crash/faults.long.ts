/** Calls of every kind of operation fail, with each error in turn, once and for good. */

import { sampled } from '../helpers/sampling.ts';
import { tryFaults } from './faults.ts';
import { scenarios } from './operations.ts';
import { each } from './scenario-tests.ts';

// A prime, so that every kind of fault has its turn.
const stride = sampled(37);

each('failing calls', scenarios, (harness, tally, i) => tryFaults(harness, tally, stride, i % stride));
