/** From planned file contents to commits, in memory: outside changes first, each edit's commit exactly the edit. */

import { shownName } from '../../c-quote.ts';
import { EditError } from '../../errors.ts';
import type { Identity } from '../../git/objects/commit.ts';
import type { EncodedObject } from '../../git/objects/object.ts';
import { lookup } from '../../git/objects/tree.ts';
import { isTree, type TreeRef } from '../../git/objects/tree-entries.ts';
import { appendCommit } from '../../history/append.ts';
import { formatMessage, formatSubject, formatTitle, LINE, type TrailMeta } from '../../history/message.ts';
import { plainEntry, type Recorded, sameRecorded } from '../../history/steps.ts';
import { isOutside, isShell, isWayBack, operationOf, withoutOverwritten } from '../../operations.ts';
import type { StoredFile } from '../../stores/store.ts';
import { listedSome } from '../../text/words.ts';
import { ifTool } from '../../wording.ts';
import { admit } from '../admission/admit.ts';
import type { Made } from '../answer.ts';
import { toTrail } from '../context.ts';
import { type FileDiff, fileDiffsOf } from '../file-diffs.ts';
import { formTrailers, isFormOf } from '../files/exact-bytes.ts';
import type { Snapshot } from '../files/snapshot.ts';
import { author, committer, outsideAuthor } from '../identity.ts';
import type { Beside } from '../origins/origins.ts';
import { indexEntry } from '../transaction/index-step.ts';
import type { IndexEdit } from '../transaction/journal/record.ts';
import { approvedReason } from './approval.ts';
import { draftedChanges, entryOf } from './drafted-change.ts';
import type { DraftedChange, InPlace, Planned } from './planned.ts';
import type { ChangeRequest } from './request.ts';

/** A change that is ready to be published, with the commits that it makes, and what it was planned on. */
export interface Draft extends Made {
  snapshot: Snapshot;
  objects: readonly EncodedObject[];
  changes: readonly DraftedChange[];
  index: IndexEdit[] | null;
}

/** Throws the conflict of the plan, SECRET, NO_CHANGE when every target is what is there already, STALE when outside changes are refused. */
export async function draft(snapshot: Snapshot, planned: Planned, request: ChangeRequest): Promise<Draft> {
  if (planned.conflict) throw planned.conflict.error;
  const found = await draftedChanges(snapshot, planned);
  const { changes, ...admitted } = await admit({ snapshot, changes: found, request }, planned);
  const commits = new CommitChain(snapshot, request, planned.inPlace);
  const index = snapshot.trail.checkedOut ? await indexEdits(snapshot, changes) : null;
  if (index) await commits.recordStaged(index, changes);
  const below = commits.parent;
  await commits.recordOutside(changes);
  const { parent, outside, objects } = commits;
  const fileDiffs = fileDiffsOf(changes, planned.moves);
  const { edits, written, word } = planned;
  const notes = [...(planned.notes ?? []), ...admitted.notes];
  const trail = snapshot.trail.ref;
  const made = { snapshot, trail, changes, fileDiffs, index, objects, notes, edits, written, op: request.op };
  if (planned.inPlace && planned.inPlace.as !== 'edit') {
    const subject = outsideSubject('outside', outside!.paths);
    return { ...made, commit: parent!, parent: below, outside: null, subject };
  }
  const op = operationOf(request.op, fileDiffs);
  const { paths, isMove } = namesIn(fileDiffs);
  let [added, removed] = [0, 0];
  for (const fileDiff of fileDiffs) {
    added += fileDiff.added;
    removed += fileDiff.removed;
  }
  const subject = formatSubject(word ?? op, paths, added, removed, isMove);
  const byPerson = request.editor.person !== undefined;
  const putBack = byPerson ? [] : await rejectedPutBack(snapshot, planned, { fileDiffs, changes });
  const { beforeCommit, patience } = snapshot.context;
  const hooks = [beforeCommit, request.beforeCommit].filter(hook => hook !== undefined);
  const reason =
    hooks.length > 0
      ? await approvedReason(hooks, { ...request, op }, { subject, fileDiffs }, patience.engine)
      : request.reason;
  const meta = { reason, op, ...admitted.meta, ...planned.meta };
  // What a command did is called so, and what goes back by its word: neither is told by a reason alone.
  const isNamed = word !== undefined || isWayBack(op) || isShell(op);
  const title =
    reason && !isNamed
      ? formatTitle(
          reason,
          paths.map(path => toTrail(snapshot.context, path)),
          isMove,
        )
      : null;
  const commit = await commits.recordEdit(title ?? subject, changes, meta);
  notes.push(...putBack);
  return { ...made, op, tool: word ?? request.op, commit, parent, outside, subject: title ?? subject };
}

