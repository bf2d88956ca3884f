/** Chooses the commits of the trail that a log shows, and refuses names that nothing there has. */

import { latin1, utf8 } from '../../bytes.ts';
import { edits } from '../../edits/index.ts';
import type { Layer } from '../../engine/admission/policy/policies.ts';
import { syncedSnapshot } from '../../engine/change/sync.ts';
import { commitDiffs } from '../../engine/commit-diffs.ts';
import { type Context, toTrail } from '../../engine/context.ts';
import { checkPathThere } from '../../engine/files/missing.ts';
import { findCommit, rangeEnds } from '../../engine/revision.ts';
import { findSession } from '../../engine/trails/sessions.ts';
import { findTurn } from '../../engine/trails/turns.ts';
import { EditError } from '../../errors.ts';
import { changedPaths, isBelow } from '../../history/changed-paths.ts';
import type { TrailHead } from '../../history/head.ts';
import type { TrailEntry, TrailRow } from '../../history/walk.ts';
import { closestName } from '../../near-names.ts';
import { OWN_OPERATIONS } from '../../operations.ts';
import { ifTool, shortId } from '../../wording.ts';

export interface LogChoice {
  /** This file, or files below this folder. */
  path?: string | undefined;
  /** This session: its id, or the start of it where no other session begins so. */
  session?: string | undefined;
  agent?: string | undefined;
  /** This turn of an agent: its id, the start of it, or `latest`. */
  turn?: string | undefined;
  /** The author's name or address holds this text, in whatever case. */
  author?: string | undefined;
  op?: string | undefined;
  /** Only commits since this time. */
  since?: Date | undefined;
  /** Commits after one and up to another: `a..b`, `a..`, `..b`; or up to one: `b`. */
  revisions?: string | undefined;
  /** Commits after which a file has this text more often or less often than before. */
  search?: string | undefined;
}

/** Lists what is asked for, by the names of the options. */
export function givenChoices(choice: LogChoice): Array<[name: string, value: string]> {
  const { path, session, agent, turn, author, op, since, revisions, search } = choice;
  const asked = { path, session, agent, turn, author, op, since: since?.toISOString(), revisions, search };
  return Object.entries(asked).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
}

export class LogFilter {
  readonly #context: Context;
  readonly #trail: TrailHead;
  readonly #choice: LogChoice;
  readonly #path: string | undefined;
  /** Full ids of the ends of `revisions`; `null`: that of the trail. */
  #after: string | null = null;
  #last: string | null = null;
  #begun = true;
  #pathSeen = false;
  readonly #ops = new Set<string>();
  /** The policies that hold, for the search in texts. */
  #layers: Promise<readonly Layer[]> | undefined;

  private constructor(context: Context, trail: TrailHead, choice: LogChoice) {
    this.#context = context;
    this.#trail = trail;
    this.#choice = choice;
    this.#path = choice.path === undefined ? undefined : toTrail(context, choice.path);
  }

  /** Throws INVALID_INPUT for a session, a turn or a revision that there is not. */
  static async of(context: Context, trail: TrailHead, choice: LogChoice): Promise<LogFilter> {
    const { session: given, turn, revisions } = choice;
    const session = given === undefined ? undefined : await findSession(context, given);
    const found = turn === undefined ? undefined : await findTurn(context, turn, session);
    const filter = new LogFilter(context, trail, { ...choice, session, turn: found });
    if (revisions !== undefined) await filter.#findEnds(revisions);
    return filter;
  }

