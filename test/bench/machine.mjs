/** What the figures were measured on, without the name of the machine. */

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import os from 'node:os';
import { basename } from 'node:path';

/** @param {string} folder where the repositories are */
export function machineFacts(folder) {
  const cpus = os.cpus();
  return {
    cpu: cpus[0]?.model.trim() ?? 'unknown',
    cores: cpus.length,
    memory_gib: Math.round(os.totalmem() / 2 ** 30),
    system: `${os.type()} ${os.arch()}`,
    file_system: fileSystemOf(folder),
    load_average: Number(os.loadavg()[0].toFixed(1)),
    node: process.version,
    git: execFileSync('git', ['version'], { encoding: 'utf8' }).trim().replace('git version ', ''),
  };
}

/** What `folder` is on; of an ext4 whether it has a journal, which decides as much as the disk. @returns {string} */
export function fileSystemOf(folder) {
  try {
    const told = execFileSync('df', ['--output=fstype,source', folder], { encoding: 'utf8', stdio: 'pipe' });
    const [type, source] = told.trim().split('\n').at(-1).split(/\s+/);
    return type === 'ext4' ? `ext4 ${hasJournal(source) ? 'with' : 'without'} a journal` : type;
  } catch {
    return 'unknown';
  }
}

/** The kernel lists the journals of mounted file systems. */
function hasJournal(device) {
  const name = basename(device);
  const journals = existsSync('/proc/fs/jbd2') ? readdirSync('/proc/fs/jbd2') : [];
  return journals.some(journal => journal.startsWith(`${name}-`));
}

export function machineWords(facts) {
  const { cpu, cores, memory_gib: memory, system, file_system: fileSystem, node, git } = facts;
  const busy = facts.load_average > cores / 4 ? ` THE MACHINE WAS BUSY (load ${facts.load_average}).` : '';
  return `${cpu}, ${cores} cores, ${memory} GiB, ${system}, ${fileSystem}; node ${node}, git ${git}.${busy}`;
}
