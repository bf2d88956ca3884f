/**
 * Judges what came since the base of a way back. It is about history as well as about files, so a change counts where
 * it changes which commits are meant, and where it changed a file that the way back changes. No other edit since is a
 * reason to refuse.
 */

import { type ChangedBy, EditError } from '../../../errors.ts';
import { partsOf } from '../../../git/refs/revision.ts';
import { changedPaths } from '../../../history/changed-paths.ts';
import { entriesSince } from '../../../history/place.ts';
import { readEntry, type TrailEntry, walkTrail } from '../../../history/walk.ts';
import { isCommit, isHead } from '../../../operations.ts';
import { fieldName, ifTool, Look, pathName, shortId, toolList } from '../../../wording.ts';
import { fromTrail, toTrail } from '../../context.ts';
import type { Snapshot } from '../../files/snapshot.ts';
import { findCommit } from '../../revision.ts';
import { describe, editorWords } from './stale.ts';

/** One change since the base, with what a person recognizes it by. */
interface Cause extends ChangedBy {
  subject: string;
  /** Paths of the commit that the undo changes. */
  paths: string[];
  /** False for what the trail does not hold yet: no commit of it can be cited as a base with that. */
  onTrail: boolean;
}

/** The call that takes something back, in the caller's word for it: `undo`. */
interface BackCall {
  op: string;
  session: string;
}

/** The most changes that are told of in words, and in data. */
const WORDS = 5;
const DATA = 100;

/** The history since the base of a way back. */
export class SinceBase {
  readonly #snapshot: Snapshot;
  readonly #op: string;
  readonly #session: string;
  readonly #base: string;
  /** Newest first. */
  readonly #entries: readonly TrailEntry[];

  private constructor(
    snapshot: Snapshot,
    { op, session }: BackCall,
    base: string,
    entries: readonly TrailEntry[],
  ) {
    this.#snapshot = snapshot;
    this.#op = op;
    this.#session = session;
    this.#base = base;
    this.#entries = entries;
  }

  /** Throws INVALID_INPUT when `base` is no commit of the trail: then nobody can say what came since. */
  static async read(snapshot: Snapshot, call: BackCall, base: string): Promise<SinceBase> {
    const commit = await snapshot.commit(base);
    const entries = await entriesSince(snapshot.context.objects, snapshot.trail, commit);
    if (!entries) {
      const { oid, ref } = snapshot.shown;
      const newest = oid === null ? '' : ` The newest is ${shortId(oid)}.`;
      const message = `${fieldName('base')} ${base} (${shortId(commit)}) is no commit of this history, so nobody can tell what came since.${ifTool('log', tool => ` ${tool} lists those that are.`)}${newest}`;
      throw new EditError('INVALID_INPUT', message, { field: 'base', commit, trail: ref });
    }
    return new SinceBase(snapshot, call, commit, entries);
  }

