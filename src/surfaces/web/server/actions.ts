/** Actions of a person on the page, through the library's own calls: each is answered as the library answers. */

import type { Answer } from '../../../engine/answer.ts';
import type { Person } from '../../../engine/editor.ts';
import { type EditError, isEditError } from '../../../errors.ts';
import type { RunGit } from '../../../land/git/system-git.ts';
import { landBack } from '../../../land/land-back.ts';
import { isUndo } from '../../../operations.ts';
import type { ReviewHunk } from '../../../review/listing.ts';
import type { AcceptOptions } from '../../../review/options.ts';
import type { Workspace } from '../../../workspace/open.ts';
import type { Session } from '../../../workspace/session.ts';
import type { SeenHunk } from '../listing.ts';
import type { CurrentReview } from './current-review.ts';

/** The person whom the page acts for, and their workspace. */
export interface PageActor {
  workspace: Workspace;
  /** The reviewer, in whose name the page undoes, restores and lands. */
  person: Person;
  /** The real git, for landing with hooks and a signature; see systemGit. */
  git?: RunGit | undefined;
  /** Where that git runs to take a landing back; without it a landing is not taken back on the page. */
  folder?: string | undefined;
  /** Refuses what is the person's to say, where an agent shows the page to itself. `doing`: as `accept`. */
  refusal?: ((doing: string) => EditError) | undefined;
}

/** A person at a page, with their session. */
export interface ActorInSession extends PageActor {
  session: Session;
  review: CurrentReview;
}

/** The most hunks that one press accepts. */
const MOST_HUNKS = 5_000;

/** A question of a page; the library says what is wrong with it. */
export type Asked = Readonly<Record<string, unknown>>;

/** A step that takes an action back, by its commit: `unreview` a review, `redo` an undo, `unland` a landing, `revert` any other. */
interface Step {
  by: 'unreview' | 'redo' | 'revert' | 'unland';
  commit: string;
  /** Where the branch was before a landing. */
  parent?: string;
}

/** An action that was done, and how it is taken back. */
interface DoneAct {
  id: number;
  back: Step[];
}

/** The answer to an action, and the steps that take it back together. */
interface Done {
  answer: Answer<unknown>;
  back: Step[];
}

type Act = (actor: ActorInSession, asked: Asked) => Promise<Done>;

/** By name. `base` is the newest commit that the page showed: what changed since is refused as STALE. */
const ACTS: Readonly<Record<string, Act>> = {
  undo: async ({ session }, { dryRun, ...asked }) =>
    committed(await session.undo({ scope: 'trail', dryRun: dryRun === true, ...decision(asked) })),
  revert: async ({ session }, asked) =>
    committed(await session.revert(String(asked.commit), decision(asked))),
  restore: async ({ session }, { path, commit, ...asked }) =>
    committed(await session.restore({ path: String(path), from: String(commit), ...decision(asked) })),
  land: async ({ workspace, git, folder, refusal }, { message, commits, session, accepted, dryRun }) => {
    const answer = await workspace.land({
      message: text(message),
      commits: Array.isArray(commits) ? commits.map(String) : undefined,
      session: text(session),
      accepted: accepted === true,
      dryRun: dryRun === true,
      asAgent: refusal !== undefined,
      git,
    });
    const { commit, parent } = answer.data;
    const canGoBack = git && folder !== undefined && dryRun !== true && commit !== null && parent !== null;
    return { answer, back: canGoBack ? [{ by: 'unland', commit, parent }] : [] };
  },
  accept: (actor, { hunk, hunks = [hunk] }) => acceptAll(actor, Array.isArray(hunks) ? hunks : [hunks]),
  accept_listed: acceptListed,
  edit: (actor, { hunk, text: given }) => edit(actor, Object(hunk), String(given ?? '')),
  claim: async ({ workspace, person }) => {
    const answer = await workspace.accept({ unclaimed: true, reviewer: person });
    return reviewed(answer, [answer.data.review]);
  },
  comment: async ({ workspace, person }, { hunk, text: said }) => {
    const answer = await workspace.comment({ ...named(hunk), text: String(said ?? ''), reviewer: person });
    return { answer, back: [] };
  },
  reject: async ({ workspace, person }, { hunk, reason, together }) => {
    const how = { reason: text(reason), together: together === true, reviewer: person };
    const answer = await workspace.reject({ ...named(hunk), ...how });
    return reviewed(answer, [answer.data.commit!]);
  },
};

/** Those that say something in the name of the person. */
const REVIEWS: ReadonlySet<string> = new Set([
  'accept',
  'accept_listed',
  'claim',
  'comment',
  'reject',
  'edit',
]);

function decision({ base, reason }: Asked): { base: string | undefined; reason: string | undefined } {
  return { base: text(base), reason: text(reason) };
}

function committed(answer: Answer<{ op?: string; commit: string | null }>): Done {
  const { op, commit } = answer.data;
  return { answer, back: commit === null ? [] : [{ by: isUndo(op) ? 'redo' : 'revert', commit }] };
}

/** `commits`: in order; the last one is taken back first. */
function reviewed(answer: Answer<unknown>, commits: readonly string[]): Done {
  return { answer, back: commits.toReversed().map(commit => ({ by: 'unreview', commit })) };
}

/** Names a hunk so that it is known while others edit; of a whole file, without lines. */
function named(hunk: unknown): { path: string } & AcceptOptions {
  const { path, lines, commit, version, kind } = Object(hunk) as Partial<ReviewHunk>;
  const own = { path: String(path), at: text(commit), ...(version ? { version } : {}) };
  return kind === 'lines' && lines ? { ...own, lines } : own;
}

