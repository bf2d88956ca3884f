/** Finds programs as a shell does. */

import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The path of a program; `null` where there is none of that name. */
export function onPath(program: string, { PATH = '' }: NodeJS.ProcessEnv): string | null {
  const names = process.platform === 'win32' ? [`${program}.cmd`, `${program}.exe`] : [program];
  const folders = PATH.split(delimiter).filter(folder => folder !== '');
  const files = folders.flatMap(folder => names.map(name => join(folder, name)));
  return files.find(file => existsSync(file)) ?? null;
}