/** Judges what an agent puts back of what a person rejected, and answers notes on it. Throws REJECTED. */
async function rejectedPutBack(
  snapshot: Snapshot,
  { inPlace }: Planned,
  change: Pick<Draft, 'fileDiffs' | 'changes'>,
): Promise<string[]> {
  const { rejections: rejected } = await snapshot.context.rejections.read();
  if (rejected.length === 0) return [];
  const { checkPutBack } = await import('../rejections/put-back.ts');
  const isDone = inPlace !== undefined;
  return checkPutBack(snapshot, { ...change, rejected, isDone });
}

type Message = Omit<TrailMeta, 'head' | 'branch' | 'line'> & { subject: string; reason?: string | undefined };

/** Commits on top of each other, not written yet. */
class CommitChain {
  readonly objects: EncodedObject[] = [];
  outside: Draft['outside'] = null;
  parent: string | null;
  #tree: string | null;
  readonly #snapshot: Snapshot;
  readonly #request: ChangeRequest;
  readonly #inPlace: InPlace | undefined;

  constructor(snapshot: Snapshot, request: ChangeRequest, inPlace?: InPlace) {
    this.#snapshot = snapshot;
    this.#request = request;
    this.#inPlace = inPlace;
    this.parent = snapshot.trail.parent;
    this.#tree = snapshot.trail.tree;
  }

