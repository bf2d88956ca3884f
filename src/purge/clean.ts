/**
 * Cleans the engine's own files: whatever they are for, the text gives way to its marker, and an id that was rewritten to the
 * new one, in names of files too. What is only derived goes, and is made anew. With the engine's lock held.
 */

import { fromLatin1, latin1 } from '../bytes.ts';
import type { Context } from '../engine/context.ts';
import { removeIfThere, replaceFile, syncFolder } from '../fs/durable.ts';
import { orNull } from '../fs/fs.ts';
import { gitFolders } from '../git/repository/worktrees.ts';
import { PURGED, type Purged } from '../trail/purged.ts';
import { INDEX_FILE } from '../trail/trail-index.ts';
import type { What } from './rewrite.ts';
import { filesBelow } from './roots.ts';

/** Files of locks, of sockets, those that have no text, and the one of old ids: none of the engine's other files is left out. */
const isLeft = (name: string): boolean =>
  /^(lock|wanted|live|tmp|packs|events|purged|seen\.index.*|journal\..*)$/.test(name);
const ID = /\b[0-9a-f]{40}\b/g;

type Change = (path: string, content: string) => string | null;

/** Answers the files that were changed or removed, below git's folder. */
export async function cleanFiles(context: Context, what: What, purged: Purged): Promise<string[]> {
  const { fs, repo } = context;
  const cleaned: string[] = [];
  const change = changeOf(what, purged);
  for (const gitDir of await gitFolders(repo)) {
    const below = `${gitDir}/vedit`;
    if (await removeIfThere(fs, `${below}/${INDEX_FILE}`)) cleaned.push(`${below}/${INDEX_FILE}`);
    // A link leads to a file that is not the engine's.
    for (const { path, isLink } of await filesBelow(fs, below, isLeft))
      if (!isLink && (await clean(context, path, change))) cleaned.push(path);
  }
  return cleaned.map(path => path.slice(repo.commonDir.length + 1));
}

/** Puts the new ids into the logs of the engine's refs; where HEAD is the trail, into that of HEAD. */
export async function cleanLogs(
  context: Context,
  what: What,
  { commits }: Purged,
  own: ReadonlySet<string>,
): Promise<void> {
  for (const gitDir of await gitFolders(context.repo))
    for (const { name, path } of await filesBelow(context.fs, `${gitDir}/logs`))
      if (own.has(name)) await clean(context, path, (_, text) => withIds(said(what, text), commits));
}

function said({ text }: What, content: string): string {
  return text ? text.replacedText(content, PURGED) : content;
}

function withIds(text: string, ids: ReadonlyMap<string, string>): string {
  return text.replace(ID, oid => ids.get(oid) ?? oid);
}

/** Makes the change of a file's content; `null`: it goes. */
function changeOf(what: What, { commits, blobs }: Purged): Change {
  const name = what.path?.split('/').at(-1);
  return (path, content) => {
    // A note with a version that is gone could only bring it back.
    if (path.includes('/vedit/aside/') && holdsOld(content, blobs, what)) return null;
    // Of a path, the text that a person wrote into it in the moment of a crash.
    if (name !== undefined && path.includes('/vedit/kept/') && path.endsWith(name)) return null;
    const lines =
      what.path !== null && /\/refusals[^/]*$/.test(path) ? withoutPath(content, what.path) : content;
    return withIds(said(what, lines), commits);
  };
}

function holdsOld(note: string, blobs: ReadonlyMap<string, string>, { text, path }: What): boolean {
  if ((note.match(ID) ?? []).some(oid => blobs.has(oid))) return true;
  if (path !== null) return note.includes(JSON.stringify(path));
  return text?.isIn(fromLatin1(note)) ?? false;
}

/** Returns the lines of kept refusals, those about the path without message and data: these quote its file. */
function withoutPath(lines: string, path: string): string {
  return lines
    .split('\n')
    .map(line => {
      const { data: _, ...refusal } = line === '' ? { path: null } : JSON.parse(line);
      const isOf = refusal.path === path || refusal.path?.startsWith(`${path}/`);
      return isOf ? JSON.stringify({ ...refusal, message: PURGED }) : line;
    })
    .join('\n');
}

/** Changes one file. True where it changed. */
async function clean(context: Context, path: string, change: Change): Promise<boolean> {
  const { fs, folder } = context;
  const bytes = await orNull(fs.readFile(path));
  if (!bytes) return false;
  const content = latin1(bytes);
  const now = change(path, content);
  if (now === null) return removeIfThere(fs, path);
  const slash = path.lastIndexOf('/');
  const renamed = path.slice(0, slash + 1) + (change(path, path.slice(slash + 1)) ?? '');
  if (now === content && renamed === path) return false;
  const { mode = 0o600 } = (await fs.lstat(path)) ?? {};
  await replaceFile(fs, renamed, fromLatin1(now), `${folder}/tmp/purge-${Date.now()}`, {
    mode: mode & 0o777,
  });
  if (renamed !== path) await removeIfThere(fs, path);
  await syncFolder(fs, path.slice(0, slash));
  return true;
}
