/** A person's repository made with the real git, and a workspace opened on it. */

import { existsSync, readFileSync, statSync } from 'node:fs';
import { openWorkspace, type Session, type Workspace, type WorkspaceOptions } from '../../src/index.ts';
import { type Sandbox, sandbox } from './real-git.ts';

export interface Place extends Sandbox {
  read(path: string): string;
  open(options?: Partial<WorkspaceOptions>): Promise<Workspace>;
  session(id?: string, options?: Partial<WorkspaceOptions>): Promise<Session>;
  /** Closes what was opened here: then the folder can be copied, and all of it is in its own place. */
  close(): Promise<void>;
}

/** Adds the engine to a sandbox. */
export function place(at: Sandbox): Place {
  const opened: Workspace[] = [];
  const open = async (options: Partial<WorkspaceOptions> = {}): Promise<Workspace> => {
    const workspace = await openWorkspace({ root: at.dir, ...options });
    opened.push(workspace);
    return workspace;
  };
  return {
    ...at,
    read: path => readFileSync(at.path(path), 'utf8'),
    open,
    session: async (id = 's1', options = {}) =>
      (await open(options)).session({ id, agent: 'claude', model: 'm1' }),
    close: async () => {
      for (const workspace of opened.splice(0)) await workspace.close();
    },
  };
}

/** A repository with the given files committed on `main`. */
export function personRepo(files: Record<string, string>): Place {
  const box = place(sandbox());
  box.git('init', '-q', '-b', 'main');
  for (const [path, text] of Object.entries(files)) box.write(path, text);
  box.git('add', '-A');
  box.git('commit', '-q', '--allow-empty', '-m', 'start');
  return box;
}

/** The same, with the checked-out branch as the trail. */
export function ownRepo(files: Record<string, string>): Place {
  const box = personRepo(files);
  box.git('config', 'vedit.trail', 'HEAD');
  return box;
}

/** The code that a call is refused with, or `null` when it was done. */
export async function codeOf(call: Promise<unknown>): Promise<string | null> {
  return call.then(
    () => null,
    error => error.code ?? String(error),
  );
}

/** True when every file of a commit's tree is on disk with the same bytes and mode, and no other file is. */
export function filesEqual(repo: Sandbox, commit: string): boolean {
  const list = (text: string): string[] =>
    text
      .split('\n')
      .filter(line => line !== '')
      .sort();
  const recorded = list(repo.git('ls-tree', '-r', '--format=%(objectmode) %(objectname) %(path)', commit));
  const paths = list(repo.git('ls-files', '-co', '--deduplicate')).filter(path =>
    existsSync(repo.path(path)),
  );
  const onDisk = paths.map(path => {
    const mode = statSync(repo.path(path)).mode & 0o100 ? '100755' : '100644';
    return `${mode} ${repo.git('hash-object', '--no-filters', '--', path)} ${path}`;
  });
  return JSON.stringify(recorded) === JSON.stringify(onDisk.sort());
}
