/** The real git, in a temporary folder, with nothing of the user's or the machine's configuration. */

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

const ENV: NodeJS.ProcessEnv = {
  PATH: process.env.PATH,
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_AUTHOR_DATE: '1700000000 +0130',
  GIT_COMMITTER_NAME: 'Bob',
  GIT_COMMITTER_EMAIL: 'bob@example.com',
  GIT_COMMITTER_DATE: '1700000001 -0800',
};

export interface Sandbox {
  dir: string;
  /** Standard output without the final newline. Throws when git fails. */
  git(...args: string[]): string;
  /** As `git`, with standard input, in bytes. */
  pipe(input: string | Uint8Array, ...args: string[]): Buffer;
  /** Writes a file, making its folders. */
  write(path: string, content: string | Uint8Array): void;
  path(...parts: string[]): string;
}

/** A folder that is removed when the test ends. */
export function sandbox(name = 'repo'): Sandbox {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'vedit-git-')));
  // A process that a failed test leaves behind may still write there: then what is said is why the test failed.
  onTestFinished(() => rmSync(top, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
  const dir = join(top, name);
  mkdirSync(dir);
  return at(dir);
}

/** The same in another folder. */
export function at(dir: string): Sandbox {
  const run = (args: string[], input?: string | Uint8Array) =>
    execFileSync('git', args, {
      cwd: dir,
      env: ENV,
      input: input ?? '',
      maxBuffer: 1e9,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
  return {
    dir,
    git: (...args) => run(args).toString().replace(/\n$/, ''),
    pipe: (input, ...args) => run(args, input),
    write: (path, content) => {
      mkdirSync(dirname(join(dir, path)), { recursive: true });
      writeFileSync(join(dir, path), content);
    },
    path: (...parts) => join(dir, ...parts),
  };
}

/** A new repository on the branch main. */
export function repository(...options: string[]): Sandbox {
  const box = sandbox();
  box.git('init', '-q', '-b', 'main', ...options);
  return box;
}

/** True when git exits with 0. */
export function succeeds(box: Sandbox, ...args: string[]): boolean {
  return spawnSync('git', args, { cwd: box.dir, env: ENV }).status === 0;
}
