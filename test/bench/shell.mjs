/** A shell that stays open: commands start from it as they do from a person's, from a small process. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** No config of the machine: git's own defaults. */
export const PLAIN_GIT = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };

export class Shell {
  #bash;
  #answers;

  /** @param {string} folder where the commands run */
  constructor(folder) {
    this.#bash = spawn('bash', ['--norc', '--noprofile'], {
      cwd: folder,
      env: PLAIN_GIT,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    this.#answers = createInterface({ input: this.#bash.stdout })[Symbol.asyncIterator]();
  }

  /** Runs a command line; what it prints goes nowhere. Throws when it fails. */
  async run(line) {
    this.#bash.stdin.write(`{ ${line}; } >/dev/null; echo $?\n`);
    const { value } = await this.#answers.next();
    if (value !== '0') throw new Error(`exit ${value} from: ${line}`);
  }

  /** Resolves when it has ended, so that its folder can go. */
  close() {
    const ended = once(this.#bash, 'exit');
    this.#bash.stdin.end();
    return ended;
  }
}

/** @param {string} text */
export function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
