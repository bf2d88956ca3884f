/**
 * Everything that keeps objects in the repository: what is the engine's own, and is rewritten, and what is somebody else's,
 * and is named with the command of git that takes it away.
 */

import { latin1, nameOf } from '../bytes.ts';
import { shellWord } from '../c-quote.ts';
import type { Context } from '../engine/context.ts';
import { type Fs, orNull } from '../fs/fs.ts';
import { entryAt } from '../git/index/entry.ts';
import { parseIndex } from '../git/index/format.ts';
import { listRefs, type NamedRef } from '../git/refs/ref-list.ts';
import { readHead } from '../git/refs/refs.ts';
import type { Repository } from '../git/repository/repository.ts';
import { gitFolders } from '../git/repository/worktrees.ts';
import { TRAIL_PREFIX, trailHome } from '../history/head.ts';
import { PEERS_PREFIX } from '../history/peer-names.ts';

export type HolderKind =
  | 'branch'
  | 'tag'
  | 'stash'
  | 'remote branch'
  | 'ref'
  | 'HEAD'
  | 'reflog'
  | 'index'
  | 'file';

/** A place that is not the engine's and holds the text. */
export interface Holder {
  kind: HolderKind;
  name: string;
  /** The command by which a person removes the text from there. */
  command: string;
}

/** A holder's object. */
export interface Root extends Holder {
  oid: string;
}

/** A ref of the engine. */
export interface OwnRef extends NamedRef {
  /** `trail`: it gets a commit that says so. `mirror`: what a server has, which goes and is fetched again. */
  kind: 'trail' | 'signed' | 'mirror' | 'other';
  /** True for the ref that is checked out. */
  checkedOut: boolean;
}

/** Lists the refs of the engine, trails first. */
export async function ownRefs({ repo, trailName }: Context): Promise<OwnRef[]> {
  const head = await readHead(repo);
  const home = trailHome(repo, head, trailName);
  const own: OwnRef[] = [];
  for (const { name, oid } of await listRefs(repo, 'refs/'))
    if (name.startsWith('refs/vedit')) own.push({ name, oid, kind: kindOf(name), checkedOut: false });
  if (home.checkedOut && head.oid !== null)
    own.push({ name: home.ref, oid: head.oid, kind: 'trail', checkedOut: true });
  const order = ({ kind }: OwnRef): number => ['trail', 'other', 'signed', 'mirror'].indexOf(kind);
  return own.sort((a, b) => order(a) - order(b));
}

function kindOf(ref: string): OwnRef['kind'] {
  if (ref.startsWith(TRAIL_PREFIX)) return 'trail';
  if (ref.startsWith('refs/vedit-signed/')) return 'signed';
  return ref.startsWith(PEERS_PREFIX) ? 'mirror' : 'other';
}

/** Lists every place of somebody else that keeps objects. `paths`: the files that the text was in, for the commands. */
export async function otherRoots(
  context: Context,
  own: readonly OwnRef[],
  paths: readonly string[],
): Promise<Root[]> {
  const { fs, repo } = context;
  const names = new Set(own.map(({ name }) => name));
  const roots: Root[] = [];
  for (const { name, oid } of await listRefs(repo, 'refs/'))
    if (!names.has(name)) roots.push({ ...ofRef(name, paths), oid });
  for (const gitDir of await gitFolders(repo)) {
    roots.push(...(await heads(fs, gitDir, names)), ...(await indexed(fs, gitDir, repo)));
    if (gitDir !== repo.commonDir) roots.push(...(await refsOfWorkTree(fs, gitDir)));
    // What is checked out is the trail: so is its log.
    const isOwn = (ref: string): boolean =>
      names.has(ref) || (ref === 'HEAD' && own.some(one => one.checkedOut));
    for (const { name: ref, path } of await filesBelow(fs, `${gitDir}/logs`))
      if (!isOwn(ref)) roots.push(...ofLog(ref, await textIn(fs, path)));
  }
  return roots;
}

function ofRef(name: string, paths: readonly string[]): Holder {
  const short = (prefix: string): string => name.slice(prefix.length);
  if (name === 'refs/stash') return { kind: 'stash', name: 'stash', command: 'git stash drop' };
  if (name.startsWith('refs/heads/'))
    return { kind: 'branch', name: short('refs/heads/'), command: filtering(short('refs/heads/'), paths) };
  if (name.startsWith('refs/tags/'))
    return {
      kind: 'tag',
      name: short('refs/tags/'),
      command: `git tag -d ${shellWord(short('refs/tags/'))}`,
    };
  const command = `git update-ref -d ${shellWord(name)}`;
  if (!name.startsWith('refs/remotes/')) return { kind: 'ref', name, command };
  const [remote, ...branch] = short('refs/remotes/').split('/');
  const push = `git push --force ${shellWord(remote!)} ${shellWord(branch.join('/'))}`;
  return {
    kind: 'remote branch',
    name: short('refs/remotes/'),
    command: `${push} (once the branch here is rewritten; until then others can fetch it)`,
  };
}

