/** Edits of files that a tool of an agent is about to make, or has made. */

import { WITHHELD } from '../engine/admission/admit.ts';
import type { Answer, DoneData } from '../engine/answer.ts';
import { nullFor } from '../engine/calls/failure.ts';
import { isRecordable, type ToldEdit } from '../engine/change/record-options.ts';
import { isEditError } from '../errors.ts';
import type { Session } from '../workspace/session.ts';
import { type HookSaid, hookAnswer, showsHookOutput } from './hooks/agents.ts';
import type { FileDeed, HookEvent } from './hooks/event.ts';

/** The outcome: a commit, or why there is none. */
export interface HookTaken {
  commit: string | null;
  subject: string | null;
  passed: string | null;
  /** Printed by the hook, as JSON, so that the agent is told; `null`: nothing. */
  answer: object | null;
}

/** By path, what records what others wrote there since: done once, when every edit that waits is recorded. */
export type Rest = Map<string, () => Promise<unknown>>;

export function passed(why: string): HookTaken {
  return { commit: null, subject: null, passed: why, answer: null };
}

/** Records what a tool did to files; before it does, what others wrote there, and tells it what a person rejected. */
export async function takeFiles(
  session: Session,
  event: HookEvent,
  { files, rest }: { files: ReadonlyMap<string, FileDeed>; rest: Rest },
): Promise<HookTaken> {
  const { when, agent } = event;
  const known = session.moment();
  let taken = passed('NO_CHANGE: the files are as they are recorded');
  const said: HookSaid = {};
  for (const [path, file] of files) {
    const done = await takeFile(session, event, path, file).catch(error => {
      if (!isEditError(error, 'SECRET', 'DENIED')) throw error;
      said.told = `${WITHHELD}${error.message}`;
      taken = passed(said.told);
      return null;
    });
    const since = {
      outside: true,
      callId: event.call,
      ...(file.isPersons && { certain: 'person' as const }),
    };
    // What may not enter history was told of when the edit was recorded.
    if (when === 'after')
      rest.set(path, () => session.record([path], since).catch(nullFor('NO_CHANGE', 'SECRET', 'DENIED')));
    if (done) taken = { ...taken, commit: done.data.commit, subject: done.data.subject, passed: null };
    if (when === 'before') said.denied ??= await rejectedBy(session, path, file);
  }
  const moment = when === 'before' ? 'before' : 'after';
  if (showsHookOutput(agent, moment))
    said.told ??= (
      await session.rejections(known, { call_id: event.call }, { path: [...files.keys()][0] }, OTHERS)
    )?.message;
  return { ...taken, answer: hookAnswer(agent, moment, said) };
}

/** Records before the edit what others wrote, then the edit; `null` where all of it was recorded. */
async function takeFile(
  session: Session,
  { agent, tool, call: callId, when }: HookEvent,
  path: string,
  deed: FileDeed,
): Promise<Answer<DoneData> | null> {
  if (when === 'before') {
    // An answer that the agent is not shown tells it of no rejection.
    const record = (own: Session) => own.record([path], { outside: true });
    return session.inTurn(record, { tells: showsHookOutput(agent, when) }).catch(nullFor('NO_CHANGE'));
  }
  const told = wordsOf(deed);
  const op = isRecordable(tool) ? tool : `${agent}.${tool}`.replace(/[^\w.:-]/g, '_').slice(0, 40);
  return session.record([path], { op, callId, ...(told ? { told } : {}) }).catch(nullFor('NO_CHANGE'));
}

function wordsOf({ path: _path, isPersons: _isPersons, left, ...told }: FileDeed): ToldEdit | null {
  return Object.values(told).some(one => one !== undefined) ? { ...told, left } : null;
}

/** Returns why the edit would be refused, for the agent; anything else that stands against the call is that tool's own matter. */
async function rejectedBy(session: Session, path: string, deed: FileDeed): Promise<string | undefined> {
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
const OTHERS = { tools: {}, fields: { allow_secret: null } };

/** Returns the deed as edits of ours; none for a tool whose input tells too little. */
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
