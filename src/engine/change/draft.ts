/** From planned file contents to commits, in memory: outside changes first, each edit's commit exactly the edit. */

import { shownName } from '../../c-quote.ts';
import { EditError } from '../../errors.ts';
import type { EncodedObject } from '../../git/objects/object.ts';
import { isTree, type TreeRef } from '../../git/objects/tree-entries.ts';
import { isOutside, operationOf } from '../../operations.ts';
import { listedSome } from '../../text/words.ts';
import { appendCommit } from '../../trail/append.ts';
import { noteTip } from '../../trail/head.ts';
import { formatMessage, formatSubject, type TrailMeta } from '../../trail/message.ts';
import { fileAt, plainEntry, type Recorded, sameRecorded } from '../../trail/steps.ts';
import { ifTool } from '../../wording.ts';
import { admit } from '../admission/admit.ts';
import type { EditAbout, Made } from '../answer.ts';
import { toTrail } from '../context.ts';
import { type FileDiff, fileDiffsOf } from '../file-diffs.ts';
import type { Snapshot } from '../files/snapshot.ts';
import { author, committer, outsideAuthor } from '../identity.ts';
import type { Beside } from '../origins/origins.ts';
import type { PutBack } from '../rejections/put-back.ts';
import { indexEntry } from '../transaction/index-step.ts';
import type { IndexEdit } from '../transaction/journal/record.ts';
import { type Approve, type Asked, approvedReason } from './approval.ts';
import { type DraftedChange, draftedChanges, type InPlace, type Targets } from './drafted-change.ts';
import { withoutOverwritten } from './overwritten.ts';

const checkPutBack: typeof import('../rejections/put-back.ts').checkPutBack = async (...args) =>
  (await import('../rejections/put-back.ts')).checkPutBack(...args);
const trailsWith: typeof import('../trails/elsewhere.ts').trailsWith = async (...args) =>
  (await import('../trails/elsewhere.ts')).trailsWith(...args);

/** The change that an edit, or a way back, asks for. */
export interface Planned extends Targets {
  /** Trailers beyond those that every commit has. */
  meta?: Partial<TrailMeta>;
  /** In the subject in place of the files. */
  title?: string;
  /** Notes for the answer: what was put up with, and what was not covered. */
  notes?: readonly string[];
  /** The edits that a way back is about, for the answer. */
  edits?: readonly EditAbout[];
  /**
   * The files that cannot be planned, and the refusal. No file is changed then; it is thrown once a claim about the
   * base was held against these paths.
   */
  conflict?: { paths: readonly string[]; error: EditError };
  /** Files whose whole text the request gave. */
  written?: ReadonlySet<string> | undefined;
  /** With `joins`, where nothing is left to record here: the trail moves on to that commit, and none is made. */
  goesOn?: boolean;
  /** The word for the change in the subject and the answer, where that is not the operation. */
  word?: string;
}

export interface DraftRequest extends Asked {
  base?: string | undefined;
  /** Also what a person rejected, with the reason. */
  evenIfRejected?: boolean | undefined;
  /** Also what looks like a key, with the reason. */
  allowSecret?: boolean | undefined;
  /** Asked after the workspace's own. */
  beforeCommit?: Approve | undefined;
}

export interface Draft extends Made {
  objects: EncodedObject[];
  changes: DraftedChange[];
  index: IndexEdit[] | null;
}

/** Throws the conflict of the plan, SECRET, NO_CHANGE when every target is what is there already, STALE when outside changes are refused. */
export async function draft(snapshot: Snapshot, planned: Planned, request: DraftRequest): Promise<Draft> {
  if (planned.conflict) throw planned.conflict.error;
  const found = await draftedChanges(snapshot, planned);
  const { changes, ...admitted } = await admit({ snapshot, changes: found, request }, planned);
  const commits = new CommitChain(snapshot, request, planned.inPlace);
  const index = snapshot.trail.checkedOut ? await indexEntries(snapshot, changes) : null;
  if (index) await commits.recordStaged(index, changes);
  const below = commits.parent;
  await commits.recordOutside(changes);
  const fileDiffs = fileDiffsOf(changes, planned.moves);
  const { edits, written } = planned;
  const notes = [...(planned.notes ?? []), ...admitted.notes];
  const drafted = { trail: snapshot.trail.ref, changes, fileDiffs, index, notes, edits, written };
  if (planned.inPlace && planned.inPlace.as !== 'edit') {
    const subject = outsideSubject('outside', commits.outside!.paths);
    const own = { op: request.op, commit: commits.parent!, parent: below, outside: null, subject };
    return { ...drafted, ...own, objects: commits.objects };
  }
  const parent = commits.parent;
  // Whoever allows a key is named in a commit.
  const allowed = (admitted.meta.allowsSecrets ?? []).length > 0;
  if (planned.goesOn && !allowed && planned.joins !== undefined && commits.objects.length === 0) {
    const subject = subjectOf('sync', fileDiffs, planned.title);
    return { ...drafted, op: request.op, commit: planned.joins, parent, outside: null, subject, objects: [] };
  }
  const op = operationOf(request.op, fileDiffs);
  const subject = subjectOf(planned.word ?? op, fileDiffs, planned.title);
  const isDone = planned.inPlace !== undefined || planned.joins !== undefined;
  const { beforeCommit, rejections, patience } = snapshot.context;
  const rejected = request.editor.person ? [] : await rejections.all();
  const putBack =
    rejected.length === 0
      ? NOTHING_PUT_BACK
      : await checkPutBack(snapshot, { fileDiffs, changes, rejected }, { ...request, isDone });
  const hooks = [beforeCommit, request.beforeCommit];
  const reason =
    beforeCommit || request.beforeCommit
      ? await approvedReason(hooks, { ...request, op }, { subject, fileDiffs }, patience.engine)
      : request.reason;
  const joins = planned.joins === undefined ? [] : [planned.joins];
  const meta = { op, overrides: [...new Set(putBack.overrides)], ...admitted.meta, ...planned.meta };
  const commit = await commits.recordEdit(subject, reason, changes, meta, joins);
  return {
    ...drafted,
    notes: [...notes, ...putBack.notes],
    op,
    tool: planned.word ?? request.op,
    commit,
    parent,
    outside: commits.outside,
    subject,
    objects: commits.objects,
  };
}

