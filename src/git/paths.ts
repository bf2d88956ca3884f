/** Absolute paths with `/`, joined and cut as strings: nothing is looked up. */

/** True for `/x`, `C:/x` and `C:\x`. */
export function isAbsolute(path: string): boolean {
  return /^(\/|[A-Za-z]:[\\/])/.test(path);
}

/** Resolves `path` as seen from the absolute folder `from`, with `.` and `..` taken out. */
export function resolvePath(from: string, path: string): string {
  const whole = isAbsolute(path) ? path : `${from.replace(/\/$/, '')}/${path}`;
  const slashed = /^[A-Za-z]:\\/.test(whole) ? whole.replaceAll('\\', '/') : whole;
  const root = /^([A-Za-z]:\/|\/\/?)/.exec(slashed)?.[0] ?? '/';
  const kept: string[] = [];
  for (const part of slashed.slice(root.length).split('/')) {
    if (part === '..') kept.pop();
    else if (part !== '' && part !== '.') kept.push(part);
  }
  return root + kept.join('/');
}

/** The folder that holds `path`, or `null` for a root. */
export function parentOf(path: string): string | null {
  const at = path.lastIndexOf('/');
  if (at < 0 || at === path.length - 1) return null;
  if (at === 0 || /^[A-Za-z]:$/.test(path.slice(0, at))) return path.slice(0, at + 1);
  return path.slice(0, at);
}

/** The folder that holds a relative path; '' is the root. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0));
}

/** The path of a name in a folder, of which '' is the root. */
export function pathIn(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
