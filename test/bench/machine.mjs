/** What the figures were measured on, without the name of the machine. */

import { execFileSync } from 'node:child_process';
import os from 'node:os';

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

function fileSystemOf(folder) {
  try {
    return execFileSync('df', ['--output=fstype', folder], { encoding: 'utf8' }).trim().split('\n').at(-1);
  } catch {
    return 'unknown';
  }
}

export function machineWords(facts) {
  const { cpu, cores, memory_gib: memory, system, file_system: fileSystem, node, git } = facts;
  const busy = facts.load_average > cores / 4 ? ` THE MACHINE WAS BUSY (load ${facts.load_average}).` : '';
  return `${cpu}, ${cores} cores, ${memory} GiB, ${system}, ${fileSystem}; node ${node}, git ${git}.${busy}`;
}
