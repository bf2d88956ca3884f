/** Whether what an agent's own tool is about to do would be refused: a person rejected it, or history would get a key. */

import { isEditError } from '../../errors.ts';
import type { Session } from '../session.ts';
import type { FileDeed } from './hooks/event.ts';

/** The refusal for the agent; anything else that stands against the call is that tool's own matter. */
export async function rejectedBy(
  session: Session,
  path: string,
  deed: FileDeed,
): Promise<string | undefined> {
  const steps = stepsOf(path, deed);
  if (steps.length === 0) return undefined;
  const dry = (own: Session): Promise<unknown> => own.change(steps as never, { dryRun: true });
  // Nobody else is told of it: it is no call of the agent.
  return session.inTurn(dry, { tells: false, vocabulary: OTHERS }).then(
    () => undefined,
    error =>
      isEditError(error, 'REJECTED', 'DENIED') || (isEditError(error, 'SECRET') && !error.data.in_file)
        ? error.message.replace(/^edit \d+ of \d+[^:]*: /, '')
        : undefined,
  );
}

/** Its tools know nothing of the fields of ours, nor of our tools. */
const OTHERS = { tools: {}, fields: { even_if_rejected: null, allow_secret: null } };

/** As edits of ours; none for a tool whose input tells too little. */
function stepsOf(path: string, { steps = [], result, patch }: FileDeed): object[] {
  if (patch !== undefined) return [{ edit: 'apply_patch', patch }];
  if (typeof result === 'string') return [written(path, result)];
  return steps.map(({ old, new: now, all }) =>
    // That is how some make a file.
    old === ''
      ? written(path, now)
      : { edit: 'str_replace', path, old_str: old, new_str: now, replace_all: all },
  );
}

function written(path: string, text: string): object {
  return { edit: 'create', path, file_text: text, overwrite: true };
}
