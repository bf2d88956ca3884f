/** Links from one view of the page to another. */

import type { ComponentChildren, VNode } from 'preact';
import { Button } from '../elements/button.tsx';
import { app } from '../parts.ts';

export function EntryLink({ commit, words }: { commit: string; words: ComponentChildren }): VNode {
  return <Button class="link" onClick={() => app.choose(commit)} words={words} />;
}
