/** Removes what is no longer needed of what was kept for rejections: part of gc. */

import { removeIfThere } from '../../../fs/durable.ts';
import { isMissing, lstatOf } from '../../../fs/fs.ts';
import type { Context } from '../../context.ts';
import { rejectionsFolder } from './rejection-book.ts';
import { type Stored, toldFolder } from './telling.ts';

/** A session that nobody wrote for so long has ended; one that goes on all the same is told once more. */
const ENDED_MS = 30 * 24 * 3600 * 1000;

/**
 * Removes rejections whose commits are gone, and what sessions were told that have ended, or were told of nothing that there
 * still is. To be called with the engine's lock held, while no rejection is being made.
 */
export async function forgetRejections(context: Context): Promise<void> {
  const { fs, folder, objects } = context;
  const rejections = new Set(await namesIn(context, rejectionsFolder(folder)));
  for (const commit of rejections) {
    if (await objects.has(commit).catch(() => true)) continue;
    await removeIfThere(fs, `${rejectionsFolder(folder)}/${commit}`);
    rejections.delete(commit);
  }
  for (const name of await namesIn(context, toldFolder(folder))) {
    const path = `${toldFolder(folder)}/${name}`;
    if (await isOver(context, path, rejections)) await removeIfThere(fs, path);
  }
}

async function namesIn({ fs }: Context, folder: string): Promise<string[]> {
  return fs.readdir(folder).catch(error => {
    if (isMissing(error)) return [];
    throw error;
  });
}

async function isOver({ fs, now }: Context, path: string, rejections: ReadonlySet<string>): Promise<boolean> {
  try {
    const { mtimeNs } = await lstatOf(fs, path);
    if (now().getTime() - Number(mtimeNs / 1_000_000n) > ENDED_MS) return true;
    const { told, arrived } = JSON.parse(new TextDecoder().decode(await fs.readFile(path))) as Stored;
    return ![...told.map(([commit]) => commit), ...arrived].some(commit => rejections.has(commit));
  } catch {
    // One that cannot be read tells nobody anything.
    return true;
  }
}
