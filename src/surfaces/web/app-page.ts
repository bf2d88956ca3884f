/** The live page as an MCP App, for a server of your own: give it to McpConnection as `page`. */

import type { Person } from '../../engine/editor.ts';
import type { EditError } from '../../errors.ts';
import type { RunGit } from '../../land/git/system-git.ts';
import type { Workspace } from '../../workspace/open.ts';
import { notOpened, PageAnswers } from './server/answers.ts';

/** The person whom the page acts for, and their workspace. */
export interface AppPageActor {
  workspace: Workspace;
  /** The reviewer, in whose name the page undoes, restores and lands. */
  person: Person;
  /** The real git, for landing with hooks and a signature; see systemGit. */
  git?: RunGit | undefined;
  /** Refuses what is the person's to say, where an agent shows the page to itself. `doing`: as `accept`. */
  refusal?: ((doing: string) => EditError) | undefined;
}

export interface AppPageOptions {
  /** Opens the workspace: when the page first asks for anything, and again after it threw. */
  open(): Promise<AppPageActor>;
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
  const begin = async (): Promise<PageAnswers> => {
    const actor = await open();
    const { workspace, person } = actor;
    return new PageAnswers({ ...actor, session: workspace.session({ person, id: person.email }) });
  };
  return {
    readOnly,
    // Only who shows the page needs its 150 kB.
    html: async () => (await import('./page.ts')).appPage({ readOnly }),
    answer: async (asks, input) => {
      answers ??= begin();
      try {
        await answers;
      } catch (error) {
        answers = null;
        return notOpened(error);
      }
      return (await answers!).ask(asks, input);
    },
  };
}
