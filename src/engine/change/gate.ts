/**
 * Those who are asked about a change before the lock is taken, as long as it takes, while others edit on: the commands of
 * policies that the repository did not bring, and the host's `approve`.
 */

import { EditError } from '../../errors.ts';
import { isOutside } from '../../operations.ts';
import { cutLine, listedSome } from '../../text/words.ts';
import { pathName } from '../../wording.ts';
import { deniedBy } from '../admission/policy/denied.ts';
import type { Layer } from '../admission/policy/policies.ts';
import type { PolicyCommand } from '../admission/policy/policy-file.ts';
import type { Context } from '../context.ts';
import { fileDiffOf } from '../file-diffs.ts';
import { recordedFile } from '../files/snapshot.ts';
import { openTrail } from '../trails/open-trail.ts';
import { type Approve, noteOf, pending, withNote } from './approval.ts';
import type { Draft } from './draft.ts';
import type { ChangeRequest } from './request.ts';

type Command = PolicyCommand & { policy: string };

export interface Gate {
  commands: readonly Command[];
  approve: Approve | undefined;
}

/** Returns who has to be asked before a change; `null` where nobody is. */
export async function gateOf(context: Context, dryRun: boolean): Promise<Gate | null> {
  const isAsked = ({ isTrusted, policy }: Layer): boolean => isTrusted && (policy.commands?.length ?? 0) > 0;
  const layers =
    context.policies.files.length === 0 ? [] : await context.policies.layers(await openTrail(context));
  const commands = layers
    .filter(isAsked)
    .flatMap(({ name, policy }) => policy.commands!.map(command => ({ ...command, policy: name })));
  const approve = dryRun ? undefined : context.approve;
  return commands.length === 0 && !approve ? null : { commands, approve };
}

/** Asks all who have to approve. Returns the reason with their notes. Throws DENIED. */
export async function passGate(
  gate: Gate,
  drafted: Draft,
  request: ChangeRequest,
): Promise<string | undefined> {
  const { approve, commands } = gate;
  const text = commands.length > 0 ? await addedText(drafted) : '';
  for (const command of commands) await runCommand(drafted.snapshot.context, command, text);
  const isDone = drafted.changes.every(({ inPlace }) => inPlace === true);
  if (!approve || isDone || isOutside(request.op)) return request.reason;
  const verdict = await approve(pending(request, drafted), request.session() as never);
  return withNote(request.reason, noteOf(verdict));
}

/** The lines that history gets, of what is recorded before the change, and of the change. */
async function addedText({ snapshot, changes }: Draft): Promise<string> {
  const added: string[][] = [];
  for (const { path, recorded } of changes) {
    const known = await snapshot.recorded(path);
    const was = known?.mode.startsWith('100') ? await recordedFile(snapshot.context, path, known) : null;
    const { before, after } = recorded;
    if (before?.version !== was?.version) added.push(linesAdded(fileDiffOf(path, null, was, before).diff));
    added.push(linesAdded(fileDiffOf(path, null, before, after).diff));
  }
  return added.flat().join('\n');
}

function linesAdded(diff: string): string[] {
  const lines = diff.split('\n');
  const hunks = lines.findIndex(line => line.startsWith('@@'));
  return hunks < 0 ? [] : lines.slice(hunks).flatMap(line => (line.startsWith('+') ? [line.slice(1)] : []));
}

/** Characters of a command's output that a refusal shows. */
const SHOWN = 2_000;

async function runCommand(
  context: Context,
  { run, seconds = 60, policy }: Command,
  input: string,
): Promise<void> {
  const [program, ...args] = run as [string, ...string[]];
  const denied = (words: string): EditError =>
    deniedBy({ rule: 'commands', policy, words: `${program} ${words}` }, null);
  if (!context.runProgram) throw denied('cannot be run here');
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isLate = false;
  const started = (child: { kill(signal: 'SIGTERM'): void }): void => {
    timer = setTimeout(() => {
      isLate = true;
      child.kill('SIGTERM');
    }, seconds * 1000);
  };
  try {
    const result = await context.runProgram(program, { args, cwd: context.root, input, started });
    if (result === null) throw denied('is not there');
    if (isLate) throw denied(`did not end within ${seconds} seconds`);
    const said = cutLine(`${result.stdout}${result.stderr}`.trim(), SHOWN);
    if (result.code !== 0) throw denied(`ended with ${result.code}${said === '' ? '' : `: ${said}`}`);
  } finally {
    clearTimeout(timer);
  }
}

/** Tells two plans of a change apart: the files as they were, and as they would be. */
export function planKey({ changes }: Draft): string {
  const ids = changes.map(({ path, recorded: { before, after } }) =>
    [path, before?.version, before?.mode, after?.version, after?.mode].join(' '),
  );
  return ids.sort().join('\n');
}

/** The refusal of a change that was approved as another one. */
export function approvedOther({ snapshot, changes }: Draft): EditError {
  const paths = changes.map(({ path }) => path);
  const message = `${listedSome(paths.map(pathName))} changed while this waited for approval, so what was approved is not what would be done. Nothing was changed, and nothing is lost: send the same call again, and it is asked about anew.`;
  return new EditError('STALE', message, {
    path: paths.length === 1 ? paths[0]! : null,
    paths,
    version: null,
    commit: snapshot.shown.parent,
    base: null,
    base_version: null,
    diff: null,
    changed_by: [],
    planned: true,
  });
}
