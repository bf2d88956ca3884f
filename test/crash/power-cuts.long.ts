/** Every state that a power cut can leave of every kind of operation, in every place. */

import { each } from './each.ts';
import { scenarios } from './operations.ts';
import { tryPowerCuts } from './power-cuts.ts';

each('power cuts', scenarios, (lab, tally) => tryPowerCuts(lab, tally));