  async #findEnds(revisions: string): Promise<void> {
    const [after, last] = rangeEnds(revisions) ?? ['', revisions];
    if (after !== '') this.#after = await findCommit(this.#context, this.#trail, after);
    if (last === '' || last === '@') return;
    this.#last = await findCommit(this.#context, this.#trail, last);
    this.#begun = false;
  }

  /**
   * Takes in one more commit, which is older than those before; `end`: no older one can fit; `show`: it fits, if `fits` says
   * so too.
   */
  judge(row: TrailRow): 'show' | 'skip' | 'end' {
    const { since } = this.#choice;
    if (since && row.time * 1000 < since.getTime()) return 'end';
    if (row.commit === this.#after) return 'end';
    this.#note(row);
    this.#begun ||= row.commit === this.#last;
    return this.#begun && this.#mayFit(row) ? 'show' : 'skip';
  }

  /** True where the row of a commit may fit, as far as it tells; revisions and times are looked at later. */
  #mayFit(row: TrailRow): boolean {
    const { session, agent, turn, op } = this.#choice;
    if (turn !== undefined && row.turn !== turn) return false;
    if (session !== undefined && row.session !== session) return false;
    if (agent !== undefined && row.agent !== agent) return false;
    if (op !== undefined && row.op !== op) return false;
    return !row.isPlain || this.#path === undefined || row.paths.some(path => isBelow(path, this.#path));
  }

  #note({ op, paths }: TrailRow): void {
    if (op === null) return;
    this.#ops.add(op);
    this.#pathSeen ||= this.#path !== undefined && paths.some(path => isBelow(path, this.#path));
  }

  /** True for an entry that is to be shown, as far as only the commit itself tells. */
  async fits(entry: TrailEntry): Promise<boolean> {
    const { author, search } = this.#choice;
    if (author !== undefined && !isBy(entry, author)) return false;
    if (this.#path !== undefined) {
      const changed = await changedPaths(this.#context.objects, entry, [this.#path]);
      if (changed.length === 0) return false;
    }
    return search === undefined || this.#changesCount(entry, search);
  }

  /** True where the commit changes how often the text occurs, as git's pickaxe (-S); of a commit that joins two histories nothing is looked at. */
  async #changesCount(entry: TrailEntry, text: string): Promise<boolean> {
    if (entry.parents.length > 1) return false;
    const { path } = this.#choice;
    const wanted = latin1(utf8(text));
    this.#layers ??= this.#context.policies.layers();
    const fileDiffs = await commitDiffs(this.#context, entry, path, await this.#layers);
    return fileDiffs.some(
      ({ before, after }) => timesIn(before?.bytes, wanted) !== timesIn(after?.bytes, wanted),
    );
  }

  /**
   * To be asked when nothing was shown. Throws INVALID_INPUT for a revision that is not of the trail and for an op that
   * there is not, FILE_NOT_FOUND for a path that is neither in the files nor in the trail.
   */
  async checkNames(): Promise<void> {
    const { op, path, revisions } = this.#choice;
    if (!this.#begun && this.#trail.tip !== null) throw notOfTrail(revisions!, this.#last!);
    if (op !== undefined) checkOp(op, this.#ops);
    if (path !== undefined && !this.#pathSeen)
      await checkPathThere(await syncedSnapshot(this.#context, this.#trail), path);
  }
}

function isBy({ author }: TrailEntry, text: string): boolean {
  return `${author.name} <${author.email}>`.toLowerCase().includes(text.toLowerCase());
}

/** Counts how often the text is there, without overlaps, as git does. `text` in Latin-1, byte by byte. */
function timesIn(bytes: Uint8Array | undefined, text: string): number {
  if (!bytes || text === '') return 0;
  const content = latin1(bytes);
  let count = 0;
  for (let at = content.indexOf(text); at >= 0; at = content.indexOf(text, at + text.length)) count++;
  return count;
}

function notOfTrail(revisions: string, commit: string): EditError {
  return new EditError(
    'INVALID_INPUT',
    `${JSON.stringify(revisions)}: ${shortId(commit)} is not a commit of this history, so no edit comes up to it.${ifTool('log', tool => ` ${tool} without it lists all edits.`)}`,
    { field: 'revisions', commit },
  );
}

function checkOp(op: string, seen: ReadonlySet<string>): void {
  const known = new Set([...edits.map(edit => edit.name), ...OWN_OPERATIONS, ...seen]);
  if (known.has(op)) return;
  const close = closestName(op, [...known]);
  const hint = close ? `Did you mean ${close}?` : `There are ${[...known].sort().join(', ')}.`;
  throw new EditError('INVALID_INPUT', `There is no kind of edit named ${JSON.stringify(op)}. ${hint}`, {
    field: 'op',
    op,
  });
}
