/** States that a power cut can leave of every kind of operation, in every place. */

import { each } from './each.ts';
import { scenarios } from './operations.ts';
import { tryPowerCuts } from './power-cuts.ts';
import { sampled } from './stride.ts';

const stride = sampled(47);

each('power cuts', scenarios, (lab, tally, i) => tryPowerCuts(lab, tally, stride, i % stride));
