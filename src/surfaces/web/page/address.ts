/**
 * The address remembers what is seen, `#1a2b3c4d5e6f/file`, so that an edit can be pointed at. What was gone to is a place
 * that the browser goes back to; what was only passed, as the steps of a file, is not.
 */

import type { Going, State } from './contract.ts';
import type { Story } from './model/story.ts';

/** Tells whether the address may name an entry, which is not known before the history is. */
export function namesEntry(): boolean {
  return !['', '#review'].includes(location.hash);
}

/** Returns what the address says, with the pane that was shown there; at first the list, or the edit that is named. */
export function readAddress(story: Story, kept: unknown): Pick<State, 'chosen' | 'view' | 'pane'> {
  const [commit = '', name] = location.hash.slice(1).split('/');
  if (commit === 'review') return { chosen: null, view: 'review', pane: paneOf(kept) ?? 'detail' };
  const chosen = story.entries[story.find(commit) ?? -1]?.commit ?? null;
  const pane = paneOf(kept) ?? (chosen === null ? 'list' : 'detail');
  return { chosen, view: chosen !== null && name === 'file' ? name : 'history', pane };
}

/** Writes what is seen into the address. `isNarrow`: one pane at a time is seen. */
export function writeAddress({ chosen, view, pane }: State, how: Going, isNarrow: boolean): void {
  const entry = chosen === null ? '' : `#${chosen.slice(0, 12)}${view === 'file' ? '/file' : ''}`;
  const hash = view === 'review' ? '#review' : entry;
  if (location.hash === hash && (paneOf(history.state) ?? 'list') === pane) return;
  const place = hash === '' ? location.pathname + location.search : hash;
  const isPlace = how === 'goes' && (location.hash !== hash || isNarrow);
  try {
    if (isPlace) history.pushState({ pane }, '', place);
    else history.replaceState({ pane }, '', place);
  } catch {
    // Some browsers allow no change of a file's address; the page works without.
  }
}

function paneOf(kept: unknown): State['pane'] | null {
  const { pane } = Object(kept) as { pane?: unknown };
  return pane === 'list' || pane === 'detail' ? pane : null;
}
