/**
 * Negative controls: each takes one rule out of the protocol, of recovery or of a checkpoint, and the model must find a
 * history that breaks. A control that nothing catches would say that the model proves nothing there.
 */

import { describe, expect, it } from 'vitest';
import { explore, type Shape } from './explore.ts';

/** The rule that is left out, where the model finds it, and what it finds. */
const CONTROLS: ReadonlyArray<{ flaw: string; shapes: Shape[]; finds: RegExp; cuts?: number }> = [
  { flaw: 'no sync of the record', shapes: ['work'], finds: /I4|I5/ },
  { flaw: 'record after the ref', shapes: ['kill'], finds: /power cut: I[134]/ },
  { flaw: 'removes before it syncs', shapes: ['plain killed-checkpoint'], finds: /power cut: I[145]/ },
  { flaw: 'cut not synced', shapes: ['beside'], finds: /power cut: I10/ },
  { flaw: 'checksum not checked', shapes: ['kill'], finds: /power cut: I5/ },
  { flaw: 'no chain or salt', shapes: ['failed-edit checkpoint kill'], finds: /power cut: I10/ },
  { flaw: 'no seal', shapes: ['work'], finds: /power cut: I10/ },
  { flaw: 'no new journal after a failure', shapes: ['work'], finds: /power cut: I10/ },
  { flaw: 'short write ignored', shapes: ['work'], finds: /I4|I5/ },
  { flaw: 'records counted over all refs', shapes: ['work work'], finds: /power cut: I[1345]/ },
  { flaw: 'no extra sync', shapes: ['act work'], finds: /power cut: I[1345]/ },
  { flaw: 'no evidence', shapes: ['work act'], finds: /power cut: I6/ },
  { flaw: 'index synced late', shapes: ['work'], finds: /power cut: I6 .*damaged/ },
  { flaw: 'no ref compare', shapes: ['beside'], finds: /I6 a person's/ },
  { flaw: 'no fence', shapes: ['stop plain wake'], finds: /I/ },
  { flaw: 'no look before the record', shapes: ['stop plain wake'], finds: /kill: I7 a lock of git/ },
  { flaw: 'plain write for exclusive create', shapes: ['beside-create'], finds: /I6/ },
  { flaw: "journal in the work tree's folder", shapes: ['work act'], finds: /power cut: I/ },
  { flaw: 'objects not written again', shapes: ['beside'], finds: /kill: I1|I8/ },
  { flaw: 'syncs what is there', shapes: ['gc-marks checkpoint gc-removes'], finds: /I[148]/ },
  { flaw: 'aside not looked at', shapes: ['kill act'], finds: /kill: I6 the text/ },
  { flaw: 'staged not asked', shapes: ['kill act'], finds: /kill: I6/ },
  { flaw: 'checkpoint before recovery', shapes: ['plain cut checkpoint'], finds: /power cut: I[1345]/ },
  { flaw: 'head not asked', shapes: ['kill act'], finds: /I5 .* agreed with HEAD/ },
];

describe('negative controls of the model', () => {
  it.each(CONTROLS)('catches: $flaw', ({ flaw, shapes, finds, cuts = 24 }) => {
    const { found } = explore(shapes, { flaws: [flaw], cuts, isFirstEnough: true });
    expect([...found].map(([key, example]) => `${key} ${example}`).join('\n')).toMatch(finds);
  });
});
