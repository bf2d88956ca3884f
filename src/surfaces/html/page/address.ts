/** The address remembers what is seen, `#1a2b3c4d5e6f/blame`, so that an edit can be pointed at. */

import type { App } from './app.ts';
import type { State, ViewName } from './contract.ts';

export class Address {
  readonly #app: App;
  #isRead = false;

  constructor(app: App) {
    this.#app = app;
    addEventListener('hashchange', () => this.read());
  }

  /** Goes where the address says, if there is such a place. */
  read(): void {
    this.#isRead = true;
    const [commit = '', view = 'changes'] = location.hash.slice(1).split('/');
    const index = this.#app.story.find(commit);
    const known = (['changes', 'replay', 'blame'] as ViewName[]).find(name => name === view);
    if (index !== null) this.#app.choose(index, known ?? 'changes');
  }

  render({ chosen, view }: State): void {
    const hash = chosen === null || view === 'overview' ? '' : this.#hashOf(chosen, view);
    if (!this.#isRead || location.hash === hash) return;
    try {
      history.replaceState(null, '', hash === '' ? location.pathname + location.search : hash);
    } catch {
      // Some browsers allow no change of a file's address; the page works without.
    }
  }

  #hashOf(chosen: number, view: ViewName): string {
    const id = this.#app.story.entries[chosen]!.commit.slice(0, 12);
    return view === 'changes' ? `#${id}` : `#${id}/${view}`;
  }
}
