/**
 * Whether the git of a landing still runs after the process that started it was killed. As long as it does, its index is
 * left alone: without it git would commit an empty tree, and delete every file of the branch.
 *
 * Who writes next waits for that git. To go on beside it would be possible for refs (git compares the branch before it
 * moves it), but not for the rest: the person's index follows the landing by the last record of the journal, which has to
 * stay the last until git has ended, and another landing would commit the same edits once more. A living landing keeps
 * others waiting as long, so nothing takes longer because its process is dead.
 */

import { EditError, type LockHolder } from '../../../errors.ts';
import { type LockFile, look } from '../../../fs/lock/lock-file.ts';
import type { Disk } from '../../../fs/lock/processes.ts';
import { holderOf, whoWords } from '../../../fs/lock/refusal.ts';
import { sleep } from '../../../fs/sleep.ts';
import type { Context } from '../../context.ts';
import type { ChangeRecord } from '../journal/record.ts';
import { landingFiles, leftLandings, removeLanding } from './files.ts';

/** `unknown`: it cannot be told, so nobody waits for it, and its files stay. */
export type Life = 'lives' | 'ended' | 'unknown';

type Where = Pick<Context, 'fs' | 'folder' | 'processes'>;

/** True for the record of a landing in which git makes the commit. */
export function isByGit({ new: commit, landing }: ChangeRecord): boolean {
  return commit === null && landing !== null;
}

/** Waits until the git of a killed landing has ended. Throws LOCKED when the patience ends before. */
export async function landingEnded(context: Context, record: ChangeRecord): Promise<void> {
  if (!isByGit(record)) return;
  const deadline = performance.now() + context.patience.engine;
  while ((await lifeOfGit(context, record.name)) === 'lives') {
    if (performance.now() > deadline) throw await stillRuns(context, record.name);
    await sleep(PAUSE);
  }
}

/** Milliseconds between two looks. */
const PAUSE = 50;

/**
 * The system knows a process by its id and start, where both processes count alike. Where that tells nothing (another
 * container, or killed before the id was written down) the socket does. Where there are no sockets (Windows) and the
 * system does not know either, a git counts as living for a while.
 */
export async function lifeOfGit(where: Where, name: string): Promise<Life> {
  const { fs, folder, processes } = where;
  const note = (await look(fs, landingFiles(where, name).git))?.file ?? null;
  const disk = processes.diskOf(folder);
  const runs = note && processes.isAlive(note, note.disk === disk ? disk : 'other');
  if (runs !== null) return runs ? 'lives' : 'ended';
  return lifeBySocket(where, name, note, disk);
}

async function lifeBySocket(where: Where, name: string, note: LockFile | null, disk: Disk): Promise<Life> {
  const { socket } = landingFiles(where, name);
  const stat = await where.fs.lstat(socket);
  if (!stat && !note) return 'ended';
  const reached = stat ? await reach(where, name) : 'unreachable';
  const mayRun = reached === 'open' || (!stat && note?.socket === null);
  if (mayRun) return (await isYoung(where, name, LONGEST)) ? 'lives' : 'unknown';
  // In a layer of an overlay, or on the disk of another machine, a socket is refused though somebody has it open.
  return reached === 'refused' && disk === 'local' ? 'ended' : 'unknown';
}

/** `open`: in a process of whom nobody can say whether it is git, or what a hook left running. */
async function reach(
  { folder, processes }: Where,
  name: string,
): Promise<'open' | 'refused' | 'unreachable'> {
  const sockets = await processes.openSockets(`${folder}/land`);
  if (!sockets) return 'unreachable';
  const { contact } = await sockets.ask(name).finally(() => sockets.close());
  return contact;
}

/** Milliseconds for which hooks may run where nobody can tell git from what a hook left running: nobody waits longer. */
const LONGEST = 60 * 60_000;

/** Milliseconds after which the files go even of a git of which nothing can be told. */
const FORGOTTEN = 24 * 60 * 60_000;

async function isYoung(where: Where, name: string, age: number): Promise<boolean> {
  const { index, socket } = landingFiles(where, name);
  const stats = [await where.fs.lstat(index), await where.fs.lstat(socket)];
  const times = stats.flatMap(stat => (stat ? Number(stat.mtimeNs / 1_000_000n) : []));
  return Date.now() - Math.max(0, ...times) < age;
}

/** Removes what landings left whose git has ended. */
export async function sweepLandings(where: Where): Promise<void> {
  for (const name of await leftLandings(where)) {
    const life = await lifeOfGit(where, name);
    const isLeft = life === 'ended' || (life === 'unknown' && !(await isYoung(where, name, FORGOTTEN)));
    if (isLeft) await removeLanding(where, name);
  }
}

async function stillRuns(context: Context, name: string): Promise<EditError> {
  const { fs, processes } = context;
  const holder: LockHolder | null = holderOf((await look(fs, landingFiles(context, name).git))?.file ?? null);
  const who = holder ? `in ${whoWords(holder, processes.self)}` : 'in a process that is not known';
  return new EditError(
    'LOCKED',
    `A landing still runs its hooks: the vedit that began it was killed, and its git goes on ${who}. Try again when it has ended; if it hangs, end that process.`,
    { holder, landing: true },
  );
}
