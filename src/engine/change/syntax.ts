/** Looks whether edits bring parse errors: the answer tells them, or the edits are refused, as the workspace is asked to. */

import { EditError, ifRefused } from '../../errors.ts';
import { newFaults } from '../../symbols/new-faults.ts';
import { canRead } from '../../symbols/readers.ts';
import { readableText } from '../../text/document.ts';
import { listedSome } from '../../text/words.ts';
import { pathName } from '../../wording.ts';
import type { Snapshot } from '../files/snapshot.ts';
import type { Planned } from './planned.ts';

/** The most errors of a file that are told. */
const TOLD = 3;

/** Returns the plan with a note for each file that it breaks. Throws DENIED where that is not to be. */
export async function withSyntax(snapshot: Snapshot, planned: Planned): Promise<Planned> {
  const notes: string[] = [];
  for (const [path, target] of planned.targets) {
    // First, so that an edit of a file that nothing parses decodes no text for this.
    if (!target || !(await canRead(path))) continue;
    const after = readableText(path, { bytes: target.bytes, version: '' });
    if (!after) continue;
    const from = planned.moves.find(({ to }) => to === path)?.from ?? path;
    // A file may come in place of a folder.
    const was = await snapshot.file(from).catch(ifRefused(null, 'IS_DIRECTORY'));
    const before = was && readableText(path, was);
    const faults = was && !before ? [] : await newFaults(path, before?.text ?? null, after.text);
    if (faults.length === 0) continue;
    const reason = `${pathName(path)} has new parse errors: ${listedSome(faults, TOLD, '; ')}`;
    notes.push(reason);
    if (snapshot.context.syntax !== 'refuse') continue;
    const message = `${reason}. Nothing was changed, as edits that break the syntax are refused here. Send the edit with what is missing.`;
    throw new EditError('DENIED', message, { reason, rule: 'syntax', path });
  }
  return notes.length === 0 ? planned : { ...planned, notes: [...(planned.notes ?? []), ...notes] };
}
