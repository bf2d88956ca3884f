/** Identifies the present start of the machine. */

import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';

let known: string | null | undefined;

/** Changes with each start of the machine; `null` where that cannot be read, which equals nothing, itself included. */
export function bootId(): string | null {
  known ??= read();
  return known;
}

function read(): string | null {
  if (process.platform === 'linux') return readOr('/proc/sys/kernel/random/boot_id');
  if (process.platform === 'darwin') return output('/usr/sbin/sysctl', ['-n', 'kern.bootsessionuuid']);
  if (process.platform === 'win32') return windowsBootId();
  return null;
}

function windowsBootId(): string | null {
  const key =
    'HKLM\\SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Memory Management\\PrefetchParameters';
  const value = /BootId\s+REG_DWORD\s+(\S+)/.exec(output('reg.exe', ['query', key, '/v', 'BootId']) ?? '');
  return value && `windows ${value[1]}`;
}

function output(program: string, args: string[]): string | null {
  // Loaded where it is needed: Linux has a file.
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const { status, stdout } = spawnSync(program, args, {
    encoding: 'utf8',
    timeout: 5_000,
    windowsHide: true,
  });
  return status === 0 && stdout.trim() !== '' ? stdout.trim() : null;
}

export function readOr(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim() || null;
  } catch {
    return null;
  }
}

/** When this machine started, in milliseconds since 1970, by its clock as it is now. */
export function bootTime(): number {
  return Date.now() - uptime() * 1000;
}