/** Accepts hunks one after another: together they are one action. What others accepted meanwhile is no fault. */
async function acceptAll({ workspace, person }: PageActor, hunks: readonly unknown[]): Promise<Done> {
  let last: Answer<{ review: string }> | undefined;
  const commits: string[] = [];
  for (const hunk of hunks.slice(0, MOST_HUNKS)) {
    try {
      last = await workspace.accept({ ...named(hunk), reviewer: person });
      commits.push(last.data.review);
    } catch (error) {
      if (hunks.length === 1 || !isEditError(error, 'NO_CHANGE')) throw error;
    }
  }
  const steps = commits.length;
  const message = hunks.length === 1 && last ? last.message : `Accepted ${steps} hunks.`;
  return reviewed({ message, data: { ...last?.data, steps } }, commits);
}

/** Accepts hunks of the list by their numbers, each as it was shown: [id, change]. Of a file whose hunks are all meant, at once. */
async function acceptListed(actor: ActorInSession, { ids }: Asked): Promise<Done> {
  const listing = await actor.review.last();
  const asked = new Map(Array.isArray(ids) ? ids.map(([id, change]) => [Number(id), Number(change)]) : []);
  const shown = listing.hunks([...asked.keys()]).filter(({ id, change }) => asked.get(id) === change);
  const all = new Set(shown.map(({ id }) => id));
  const paths = [...new Set(shown.map(({ path }) => path))];
  const wholes = paths.filter(path => listing.of(path).every(({ id }) => all.has(id)));
  const isApart = ({ path }: SeenHunk): boolean => !wholes.includes(path);
  const files = wholes.map(path => ({ ...shown.find(one => one.path === path)!, kind: 'file' }));
  const done = await acceptAll(actor, [...files, ...shown.filter(isApart)]);
  const left = asked.size - shown.length;
  const others = left > 0 ? ` ${left} were changed meanwhile, and are still to review.` : '';
  return { ...done, answer: { ...done.answer, message: `Accepted ${shown.length} hunks.${others}` } };
}

/** Puts the person's own lines in the place of the hunk's, and accepts them. */
async function edit(
  { session, workspace, person }: ActorInSession,
  hunk: ReviewHunk,
  text: string,
): Promise<Done> {
  const { path, lines, version } = hunk;
  const { message, data } = await session.edit('replace_lines', {
    path,
    ...lines,
    new_content: text,
    ...(version ? { version } : {}),
  });
  const { op, commit } = data;
  const count = text === '' ? 0 : text.replace(/\n$/, '').split('\n').length;
  const own = { start_line: lines?.start_line, end_line: lines?.start_line + count - 1 };
  const accepted = await workspace.accept({ path, lines: own, reviewer: person }).catch(error => {
    // The person's own lines may need no yes.
    if (!isEditError(error, 'NO_CHANGE')) throw error;
    return null;
  });
  const commits = accepted ? [accepted.data.review] : [];
  const done = reviewed({ message, data: { op, commit, steps: commits.length } }, commits);
  return { ...done, back: [...done.back, ...committed({ message, data: { op, commit } }).back] };
}

/** The actions of this server's pages. They are one person's: what is taken back is the last one on any page. */
export class Actions {
  readonly #actor: ActorInSession;
  /** The last ones, the newest at the end. */
  #done: DoneAct[] = [];
  #next = 1;

  constructor(actor: ActorInSession) {
    this.#actor = actor;
  }

  /** Throws EditError; `undefined` for an action that there is not. `done` in the answer names what can be taken back. */
  async act(asked: Asked): Promise<(Answer<unknown> & { done?: number }) | undefined> {
    if (asked.act === 'back') return this.#takeBack(asked.of);
    const name = String(asked.act);
    const { refusal } = this.#actor;
    if (REVIEWS.has(name) && refusal) throw refusal(name);
    const done = Object.hasOwn(ACTS, name) ? await ACTS[name]!(this.#actor, asked) : undefined;
    if (!done || done.back.length === 0) return done?.answer;
    const id = this.#next++;
    this.#done.push({ id, back: done.back });
    return { ...done.answer, done: id };
  }

  /** Takes an action back: the person's last one on any page, or that of this number. */
  async #takeBack(of: unknown): Promise<Answer<unknown> & { done?: number }> {
    const act = of === undefined ? this.#done.at(-1) : this.#done.find(({ id }) => id === Number(of));
    if (!act) return { message: 'Nothing was done on this page that could be taken back.', data: {} };
    let answer: Answer<unknown> | undefined;
    // A branch that has gone on never comes back: what was done before it is next.
    if (act.back[0]?.by === 'unland') this.#done.splice(this.#done.indexOf(act), 1);
    for (const step of [...act.back]) {
      answer = await this.#back(step);
      act.back.shift();
    }
    this.#done = this.#done.filter(one => one !== act);
    return { ...answer!, done: act.id };
  }

  async #back(step: Step): Promise<Answer<unknown>> {
    const { session, workspace, person, git, folder } = this.#actor;
    const options = { reason: 'taken back on the page' };
    if (step.by === 'unland')
      return { message: await landBack(git!, folder!, { ...step, parent: step.parent! }), data: {} };
    if (step.by === 'unreview') return workspace.unreview({ reviewer: person, of: step.commit });
    const revert = (): Promise<Answer<unknown>> => session.revert(step.commit, options);
    if (step.by === 'revert') return revert();
    // Where somebody else undid something since, that is not what comes back.
    return session.redo({ scope: 'trail', base: step.commit, ...options }).catch(error => {
      if (!isEditError(error, 'STALE')) throw error;
      return revert();
    });
  }
}

function text(value: unknown): string | undefined {
  return value === undefined || value === null ? undefined : String(value);
}