  /** Records text that the person staged and the file no longer holds, before its index entry is replaced. */
  async recordStaged(index: readonly IndexEdit[], changes: readonly DraftedChange[]): Promise<void> {
    const staged = new Map<string, TreeRef | null>();
    for (const [n, { path, before }] of index.entries()) {
      const change = changes[n]!;
      const known = [(await this.#recorded(change.path))?.oid, change.recorded.before?.version];
      if (before && !known.includes(before.oid)) staged.set(path, before);
    }
    if (staged.size > 0) await this.#commitOutside(staged, 'staged');
  }

  /** Records what the files hold and the trail does not. Throws STALE where the workspace refuses such files. */
  async recordOutside(changes: readonly DraftedChange[]): Promise<void> {
    const { context } = this.#snapshot;
    const found = new Map<string, TreeRef | null>();
    const come: Array<{ path: string; file: StoredFile }> = [];
    const held: DraftedChange[] = [];
    for (const { path, recorded, ...exact } of changes) {
      const { before } = recorded;
      const known = await this.#recorded(path);
      if (sameRecorded(plainEntry(known), entryOf(before))) continue;
      if (before && !known) come.push({ path, file: before });
      found.set(toTrail(context, path), entryOf(before));
      const isNow = exact.inPlace && this.#inPlace?.as !== 'edit';
      held.push({
        path,
        before: null,
        after: isNow ? exact.after : exact.before,
        recorded: { before: null, after: before },
      });
      if (before) this.objects.push(await context.codec.encode('blob', before.bytes));
    }
    if (found.size === 0) return;
    if (context.outside === 'refuse') throw outsideRefused(this.#snapshot, [...found.keys()]);
    const { forms = [] } = await formTrailers(this.#snapshot, held);
    // Files that somebody moved here: the old name goes in the same commit, so that each line stays its writer's.
    const isMoved = come.length > 0 && !this.#snapshot.trail.checkedOut;
    const moved = isMoved
      ? await (await import('../files/outside.ts')).movedFiles(this.#snapshot, come)
      : undefined;
    await this.#commitOutside(found, 'outside', moved, forms);
  }

  async recordEdit(
    subject: string,
    changes: readonly DraftedChange[],
    extra: Omit<Message, 'subject' | 'paths'>,
  ): Promise<string> {
    const { context, trail } = this.#snapshot;
    const entries = new Map<string, TreeRef | null>();
    for (const { path, recorded, inPlace } of changes) {
      const { after } = recorded;
      entries.set(toTrail(context, path), entryOf(after));
      // The version of a text that the engine made is its own hash; of a file in place a store said it.
      const oid = inPlace ? undefined : after?.version;
      if (after) this.objects.push(await context.codec.encode('blob', after.bytes, oid));
    }
    const { editor, base, call, editId, editHash } = this.#request;
    const paths = [...entries.keys()];
    const forms = await formTrailers(this.#snapshot, changes);
    const message = { subject, paths, base, ...editor, call, editId, editHash, ...extra, ...forms };
    return this.#append(entries, message, author(context, editor, trail.checkedOut));
  }

  /** Makes one commit for each author of the changes. `moved`: the old names that go with new ones. */
  async #commitOutside(
    entries: ReadonlyMap<string, TreeRef | null>,
    word: string,
    moved: ReadonlyMap<string, string> = new Map(),
    forms: readonly string[] = [],
  ): Promise<void> {
    const { context, trail } = this.#snapshot;
    const { groupedByOrigin, originMeta } = await import('../origins/origins.ts');
    const left = new Set(moved.values());
    const own = new Map([...entries].filter(([path]) => !left.has(path)));
    const origins = await groupedByOrigin(context, own, { parent: trail.parent, beside: this.#beside() });
    for (const { changes, evidence } of origins) {
      for (const [to, from] of moved) if (changes.has(to)) changes.set(from, null);
      const paths = [...changes.keys()];
      const of = forms.filter(one => paths.some(path => isFormOf(one, path)));
      const about = { ...originMeta(evidence), ...(of.length > 0 && { forms: of }) };
      const message = { subject: outsideSubject(word, paths), op: 'outside', paths, ...about };
      const commit = await this.#append(changes, message, outsideAuthor(context, evidence.by));
      this.outside = { commit, paths: [...new Set([...(this.outside?.paths ?? []), ...paths])] };
    }
  }

  /** Returns the call that what is recorded here is about, or the person, of whom it is known; `null`: neither. */
  #beside(): Beside | 'person' | null {
    const { call, editor, op } = this.#request;
    if (!this.#inPlace) return null;
    const { as, told } = this.#inPlace;
    if (as === 'person') return as;
    const place = as === 'during' ? 'during' : as === 'outside' ? 'after' : told ? 'before' : null;
    if (place === null || call === undefined) return null;
    return { place, call, session: editor.session, agent: editor.agent ?? '', tool: op };
  }

  async #append(
    changes: Map<string, TreeRef | null>,
    { subject, reason, ...meta }: Message,
    who: Identity,
  ): Promise<string> {
    const { objects, identity } = this.#snapshot.context;
    const { trail } = this.#snapshot;
    // A trail beside the branch remembers where HEAD stood, and in its first commit that it began there.
    const head = (!trail.checkedOut && trail.head) || undefined;
    const branch = (!trail.checkedOut && trail.branch) || undefined;
    const begins = !trail.checkedOut && trail.tip === null && this.parent === trail.parent;
    const at = { committer: identity.committer?.email, head, branch, line: begins ? LINE : undefined };
    const own = isOutside(meta.op) ? undefined : this.#request.editor.trailers;
    const appended = await appendCommit(objects, {
      parents: this.parent ? [this.parent] : [],
      tree: this.#tree,
      changes,
      message: formatMessage(subject, reason, { ...meta, ...at }, identity.trailers, own),
      author: who,
      committer: committer(this.#snapshot.context),
    });
    this.objects.push(...appended.objects);
    this.parent = appended.oid;
    this.#tree = appended.tree;
    return appended.oid;
  }

  /** Returns what the newest of the commits holds at a path of the workspace; a folder there is nothing. */
  async #recorded(path: string): Promise<Recorded> {
    const { context, trail } = this.#snapshot;
    const isNew = this.#tree !== null && this.#tree !== trail.tree;
    const recorded = isNew
      ? await lookup(context.objects, this.#tree!, toTrail(context, path))
      : await this.#snapshot.recorded(path);
    return recorded && isTree(recorded.mode) ? null : recorded;
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

async function indexEdits(
  snapshot: Snapshot,
  changes: readonly DraftedChange[],
): Promise<IndexEdit[] | null> {
  const { context } = snapshot;
  if (context.repo.bare || !context.store.separate) return null;
  await context.index.assertWhole();
  const index = await context.index.read();
  return changes.map(change => {
    const path = toTrail(context, change.path);
    return { path, before: indexEntry(index, path), after: entryOf(change.recorded.after) };
  });
}

/** The paths that a commit is called by; of a move alone both, the old one first. */
function namesIn(fileDiffs: readonly FileDiff[]): { paths: string[]; isMove: boolean } {
  const named = fileDiffs.length === 1 ? fileDiffs : withoutOverwritten(fileDiffs);
  const paths = named.map(({ path }) => path);
  const from = named.length === 1 ? named[0]!.from : null;
  return from === null ? { paths, isMove: false } : { paths: [from, ...paths], isMove: true };
}
