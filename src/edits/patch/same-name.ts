/** Whether the name in a patch means the file that the call names beside it, in another spelling. */

/**
 * True where the two are the same but for `./`, doubled slashes or quotes around the name; where `written` is the end of
 * the path, whole components of it (`app.py` for `src/app.py`); and where it is absolute and ends with the path, as for a
 * caller that sees the workspace under a mount (`/repo/src/app.py`).
 */
export function namesFile(written: string, path: string): boolean {
  const [name, meant] = [plain(written), plain(path)];
  if (name === meant) return true;
  return (
    meant.endsWith(`/${name.replace(/^\/+/, '')}`) || (name.startsWith('/') && name.endsWith(`/${meant}`))
  );
}

/** Makes doubled slashes one, as they are to git and to every file system. */
export function slashed(name: string): string {
  return name.replace(/\/{2,}/g, '/');
}

function plain(path: string): string {
  return slashed(path.trim())
    .replace(/^(\.\/)+/, '')
    .replaceAll('/./', '/');
}
