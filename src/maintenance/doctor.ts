/**
 * Shows who holds the engine's lock of a repository and how that was told, and takes it from an owner of whom nobody
 * can say.
 */

import type { Answer } from '../engine/answer.ts';
import { type CheckOptions, optionsCheck } from '../engine/calls/call-options.ts';
import * as option from '../engine/calls/option.ts';
import { repairNow } from '../engine/change/change.ts';
import type { Context } from '../engine/context.ts';
import { type PathAside, setAsideOf } from '../engine/transaction/aside/asides.ts';
import { isInterrupted, journalDamage } from '../engine/transaction/journal/interrupted.ts';
import { writerOf } from '../engine/transaction/writer.ts';
import { EditError } from '../errors.ts';
import { inspectLock, type LockReport, whoWords } from '../fs/lock/inspect.ts';
import type { Disk as DiskKind } from '../fs/lock/processes.ts';
import { render } from '../wording.ts';

export type { DiskKind, LockReport };

export interface DoctorOptions {
  /**
   * The `token` that an answer before this one told: if that owner still holds the lock, it is taken from it, and what it left is
   * repaired. An owner that lives and gives signs of life keeps it.
   */
  unlock?: string | undefined;
}

export const checkDoctor: CheckOptions<DoctorOptions> = optionsCheck(
  { unlock: option.text },
  { unlock: '1f3a9c' },
);

export interface DoctorData {
  lock: LockReport;
  /**
   * The disk that the repository lies on, as this process sees it: on an overlay or a shared disk a socket proves less.
   */
  disk: DiskKind;
  /** True when an edit of this work tree was cut off; `null` where the journal that says so is damaged. */
  interrupted: boolean | null;
  /** Why the journal cannot be read, and what to do then: until that is done, every edit is refused. */
  journal_damage: string | null;
  /** Paths whose newest edit is in history and not in the file, of all work trees, with why. */
  set_aside: PathAside[];
  /** True when the lock was taken from its owner and the work it left was repaired. */
  unlocked: boolean;
}

/** Reports on the lock, the disk and the journal, and takes the lock where that is asked for. Throws LOCKED where the owner of the lock to be taken lives and works. */
export async function doctor(context: Context, { unlock }: DoctorOptions = {}): Promise<Answer<DoctorData>> {
  const before = await inspectLock(context);
  const isAsked = unlock !== undefined && before.token === unlock;
  if (isAsked && before.state === 'alive' && !isQuiet(before)) throw livesOn(before, context);
  if (isAsked) await repairNow(context, { force: unlock });
  // The lock is given back after the answer of a repair.
  if (isAsked) await writerOf(context).drained(context);
  const damage = await journalDamage(context);
  const data: DoctorData = {
    lock: isAsked ? await inspectLock(context) : before,
    disk: context.processes.diskOf(context.repo.commonDir),
    interrupted: damage ? null : await isInterrupted(context),
    journal_damage: damage?.message ?? null,
    set_aside: setAsideOf(context, await context.asides.all(context)).map(one => ({
      ...one,
      message: render(one.message),
    })),
    unlocked: isAsked,
  };
  return { message: words(data, before, context), data };
}

/** Milliseconds without a sign of life after which an owner that is there counts as stopped or hanging: it gives one each second. */
const QUIET = 5_000;

function isQuiet({ state, last_sign }: LockReport): boolean {
  return state === 'alive' && last_sign !== null && Date.now() - Date.parse(last_sign) > QUIET;
}

function livesOn({ holder, told_by }: LockReport, { processes }: Context): EditError {
  const who = whoWords(holder, processes.self);
  return new EditError(
    'LOCKED',
    `The lock was left alone: ${who} lives (${told_by}). It gives a sign of life each second. Wait for it, or end it${holder ? ` (kill ${holder.pid}, where it runs)` : ''}; then the next edit takes the lock over.`,
    { holder, told_by: told_by ?? 'unknown' },
  );
}

const DISKS: Record<DiskKind, string> = {
  local: 'a disk of this machine',
  layered: 'an overlay, whose layers may look different from elsewhere',
  other: 'a disk that other machines may share',
};

function words(
  { lock, disk, interrupted, journal_damage, set_aside, unlocked }: DoctorData,
  before: LockReport,
  context: Context,
): string {
  return [
    ...(unlocked ? [`taken from ${whoWords(before.holder, context.processes.self)}, and repaired`] : []),
    ...lockWords(lock, context),
    `the repository is on ${DISKS[disk]}`,
    journal_damage ??
      (interrupted
        ? 'an edit was interrupted; the next edit finishes it or takes it back'
        : 'no edit was interrupted'),
    ...set_aside.map(({ message }) => message),
  ].join('\n');
}

function lockWords(lock: LockReport, context: Context): string[] {
  const { state, holder, told_by, since, last_sign } = lock;
  if (state === 'free') return ['the lock is free'];
  const from = since === null ? '' : ` since ${since}`;
  return [
    `the lock is held by ${whoWords(holder, context.processes.self)}${from}; its last sign of life was at ${last_sign}`,
    `${isQuiet(lock) ? STOPPED : STATES[state]} (${told_by})`,
  ];
}

const STOPPED =
  'it is there and gives no sign of life: it is stopped or hangs, and keeps the lock until it goes on or ends, or until --unlock takes the lock from it';

const STATES = {
  alive: 'it lives',
  dead: 'it is dead: the next edit takes the lock over and repairs what was left',
  unknown:
    'whether it lives cannot be told from here: an edit that waits takes the lock over when it sees no sign of life for 30 s',
};
