/** The hooks of a commit, run by git itself where it can (`git hook run`, since 2.36), else as the files that it would run. */

import { quietGit, type RunGit } from '../../../git/run-git.ts';
import { NO_GIT, refusedByGit } from './use-git.ts';

type CommitHook = 'pre-commit' | 'prepare-commit-msg' | 'commit-msg' | 'post-commit';

export interface HookCall {
  /** For its command line. */
  args?: readonly string[];
  env?: Readonly<Record<string, string>>;
}

export class Hooks {
  readonly #git: RunGit;
  readonly #cwd: string;
  readonly #output: ((text: string) => void) | undefined;
  #knows: Promise<boolean> | null = null;

  /** `output` is told what hooks print, as it comes. */
  constructor(git: RunGit, cwd: string, output: ((text: string) => void) | undefined) {
    this.#git = git;
    this.#cwd = cwd;
    this.#output = output;
  }

  /** Throws GIT_REFUSED where the hook is there and says no. */
  async run(hook: CommitHook, { args = [], env = {} }: HookCall = {}): Promise<void> {
    const call = await this.#command(hook, args);
    const output = this.#output && { output: this.#output };
    const result = await this.#git({ args: call, cwd: this.#cwd, env, ...output, started: () => {} });
    if (result?.code !== 0) throw refusedByGit(result ?? NO_GIT);
  }

  async #command(hook: CommitHook, args: readonly string[]): Promise<readonly string[]> {
    this.#knows ??= this.#look(['version']).then(words => {
      const [, major, minor] = /(\d+)\.(\d+)/.exec(words) ?? [];
      return Number(major) > 2 || (Number(major) === 2 && Number(minor) >= 36);
    });
    if (await this.#knows) return ['hook', 'run', '--ignore-missing', hook, '--', ...args];
    const file = shellWord(await this.#look(['rev-parse', '--git-path', `hooks/${hook}`]));
    return ['-c', `alias.vedit-hook=!test ! -x ${file} || ${file}`, 'vedit-hook', ...args];
  }

  /** Asks git itself: where hooks lie is told by the config that is set aside for all other calls. */
  async #look(args: readonly string[]): Promise<string> {
    const result = await (args[0] === 'version' ? quietGit(this.#git) : this.#git)({ args, cwd: this.#cwd });
    return result?.stdout.trim() ?? '';
  }
}

function shellWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