/** Returns the one command for rewriting branches that git comes with; it takes the files out of each commit. */
function filtering(branch: string, paths: readonly string[]): string {
  const files = paths.length === 0 ? '<file>' : paths.map(shellWord).join(' ');
  return `git filter-branch -f --index-filter "git rm -q --cached --ignore-unmatch -- ${files}" -- ${shellWord(branch)} && git update-ref -d refs/original/refs/heads/${branch}`;
}

/** Lists the refs that a linked work tree has of its own, those of a bisection and the like, which no list of refs shows elsewhere. */
async function refsOfWorkTree(fs: Fs, gitDir: string): Promise<Root[]> {
  const where = `worktrees/${gitDir.split('/').at(-1)}`;
  const roots: Root[] = [];
  for (const { name, path } of await filesBelow(fs, `${gitDir}/refs`)) {
    const oid = /^[0-9a-f]{40}(?=\n)/.exec(await textIn(fs, path))?.[0];
    const command = `git --git-dir=${shellWord(gitDir)} update-ref -d ${shellWord(`refs/${name}`)}`;
    if (oid) roots.push({ kind: 'ref', name: `${where}/refs/${name}`, command, oid });
  }
  return roots;
}

/** Unsaved work that git put aside for as long as a merge or a rebase lasts. No ref leads to it. */
const PUT_ASIDE = ['merge', 'apply'].flatMap(how => [`rebase-${how}/autostash`, `rebase-${how}/orig-head`]);

/** HEAD where it is detached, ORIG_HEAD, FETCH_HEAD and their like, and what git put aside. */
async function heads(fs: Fs, gitDir: string, own: ReadonlySet<string>): Promise<Root[]> {
  const roots: Root[] = [];
  for (const name of [...((await orNull(fs.readdir(gitDir))) ?? []), ...PUT_ASIDE]) {
    if (!/^[A-Z_]*HEAD$|^AUTO_MERGE$|^MERGE_AUTOSTASH$|^rebase-.*\//.test(name) || own.has(name)) continue;
    const command = commandFor(gitDir, name);
    const text = await textIn(fs, `${gitDir}/${name}`);
    for (const oid of text.match(/\b[0-9a-f]{40}\b/g) ?? []) roots.push({ kind: 'HEAD', name, command, oid });
  }
  return roots;
}

function commandFor(gitDir: string, name: string): string {
  if (name === 'HEAD') return 'git checkout <another commit>';
  if (name.startsWith('rebase-')) return 'git rebase --quit (what it put aside becomes a stash)';
  if (name === 'MERGE_AUTOSTASH') return 'git merge --quit (what it put aside becomes a stash)';
  return `rm -f ${shellWord(`${gitDir}/${name}`)}`;
}

async function indexed(fs: Fs, gitDir: string, { commonDir }: Repository): Promise<Root[]> {
  const bytes = await orNull(fs.readFile(`${gitDir}/index`));
  if (!bytes) return [];
  const index = parseIndex(bytes);
  const where = gitDir === commonDir ? '' : ` (of the work tree ${gitDir.split('/').at(-1)})`;
  return Array.from({ length: index.count }, (_, i) => {
    const path = nameOf(index.name(i));
    const command = `git rm --cached -- ${shellWord(path)}`;
    return { kind: 'index' as const, name: path + where, command, oid: entryAt(index, i).oid };
  });
}

interface FileBelow {
  name: string;
  path: string;
  isLink: boolean;
}

/**
 * Lists every file and link below a folder with its name from there on; none where there is no folder. Passes over names
 * that `isLeft` holds for.
 */
export async function filesBelow(
  fs: Fs,
  folder: string,
  isLeft: (name: string) => boolean = () => false,
): Promise<FileBelow[]> {
  const found: FileBelow[] = [];
  for (const name of (await orNull(fs.readdir(folder))) ?? []) {
    const path = `${folder}/${name}`;
    const type = isLeft(name) ? undefined : (await fs.lstat(path))?.type;
    if (type === 'directory')
      for (const one of await filesBelow(fs, path, isLeft))
        found.push({ ...one, name: `${name}/${one.name}` });
    else if (type !== undefined && type !== 'other') found.push({ name, path, isLink: type === 'symlink' });
  }
  return found;
}

async function textIn(fs: Fs, path: string): Promise<string> {
  return latin1((await orNull(fs.readFile(path))) ?? new Uint8Array());
}

function ofLog(ref: string, text: string): Root[] {
  const ids = text.split('\n').flatMap(line => /^([0-9a-f]{40}) ([0-9a-f]{40}) /.exec(line)?.slice(1) ?? []);
  const isStash = ref === 'refs/stash';
  const command = isStash ? 'git stash clear' : `git reflog expire --expire=now ${shellWord(ref)}`;
  return [...new Set(ids)].map(oid => ({
    kind: isStash ? 'stash' : 'reflog',
    name: isStash ? 'stash' : ref,
    command,
    oid,
  }));
}
