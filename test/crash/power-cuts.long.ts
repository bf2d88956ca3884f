/** States that a power cut can leave of every kind of operation, in every place. */

import { sampled } from '../helpers/sampling.ts';
import { scenarios } from './operations.ts';
import { tryPowerCuts } from './power-cuts.ts';
import { each } from './scenario-tests.ts';

const stride = sampled(47);

each('power cuts', scenarios, (harness, tally, i) => tryPowerCuts(harness, tally, stride, i % stride));
