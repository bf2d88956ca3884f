/** All that is in a folder, so that a test can see that nothing at all was changed. */

import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** By path: kind, mode, and content. Times are left out. */
export function everythingIn(folder: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name);
    const stat = lstatSync(path);
    const mode = stat.mode.toString(8);
    if (stat.isDirectory()) {
      found[`${path}/`] = mode;
      Object.assign(found, everythingIn(path));
    } else if (stat.isSymbolicLink()) found[path] = `${mode} ${readlinkSync(path)}`;
    else if (stat.isFile())
      found[path] = `${mode} ${createHash('sha1').update(readFileSync(path)).digest('hex')}`;
    else found[path] = mode;
  }
  return found;
}
