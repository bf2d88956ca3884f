/** What a person does on the page, through the library's own calls: each is answered as the library answers. */

import type { EditError } from '../../../errors.ts';
import { isUndo } from '../../../operations.ts';
import type { Answer } from '../../../workspace/answer.ts';
import type { Person } from '../../../workspace/editor.ts';
import type { RunGit } from '../../../workspace/land/git/system-git.ts';
import type { Workspace } from '../../../workspace/open.ts';
import type { ReviewHunk } from '../../../workspace/review/listing.ts';
import type { AcceptOptions } from '../../../workspace/review/options.ts';
import type { Session } from '../../../workspace/session.ts';

/** Whom the page acts for, and where. */
export interface Actor {
  workspace: Workspace;
  /** Of the person at the page. */
  session: Session;
  /** The real git, for landing with hooks and a signature. */
  git?: RunGit | undefined;
  /** Whose review it is. */
  person: Person;
  /** Refuses what is the person's to say, where an agent started the page. `doing`: as `accept`. */
  refusal?: ((doing: string) => EditError) | undefined;
}

/** What a page asks for; what is wrong with it, the library says. */
export type Asked = Readonly<Record<string, unknown>>;

type Act = (actor: Actor, asked: Asked) => Promise<Answer<unknown>>;

/** By name. `base` is the newest commit that the page showed: what changed since is refused as STALE. */
const ACTS: Readonly<Record<string, Act>> = {
  undo: ({ session }, { base, reason }) =>
    session.undo({ scope: 'trail', base: text(base), reason: text(reason) }),
  redo: ({ session }, { base, reason }) =>
    session.redo({ scope: 'trail', base: text(base), reason: text(reason) }),
  revert: ({ session }, { commit, base, reason }) =>
    session.revert(String(commit), { base: text(base), reason: text(reason) }),
  restore: ({ session }, { commit, path, base, reason }) =>
    session.restore(String(path), String(commit), { base: text(base), reason: text(reason) }),
  land: ({ workspace, git, refusal }, { message, commits, session, outside, preview }) =>
    workspace.land({
      message: text(message),
      commits: texts(commits),
      session: text(session),
      outside: outside === true,
      asAgent: refusal !== undefined,
      dryRun: preview === true,
      git,
    }),
  accept: ({ workspace, person }, { hunk }) => workspace.accept({ ...named(hunk), reviewer: person }),
  claim: ({ workspace, person }) => workspace.accept({ unclaimed: true, reviewer: person }),
  reject: ({ workspace, person }, { hunk, reason, together }) =>
    workspace.reject({
      ...named(hunk),
      reason: text(reason),
      together: together === true,
      reviewer: person,
    }),
};

/** A hunk by its lasting name; of a whole file, without lines. */
function named(hunk: unknown): { path: string } & AcceptOptions {
  const { path, lines, commit, version, kind } = Object(hunk) as Partial<ReviewHunk>;
  const own = { path: String(path), at: text(commit), ...(version ? { version } : {}) };
  return kind === 'lines' && lines ? { ...own, lines } : own;
}

/** How one action is taken back: an undo by a redo, a review as one, anything else by reverting its commit. */
interface Done {
  commit: string | null;
  by: 'redo' | 'unreview' | 'revert';
}

/** The actions of this server's pages. They are one person's: what is taken back is the last one on any page. */
export class Actions {
  readonly #actor: Actor;
  /** The last ones, the newest at the end. */
  #done: Done[] = [];

  constructor(actor: Actor) {
    this.#actor = actor;
  }

  /** Throws EditError; `undefined` for an action that there is not. */
  async act(asked: Asked): Promise<Answer<unknown> | undefined> {
    if (asked.act === 'back') return this.#takeBack();
    const isReview = ['accept', 'claim', 'reject'].includes(String(asked.act));
    const { refusal } = this.#actor;
    if (isReview && refusal) throw refusal(String(asked.act));
    const act = Object.hasOwn(ACTS, String(asked.act)) ? ACTS[String(asked.act)] : undefined;
    const answer = await act?.(this.#actor, asked);
    const { op, commit = null } = Object(answer?.data) as { op?: string; commit?: string | null };
    if (answer && isReview) this.#done.push({ commit, by: 'unreview' });
    else if (commit !== null && asked.act !== 'land')
      this.#done.push({ commit, by: isUndo(op) ? 'redo' : 'revert' });
    return answer;
  }

  /** The person's own last action on a page, unless it is taken back already. */
  async #takeBack(): Promise<Answer<unknown>> {
    const { session, workspace, person } = this.#actor;
    const last = this.#done.at(-1);
    if (!last) return { message: 'Nothing was done on this page that could be taken back.', data: {} };
    const options = { reason: 'taken back on the page' };
    const answer =
      last.by === 'unreview'
        ? await workspace.unreview({ reviewer: person })
        : last.by === 'redo'
          ? await session.redo({ scope: 'trail', ...options })
          : await session.revert(last.commit!, options);
    this.#done.pop();
    return answer;
  }
}

function text(value: unknown): string | undefined {
  return value === undefined || value === null ? undefined : String(value);
}

function texts(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.map(String) : undefined;
}
