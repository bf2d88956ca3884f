/** The files that this process has open, below a folder. (Linux.) */

import { readdirSync, readlinkSync } from 'node:fs';

export function openBelow(folder: string): string[] {
  return readdirSync('/proc/self/fd').flatMap(fd => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`);
      return path.startsWith(folder) ? [path] : [];
    } catch {
      // It was the listing's own.
      return [];
    }
  });
}
