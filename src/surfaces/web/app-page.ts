/** The live page as an MCP App, for a server of your own: give it to McpConnection as `page`. */

import type { PageActor } from './server/actions.ts';
import { PageAnswers, refused } from './server/answers.ts';

export type { PageActor };

export interface AppPageOptions {
  /** Opens the workspace: when the page first asks for anything, and again after it threw. */
  open(): Promise<PageActor>;
  /** The page shows, and changes nothing. */
  readOnly?: boolean | undefined;
}

/** A page as McpConnection takes it. */
export interface LiveAppPage {
  /** Returns the page: one HTML file that loads nothing. */
  html(): Promise<string>;
  readOnly: boolean;
  /** Answers what the page asks, refusals too. Never throws. */
  answer(asks: string, input: Readonly<Record<string, unknown>>): Promise<object>;
}

/** Returns the page. Edits that were refused are on it too, where the workspace records refusals. */
export function createAppPage({ open, readOnly = false }: AppPageOptions): LiveAppPage {
  let answers: Promise<PageAnswers> | null = null;
  return {
    readOnly,
    // Only who shows the page needs its 150 kB.
    html: async () => (await import('./page.ts')).appPage({ readOnly }),
    answer: async (asks, input) => {
      answers ??= open().then(actor => new PageAnswers(actor));
      try {
        await answers;
      } catch (error) {
        answers = null;
        return refused(error);
      }
      return (await answers!).ask(asks, input);
    },
  };
}
