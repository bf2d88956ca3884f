/** Edits in a workspace that stays open, in a process of its own: what an agent's edit costs. */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('editor.mjs', import.meta.url));

export class OpenEditor {
  #folder;
  #child = null;

  /** @param {string} folder the work tree */
  constructor(folder) {
    this.#folder = folder;
  }

  /** @param {object[]} calls inputs of edits with their names in `edit` @returns {Promise<import('./row.mjs').Cost>} */
  async edit(calls) {
    const child = this.#child ?? (await this.#start());
    child.channel.ref();
    child.send(calls);
    const [answer] = await once(child, 'message');
    // The bench ends without it.
    child.channel.unref();
    if (answer.error) throw new Error(answer.error);
    return answer;
  }

  async #start() {
    const child = fork(SCRIPT, [this.#folder], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    await once(child, 'message');
    child.unref();
    this.#child = child;
    return child;
  }
}
