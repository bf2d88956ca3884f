/** One operation, crashed at every call it makes, and the promises checked before and after recovery. */

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nativeCodec } from '../../src/git/native/codec.ts';
import { nodeFs } from '../../src/git/native/node-fs.ts';
import { onlyProcess } from '../../src/git/owner.ts';
import { openOn } from '../../src/workspace/open.ts';
import type { Session } from '../../src/workspace/session.ts';
import { type Fault, type FaultFs, faultFs } from '../git/fault-fs.ts';
import { at, type Sandbox } from '../git/real-git.ts';

export interface Operation {
  name: string;
  /** Made with the real git, once; each state starts from a copy. */
  prepare(repo: Sandbox): void | Promise<void>;
  run(session: Session): Promise<{ data: { commit: string | null } }>;
}

export interface State {
  repo: Sandbox;
  fs: FaultFs;
  /** The commit that was acknowledged, or `null` when the call failed or died. */
  acknowledged: string | null;
  error: unknown;
}

/** Copies the prepared repository, runs the operation under faults, and hands the state to `check`. */
export class CrashLab {
  readonly #template: string;
  readonly #operation: Operation;

  private constructor(template: string, operation: Operation) {
    this.#template = template;
    this.#operation = operation;
  }

  static async of(operation: Operation): Promise<CrashLab> {
    const dir = realpathSync(mkdtempSync(join(tmpdir(), 'vedit-lab-')));
    await operation.prepare(at(dir));
    return new CrashLab(dir, operation);
  }

  /** The calls that the operation makes when nothing goes wrong. */
  async calls(): Promise<FaultFs['trace']> {
    const state = await this.state();
    if (!state.acknowledged) throw state.error;
    rmSync(state.repo.dir, { recursive: true });
    return state.fs.trace;
  }

  async state(...faults: Fault[]): Promise<State> {
    const dir = realpathSync(mkdtempSync(join(tmpdir(), 'vedit-state-')));
    cpSync(this.#template, dir, { recursive: true, preserveTimestamps: true });
    const fs = faultFs(nodeFs(), ...faults);
    const state: State = { repo: at(dir), fs, acknowledged: null, error: null };
    try {
      const session = await openSession(fs, dir, 'victim');
      state.acknowledged = (await this.#operation.run(session)).data.commit;
    } catch (error) {
      state.error = error;
    }
    return state;
  }

  close(): void {
    rmSync(this.#template, { recursive: true, force: true });
  }
}

/** A session of a process of its own: nothing of another one is alive to it. */
export async function openSession(
  fs: FaultFs | ReturnType<typeof nodeFs>,
  dir: string,
  id: string,
): Promise<Session> {
  const workspace = await openOn(
    { fs, codec: nativeCodec, processes: onlyProcess() },
    { root: dir, patience: { engine: 200, git: 100 } },
  );
  return workspace.session({ id, agent: id });
}

/** Files that only an unfinished or a badly ended operation leaves. */
export function leftovers(dir: string): string[] {
  const found: string[] = [];
  const walk = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) walk(path);
      else if (/\.lock$|tmp|journal$|vedit\/lock/.test(path.slice(dir.length)))
        found.push(path.slice(dir.length));
    }
  };
  walk(dir);
  return found;
}

/** The trail's ref beside `main`, or `main` itself. */
export function trailOf(repo: Sandbox): string {
  return existsSync(repo.path('.git/refs/vedit/main')) ? 'refs/vedit/main' : 'refs/heads/main';
}

export function isReachable(repo: Sandbox, commit: string): boolean {
  try {
    execFileSync('git', ['merge-base', '--is-ancestor', commit, trailOf(repo)], {
      cwd: repo.dir,
      stdio: 'ignore',
    });
    return true;
  } catch {
    return false;
  }
}

/** A file's content, or `null`. */
export function contentOf(repo: Sandbox, path: string): string | null {
  return existsSync(repo.path(path)) ? readFileSync(repo.path(path), 'utf8') : null;
}
