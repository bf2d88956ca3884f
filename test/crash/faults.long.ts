/** Every call of every kind of operation fails: of the main ones with every error, once and for good; else with one. */

import { each } from './each.ts';
import { CODES, TIMES, tryFaults } from './faults.ts';
import { main, scenarios } from './operations.ts';

const kinds = CODES.length * TIMES.length;

each('errors at every call', main, (lab, tally) => tryFaults(lab, tally));
each('errors at every call', scenarios, (lab, tally, i) => tryFaults(lab, tally, kinds - 1, i % (kinds - 1)));
