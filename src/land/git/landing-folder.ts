/**
 * The folder of a landing while its hooks run. Nothing is locked meanwhile, and nothing in it is needed to repair anything:
 * when its process is gone, the next landing removes it.
 *
 *     land/<token>/index            what git commits: the tree of the landing, with what a hook adds
 *     land/<token>/COMMIT_EDITMSG   the message, for the hooks
 *     land/<token>/process          which process it is, in the form of a lock file
 */

import { utf8 } from '../../bytes.ts';
import type { Context } from '../../engine/context.ts';
import { createFile, ensureFolder, removeIfThere, removeTree } from '../../fs/durable.ts';
import { encodeLock, readLockFile } from '../../fs/lock/lock-file.ts';
import { assertNoSymlinks } from '../../fs/no-symlinks.ts';

type Where = Pick<Context, 'fs' | 'folder' | 'processes'>;

export class LandingFolder {
  readonly #context: Context;
  readonly #path: string;

  private constructor(context: Context, path: string) {
    this.#context = context;
    this.#path = path;
  }

  static async make(context: Context): Promise<LandingFolder> {
    const { fs, processes, repo, folder } = context;
    await assertNoSymlinks(fs, repo.commonDir, `${folder}/land`);
    await sweepLandings(context);
    const token = processes.newToken();
    const made = new LandingFolder(context, `${folder}/land/${token}`);
    await ensureFolder(fs, made.#path);
    const process = { ...processes.self, format: 2 as const, token, disk: processes.diskOf(folder) };
    await made.#write('process', encodeLock({ ...process, socket: null }));
    return made;
  }

  get index(): string {
    return `${this.#path}/index`;
  }

  /** Puts a copy of the person's index there: what it knows of unchanged files spares git to read them all. */
  async copyIndex(): Promise<void> {
    const index = await this.#context.index.read();
    await removeIfThere(this.#context.fs, this.index);
    if (index) await this.#write('index', index);
  }

  async writeMessage(message: string): Promise<string> {
    await removeIfThere(this.#context.fs, `${this.#path}/COMMIT_EDITMSG`);
    await this.#write('COMMIT_EDITMSG', utf8(message));
    return `${this.#path}/COMMIT_EDITMSG`;
  }

  async readMessage(): Promise<string> {
    return new TextDecoder().decode(await this.#context.fs.readFile(`${this.#path}/COMMIT_EDITMSG`));
  }

  remove(): Promise<void> {
    return removeAll(this.#context, this.#path);
  }

  async #write(name: string, bytes: Uint8Array): Promise<void> {
    await createFile(this.#context.fs, `${this.#path}/${name}`, bytes, { sync: false });
  }
}

/** Removes what landings left whose process is gone. A repository may come with a link in its place, and nothing is removed through that. */
export async function sweepLandings(where: Where): Promise<void> {
  const { fs, folder } = where;
  const land = `${folder}/land`;
  if ((await fs.lstat(land))?.type !== 'directory') return;
  for (const name of await fs.readdir(land))
    if (await isLeft(where, `${land}/${name}`)) await removeAll(where, `${land}/${name}`);
  await fs.rmdir(land).catch(() => {});
}

/** Milliseconds after which that goes of which nobody can tell whose it is. */
const FORGOTTEN = 24 * 60 * 60_000;

async function isLeft({ fs, folder, processes }: Where, path: string): Promise<boolean> {
  const disk = processes.diskOf(folder);
  const note = (await readLockFile(fs, `${path}/process`).catch(() => null))?.file ?? null;
  const lives = note && processes.isAlive(note, note.disk === disk ? disk : 'other');
  if (lives !== null) return !lives;
  const stat = await fs.lstat(path);
  return stat !== null && Date.now() - Number(stat.mtimeNs / 1_000_000n) > FORGOTTEN;
}

async function removeAll({ fs, folder }: Pick<Context, 'fs' | 'folder'>, path: string): Promise<void> {
  await removeTree(fs, path);
  await fs.rmdir(`${folder}/land`).catch(() => {});
}
