/**
 * The git that commits what lands, and what it is given: an index of its own and the message, as files that stay when
 * this process is killed, and an open socket by which others then know that it still runs. See transaction/landing-git.ts.
 */

import { createFile, ensureFolder, removeIfThere } from '../../../fs/durable.ts';
import { encodeLock } from '../../../fs/lock/lock-file.ts';
import type { SocketFolder, SocketId } from '../../../fs/lock/sockets.ts';
import { assertNoSymlinks } from '../../../fs/no-symlinks.ts';
import { type GitCall, type GitResult, quietGit, type RunGit } from '../../../git/run-git.ts';
import type { Context } from '../../context.ts';
import { readIndex } from '../../transaction/index-step.ts';
import { type LandingFiles, landingFiles } from '../../transaction/landing/files.ts';
import { placeOf } from './use-git.ts';

/** What git writes is made durable, and messages are what they are, whatever the user's config says. */
export const CONFIG: readonly string[] = ['-c', 'core.fsync=committed', '-c', 'i18n.commitEncoding=UTF-8'];

export const NO_GIT: GitResult = { code: -1, stdout: '', stderr: 'git could not be started' };

export class CommittingGit {
  readonly context: Context;
  /** For calls that commit nothing. */
  readonly git: RunGit;
  readonly #name: string;
  readonly #output: GitCall['output'];
  readonly #files: LandingFiles;
  #sockets: SocketFolder | null = null;
  #socket: SocketId | null = null;

  private constructor(context: Context, git: RunGit, name: string, output: GitCall['output']) {
    this.#output = output;
    this.context = context;
    this.git = git;
    this.#name = name;
    this.#files = landingFiles(context, name);
  }

  /** `name` is that of the landing's record, which is in the journal; `output` is told what git and its hooks print. Its files go with the end of the transaction. */
  static async open(
    context: Context,
    git: RunGit,
    name: string,
    output?: GitCall['output'],
  ): Promise<CommittingGit> {
    const { fs, processes, repo } = context;
    const committing = new CommittingGit(context, git, name, output);
    const { folder } = committing.#files;
    await assertNoSymlinks(fs, repo.commonDir, folder);
    await ensureFolder(fs, folder);
    committing.#sockets = await processes.openSockets(folder);
    committing.#socket = committing.#sockets?.listen(name, () => '') ?? null;
    return committing;
  }

  close(): void {
    this.#sockets?.close();
  }

  /** Commits a tree. `env`: variables of the commit's own. */
  async commit(tree: string, message: string, env: Readonly<Record<string, string>>): Promise<GitResult> {
    const { fs } = this.context;
    const { index, message: file, git: note } = this.#files;
    // The id of the git before would say that this one has ended.
    for (const path of [note, file]) await removeIfThere(fs, path);
    await this.#copyIndex();
    const own = { ...env, GIT_INDEX_FILE: index };
    const cwd = placeOf(this.context);
    const filled = await quietGit(this.git)({ args: ['read-tree', '--reset', tree], cwd, env: own });
    if (filled?.code !== 0) return filled ?? NO_GIT;
    // In a pipe the message would be cut off where this process dies.
    await createFile(fs, file, new TextEncoder().encode(message), { sync: false });
    return this.#run([...CONFIG, 'commit', '-q', '--cleanup=whitespace', '-F', file], cwd, own);
  }

  /** A copy of the user's index: what it knows of unchanged files spares git to read them all. */
  async #copyIndex(): Promise<void> {
    const { fs } = this.context;
    const index = await readIndex(this.context);
    await removeIfThere(fs, this.#files.index);
    if (index) await createFile(fs, this.#files.index, index, { sync: false });
  }

  async #run(
    args: readonly string[],
    cwd: string,
    env: Readonly<Record<string, string>>,
  ): Promise<GitResult> {
    const descriptor = this.#sockets?.descriptor() ?? null;
    let noted: Promise<void> | null = null;
    const result = await this.git({
      args,
      cwd,
      env,
      inherits: descriptor === null ? [] : [descriptor],
      ...(this.#output ? { output: this.#output } : {}),
      started: ({ pid }) => {
        noted = this.#note(pid).catch(() => {});
      },
    });
    await noted;
    return result ?? NO_GIT;
  }

  /** Says which process it is. Until this is written, and where it cannot be, the socket alone says that git runs. */
  async #note(pid: number): Promise<void> {
    const { fs, folder, processes } = this.context;
    const token = this.#name.split('.')[0]!;
    const disk = processes.diskOf(folder);
    const lock = { ...processes.identityOf(pid), format: 2 as const, token, disk, socket: this.#socket };
    await createFile(fs, this.#files.git, encodeLock(lock), { sync: false });
  }
}