  /** Throws STALE when the name is counted from the newest commit, and that was not the base. */
  async checkName(name: string): Promise<void> {
    const { context, shown, newest } = this.#snapshot;
    if (this.#base === newest || !(await this.#snapshot.isCounted(name))) return;
    const now = await this.#snapshot.commit(name);
    const spec = `@${partsOf(name.trim()).steps}`;
    const then = await findCommit(context, { ...shown, parent: this.#base }, spec).catch(() => null);
    const words = `${name} named ${then === null ? 'nothing' : shortId(then)} then, and ${shortId(now)} now.`;
    const next = `Give the id of the commit that you mean, or count again${ifTool('log', tool => ` (${tool})`)} and give ${this.#newestWords()}.`;
    throw this.#stale(await this.#causesOf(this.#entries, []), [words], next);
  }

  /**
   * Throws STALE when another choice would have been made at the base. `choose` answers commits out of a trail, newest
   * first.
   */
  async checkChoice(choose: (trail: AsyncIterable<TrailEntry>) => Promise<string[]>): Promise<void> {
    const now = await choose(this.#trail(this.#snapshot.trail.parent));
    const then = await choose(this.#trail(this.#base));
    if (now.join() === then.join()) return;
    const about = new Set([...now, ...then]);
    const own = this.#entries.filter(({ commit, meta }) =>
      [commit, ...(meta?.undoes ?? []), ...(meta?.redoes ?? [])].some(one => about.has(one)),
    );
    const causes = await this.#causesOf(own.length > 0 ? own : this.#entries, []);
    const words = `Then it would have been about ${listOf(then)}, and now it is about ${listOf(now)}.`;
    throw this.#stale(causes, [words], this.#lookWords());
  }

  /** Throws STALE when one of the files is not what it was at the base, or changed on the way. */
  async checkPaths(paths: readonly string[]): Promise<void> {
    const { context } = this.#snapshot;
    const recorded = paths.map(path => toTrail(context, path));
    const causes: Cause[] = [];
    for (const path of paths) {
      const [present, held] = [await this.#snapshot.file(path), await this.#snapshot.recorded(path)];
      if (await this.#snapshot.conversion.holds(path, present, held)) continue;
      const subject = `outside ${path}`;
      causes.push({ commit: null, op: 'outside', by: 'outside', subject, paths: [path], onTrail: false });
    }
    causes.push(...(await this.#causesOf(this.#entries, recorded)).filter(one => one.paths.length > 0));
    const [first] = causes;
    if (!first) return;
    const path = first.paths[0]!;
    const version = (await this.#snapshot.file(path))?.version ?? null;
    const next = causes.some(one => !one.onTrail) ? versionWords(path, version) : this.#lookWords();
    throw this.#stale(causes, [], next, { path, version });
  }

  #trail(from: string | null): AsyncGenerator<TrailEntry> {
    const { context, trail } = this.#snapshot;
    return walkTrail(context.objects, trail.oid && from, { ownOnly: !trail.checkedOut });
  }

  #lookWords(): string {
    return `Look at what is there now (${toolList(['log', 'view'])}), then send it again with ${this.#newestWords()}.`;
  }

  #newestWords(): string {
    const { parent } = this.#snapshot.shown;
    return parent === null ? 'no base' : `base "${shortId(parent)}"`;
  }

  async #causesOf(entries: readonly TrailEntry[], paths: readonly string[]): Promise<Cause[]> {
    const { context, trail, shown } = this.#snapshot;
    const unwritten = trail.parent === shown.parent ? null : trail.parent;
    const causes: Cause[] = [];
    for (const entry of entries) {
      const changed = await changedPaths(context.objects, entry, paths);
      const since = describe(entry, this.#session);
      // Of one that joins HEAD's history, that of HEAD's newest one.
      const { meta } = entry;
      const isJoin = isHead(meta?.op) && meta?.head !== undefined;
      const { subject } = isJoin ? await readEntry(context.objects, meta.head!) : entry;
      const own = changed.map(path => fromTrail(context, path) ?? path);
      // What brings the trail up to HEAD may not be written yet.
      const onTrail = entry.commit !== unwritten;
      causes.push({ ...since, subject, paths: own, onTrail });
    }
    return causes;
  }

  #stale(
    causes: readonly Cause[],
    words: readonly string[],
    next: string,
    file: { path: string | null; version: string | null } = { path: null, version: null },
  ): EditError {
    const more =
      causes.length > WORDS
        ? [`[and ${causes.length - WORDS} more${ifTool('log', tool => `: see ${tool}`)}]`]
        : [];
    const message = [
      `This ${this.#op} was decided on ${shortId(this.#base)}. Since then came:`,
      ...causes.slice(0, WORDS).map(causeWords),
      ...more,
      ...words,
      `Nothing was changed. ${next}`,
    ].join('\n');
    const { parent: commit } = this.#snapshot.shown;
    const changed_by = causes.slice(0, DATA).map(({ onTrail: _, ...cause }) => cause);
    return new EditError('STALE', message, {
      ...file,
      commit,
      base: this.#base,
      base_version: null,
      diff: null,
      changed_by,
    });
  }
}

function causeWords(cause: Cause): string {
  const { commit, subject, paths } = cause;
  if (commit === null) return `- ${paths.join(', ')}: changed, not through vedit, and not recorded yet`;
  return `- ${shortId(commit)} ${subject} (${whoseWords(cause)})`;
}

function whoseWords(cause: Cause): string {
  if (cause.by === 'this session') return 'your own';
  if (cause.by === 'another session') return editorWords(cause);
  return isCommit(cause.op) ? 'a commit of the branch' : 'not through vedit';
}

function versionWords(path: string, version: string | null): string {
  if (version === null)
    return `${pathName(path)} is not there now: decide again, without ${fieldName('base')} and ${fieldName('version')}.`;
  return `${Look()} ${pathName(path)}, then send it again with ${fieldName('version')} "${version}" in place of ${fieldName('base')}.`;
}

function listOf(commits: readonly string[]): string {
  return commits.length === 0
    ? 'nothing'
    : commits
        .slice(0, WORDS)
        .map(one => shortId(one))
        .join(', ');
}
