/**
 * The address remembers what is seen, `#1a2b3c4d5e6f/blame`, so that an edit can be pointed at. What was gone to is a place
 * that the browser goes back to; what was only passed, as by playing a file, is not.
 */

import type { App } from './app.ts';
import type { Going, State, ViewName } from './contract.ts';

export class Address {
  readonly #app: App;
  readonly #isOwn: boolean;
  #isRead = false;

  /** `isOwn`: false in a host's frame, whose address nobody sees, and whose history is the host's. */
  constructor(app: App, isOwn: boolean) {
    this.#app = app;
    this.#isOwn = isOwn;
    addEventListener('popstate', event => this.read(event.state));
  }

  /** Goes where the address says, and shows the pane that was shown there; at first the list, or the edit that is named. */
  read(kept: unknown = null): void {
    this.#isRead = true;
    const [commit = '', name = 'changes'] = location.hash.slice(1).split('/');
    const chosen = this.#app.story.find(commit);
    const view = (['changes', 'replay', 'blame'] as ViewName[]).find(known => known === name) ?? 'changes';
    const pane = this.#paneOf(kept) ?? (chosen === null ? 'list' : 'detail');
    this.#app.go(chosen === null ? { chosen, view: 'overview', pane } : { chosen, view, pane });
  }

  render(state: State, how: Going): void {
    if (!this.#isRead || how === 'back' || !this.#isOwn) return;
    const { chosen, view, pane } = state;
    const hash = chosen === null || view === 'overview' ? '' : this.#hashOf(chosen, view);
    const isSame = location.hash === hash && (this.#paneOf(history.state) ?? 'list') === pane;
    if (isSame) return;
    const place = hash === '' ? location.pathname + location.search : hash;
    try {
      if (how === 'goes' && this.#isSeen(hash)) history.pushState({ pane }, '', place);
      else history.replaceState({ pane }, '', place);
    } catch {
      // Some browsers allow no change of a file's address; the page works without.
    }
  }

  /** True where something else is seen than at the place before: on a wide screen both panes are. */
  #isSeen(hash: string): boolean {
    return location.hash !== hash || this.#app.isNarrow;
  }

  #paneOf(kept: unknown): State['pane'] | null {
    const pane = typeof kept === 'object' && kept !== null ? (kept as { pane?: unknown }).pane : null;
    return pane === 'list' || pane === 'detail' ? pane : null;
  }

  #hashOf(chosen: number, view: ViewName): string {
    const id = this.#app.story.entries[chosen]!.commit.slice(0, 12);
    return view === 'changes' ? `#${id}` : `#${id}/${view}`;
  }
}