const NOTHING_PUT_BACK: PutBack = { notes: [], overrides: [] };

/** Commits on top of each other, not written yet. */
class CommitChain {
  readonly objects: EncodedObject[] = [];
  outside: Draft['outside'] = null;
  parent: string | null;
  #tree: string | null;
  readonly #snapshot: Snapshot;
  readonly #request: DraftRequest;
  readonly #inPlace: InPlace | undefined;

  constructor(snapshot: Snapshot, request: DraftRequest, inPlace?: InPlace) {
    this.#snapshot = snapshot;
    this.#request = request;
    this.#inPlace = inPlace;
    this.parent = snapshot.trail.parent;
    this.#tree = snapshot.trail.tree;
  }

  /** Records text that the person staged and the file no longer holds, before its index entry is replaced. */
  async recordStaged(index: readonly IndexEdit[], changes: readonly DraftedChange[]): Promise<void> {
    const staged = new Map<string, TreeRef | null>();
    for (const entry of index) {
      const change = changes.find(one => toTrail(this.#snapshot.context, one.path) === entry.path);
      const recorded = await this.#recorded(entry.path);
      const known =
        entry.before?.oid === recorded?.oid || entry.before?.oid === change?.recorded.before?.version;
      if (entry.before && !known) staged.set(entry.path, entry.before);
    }
    if (staged.size > 0) await this.#commitOutside(staged, 'staged');
  }

  async recordOutside(changes: readonly DraftedChange[]): Promise<void> {
    const { context } = this.#snapshot;
    const found = new Map<string, TreeRef | null>();
    for (const { path, recorded: files } of changes) {
      const recorded = await this.#recordedAt(path);
      const before = files.before;
      const present = before && { mode: before.mode, oid: before.version };
      if (sameRecorded(plainEntry(recorded), present)) continue;
      found.set(toTrail(context, path), present);
      if (before) this.objects.push(await context.codec.encode('blob', before.bytes));
    }
    if (found.size === 0) return;
    if (context.outside === 'refuse') throw outsideRefused(this.#snapshot, [...found.keys()]);
    await this.#commitOutside(found, 'outside');
  }

  async recordEdit(
    subject: string,
    reason: string | undefined,
    changes: readonly DraftedChange[],
    extra: Partial<TrailMeta> & Pick<TrailMeta, 'op'>,
    joins: readonly string[],
  ): Promise<string> {
    const { context, trail } = this.#snapshot;
    const entries = new Map<string, TreeRef | null>();
    for (const { path, recorded, inPlace } of changes) {
      const { after } = recorded;
      entries.set(toTrail(context, path), after && { mode: after.mode, oid: after.version });
      // The version of a text that the engine made is its own hash; of a file in place a store said it.
      const oid = inPlace ? undefined : after?.version;
      if (after && after.mode !== '160000')
        this.objects.push(await context.codec.encode('blob', after.bytes, oid));
    }
    const { editor, base, call, editId, editHash } = this.#request;
    const who = author(context, editor, trail.checkedOut);
    const paths = [...entries.keys()];
    const meta = { subject, reason, paths, base, ...editor, call, editId, editHash, ...extra };
    return this.#append(entries, meta, who, joins);
  }

  /** One commit for each whose they are. */
  async #commitOutside(entries: ReadonlyMap<string, TreeRef | null>, word: string): Promise<void> {
    const { context, trail } = this.#snapshot;
    const { groupedByOrigin, originMeta } = await import('../origins/origins.ts');
    const origins = await groupedByOrigin(context, entries, { parent: trail.parent, beside: this.#beside() });
    for (const { changes, evidence } of origins) {
      const paths = [...changes.keys()];
      const isOnly = word === 'staged' || trail.checkedOut || this.parent === null;
      // Newest commits of other trails that have this text, as further parents.
      const known = isOnly ? [] : await trailsWith(context, trail, changes);
      const meta = { subject: outsideSubject(word, paths), op: 'outside', paths, ...originMeta(evidence) };
      const commit = await this.#append(changes, meta, outsideAuthor(context, evidence.by), known);
      this.outside = { commit, paths: [...new Set([...(this.outside?.paths ?? []), ...paths])] };
    }
  }

  /** The call that what is recorded here is about; `null` where none is known. */
  #beside(): Beside | null {
    const { call, editor, op } = this.#request;
    if (!this.#inPlace || call === undefined) return null;
    const { as, told } = this.#inPlace;
    const place = as === 'during' ? 'during' : as === 'outside' ? 'after' : told ? 'before' : null;
    return place && { place, call, session: editor.session, agent: editor.agent ?? '', tool: op };
  }

  async #append(
    changes: Map<string, TreeRef | null>,
    {
      subject,
      reason,
      ...meta
    }: Omit<TrailMeta, 'head' | 'trail'> & { subject: string; reason?: string | undefined },
    who: ReturnType<typeof author>,
    known: readonly string[] = [],
  ): Promise<string> {
    const { context, trail } = this.#snapshot;
    const parents = [...(this.parent ? [this.parent] : []), ...known];
    // A trail beside the branch remembers where HEAD stood, and in its first commit that it began there.
    const head = (!trail.checkedOut && trail.head) || undefined;
    const begins = !trail.checkedOut && trail.tip === null && this.parent === trail.parent;
    const at = { head, trail: begins ? trail.ref : undefined };
    const appended = await appendCommit(context.objects, {
      parents,
      tree: this.#tree,
      changes,
      message: formatMessage(
        subject,
        reason,
        { ...meta, committer: context.identity.committer?.email, ...at },
        context.identity.trailers,
        isOutside(meta.op) ? undefined : this.#request.editor.trailers,
      ),
      author: who,
      committer: committer(context),
    });
    noteTip(context.objects, { commit: appended.oid, tree: appended.tree, head: head ?? null });
    this.objects.push(...appended.objects);
    this.parent = appended.oid;
    this.#tree = appended.tree;
    return appended.oid;
  }

  /** As `#recorded`, of a path of the workspace. */
  async #recordedAt(path: string): Promise<Recorded> {
    if (this.#tree !== this.#snapshot.trail.tree)
      return this.#recorded(toTrail(this.#snapshot.context, path));
    const recorded = await this.#snapshot.recorded(path);
    return recorded && isTree(recorded.mode) ? null : recorded;
  }

  /** Returns what the newest of the commits holds at a path of the trail. */
  async #recorded(path: string): Promise<Recorded> {
    return this.#tree ? fileAt(this.#snapshot.context.objects, this.#tree, path) : null;
  }
}

function outsideSubject(word: string, paths: readonly string[]): string {
  const what = paths.length === 1 ? shownName(paths[0]!) : `${paths.length} files`;
  return `${word} ${what}`.slice(0, 72);
}

function outsideRefused({ shown }: Snapshot, paths: string[]): EditError {
  return new EditError(
    'STALE',
    `${listedSome(paths)} changed since the newest edit, not through vedit, and this workspace refuses such files (outside: "refuse").${ifTool('diff', tool => ` ${tool} with outside: true shows what changed;`)} decide with the person who changed it.`,
    {
      path: paths.length === 1 ? paths[0]! : null,
      paths,
      version: null,
      commit: shown.parent,
      base: null,
      base_version: null,
      diff: null,
      changed_by: [{ commit: null, op: 'outside', by: 'outside' }],
    },
  );
}

async function indexEntries(
  snapshot: Snapshot,
  changes: readonly DraftedChange[],
): Promise<IndexEdit[] | null> {
  const { context } = snapshot;
  if (context.repo.bare || !context.store.separate) return null;
  const index = await context.index.read();
  return changes.map(({ path, recorded: { after } }) => ({
    path: toTrail(context, path),
    before: indexEntry(index, toTrail(context, path)),
    after: after && { mode: after.mode, oid: after.version },
  }));
}

function subjectOf(op: string, fileDiffs: readonly FileDiff[], title?: string): string {
  let [added, removed] = [0, 0];
  for (const fileDiff of fileDiffs) {
    added += fileDiff.added;
    removed += fileDiff.removed;
  }
  if (title !== undefined) return formatSubject(op, [title], added, removed);
  const named = fileDiffs.length === 1 ? fileDiffs : withoutOverwritten(fileDiffs);
  const paths: string[] = [];
  for (const { path } of named) paths.push(path);
  const from = named.length === 1 ? named[0]!.from : null;
  return formatSubject(op, from === null ? paths : [from, ...paths], added, removed, from !== null);
}
