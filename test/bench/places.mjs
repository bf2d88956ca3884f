/** The file systems that the fair rows are measured on: in memory, the disk, and an ext4 with a journal where one can be made. */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileSystemOf } from './machine.mjs';

const MEMORY = '/dev/shm';
const JOURNALLED = 'ext4 with a journal';
const BYTES = 4 * 2 ** 30;

/**
 * @typedef {{ kind: string, folder: string }} Place
 *
 * Runs `work` with one place of each kind; `disk` is one of them. The ext4 with a journal is made in a file of it, where
 * `loop` asks for that and this process may mount it.
 * @param {{ disk: string, loop: boolean }} options
 * @param {(places: Place[]) => Promise<unknown>} work
 */
export async function withPlaces({ disk, loop }, work) {
  const places = [{ kind: fileSystemOf(disk), folder: disk }];
  const made = [];
  if (fileSystemOf(MEMORY) === 'tmpfs' && places[0].kind !== 'tmpfs') {
    made.push(mkdtempSync(join(MEMORY, 'vedit-bench-')));
    places.unshift({ kind: 'tmpfs', folder: made[0] });
  }
  const mounted = loop && places.every(({ kind }) => kind !== JOURNALLED) ? mountJournalled(disk) : null;
  if (mounted) places.push({ kind: JOURNALLED, folder: mounted });
  try {
    return await work(places);
  } finally {
    if (mounted) execFileSync('umount', [mounted]);
    for (const folder of made) rmSync(folder, { recursive: true, force: true });
  }
}

/** `null`, with a word on stderr, where it cannot be made. */
function mountJournalled(disk) {
  const [image, folder] = [join(disk, 'journalled.img'), join(disk, 'journalled')];
  try {
    writeFileSync(image, '');
    truncateSync(image, BYTES);
    mkdirSync(folder);
    execFileSync('mkfs.ext4', ['-q', '-F', image], { stdio: 'pipe' });
    execFileSync('mount', ['-o', 'loop', image, folder], { stdio: 'pipe' });
    return folder;
  } catch (error) {
    console.error(`no ext4 with a journal: ${error.message.split('\n')[0]}`);
    if (existsSync(image)) rmSync(image);
    return null;
  }
}
