import { existsSync, readFileSync } from 'node:fs';

/** The package's own file lies above this one, however the build lays the files out. */
export function packageVersion(): string {
  for (let url = new URL('./package.json', import.meta.url); ; url = new URL('../package.json', url)) {
    if (existsSync(url)) return (JSON.parse(readFileSync(url, 'utf8')) as { version: string }).version;
  }
}
