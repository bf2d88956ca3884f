/** A path as an agent names it, as a path of the workspace. */

import { orNull } from '../../fs/fs.ts';
import type { Context } from '../context.ts';
import { plainPath } from './hooks/read.ts';

/** One that leads out of the workspace stays recognisable as such. `folder`: where the agent is at work. */
export async function placeOf(context: Context, folder: string | undefined, given: string): Promise<string> {
  const slashed = (path: string): string => (context.windows ? path.replaceAll('\\', '/') : path);
  const path = slashed(plainPath(given));
  const whole = isAbsolute(path) ? path : `${slashed(folder ?? context.root)}/${path}`;
  const plain = normalized(whole);
  return below(context, plain) ?? below(context, await spelledOut(context, plain)) ?? plain;
}

function isAbsolute(path: string): boolean {
  return path.startsWith('/') || /^[A-Za-z]:\//.test(path);
}

function normalized(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && (part !== '' || parts.length === 0)) parts.push(part);
  }
  return parts.join('/');
}

function below({ root }: Context, path: string): string | null {
  const top = root.replaceAll('\\', '/');
  return path.startsWith(`${top}/`) ? path.slice(top.length + 1) : null;
}

/** Its folder may be spelled by way of links, such as /tmp where that is /private/tmp. */
async function spelledOut({ fs }: Context, path: string): Promise<string> {
  const at = path.lastIndexOf('/');
  const folder = await orNull(fs.realpath(path.slice(0, at) || '/'));
  return folder === null ? path : folder.replaceAll('\\', '/') + path.slice(at);
}
