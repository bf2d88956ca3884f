/** Judges files: what became of each line that their edits put in or took out, and which commit of HEAD brought an edit. */

import { isAncestor } from '../../git/rev-list.ts';
import { withoutMarks } from '../../trail/history/rejected.ts';
import { fatesIn, type Present, type RowFate } from '../../trail/history/status.ts';
import { type FileHistory, fileHistories, type HistoryQuery } from '../../trail/history/versions.ts';
import type { WovenRow } from '../../trail/history/weave.ts';
import type { Snapshot } from '../files/snapshot.ts';
import {
  historyQuery,
  type OpenRejection,
  openRejections,
  type ReturnedText,
  returnedTexts,
} from '../rejections/open-rejections.ts';
import { firstWith } from './landed-on-branches.ts';
import { TextsElsewhere } from './other-texts.ts';
import type { PresentRows, PresentTexts, TakenNames } from './present-rows.ts';

export interface JudgedFile {
  history: FileHistory;
  texts: PresentTexts;
  head: ReadonlySet<WovenRow>;
  fates: ReadonlyMap<string, RowFate[]>;
  /** Where people rejected text, and what of it the file holds again. */
  rejected: readonly OpenRejection[];
  returned: readonly ReturnedText[];
}

export class FileJudge {
  readonly #snapshot: Snapshot;
  readonly #rows: PresentRows;
  readonly #elsewhere: TextsElsewhere;
  /** Commits that the trail saw as HEAD, and whether HEAD's history still has them. */
  readonly #inHead = new Map<string, Promise<boolean>>();

  constructor(snapshot: Snapshot, rows: PresentRows) {
    this.#snapshot = snapshot;
    this.#rows = rows;
    this.#elsewhere = new TextsElsewhere(snapshot);
  }

  /** Judges all files that ever had one of these names, by their histories as far back as is asked. */
  async filesOf(paths: readonly string[], back: Pick<HistoryQuery, 'since'>): Promise<JudgedFile[]> {
    const query = { ...historyQuery(this.#snapshot), ...back };
    const histories = await fileHistories(this.#snapshot.context.objects, query, paths);
    const taken = new Set(histories.map(({ names }) => names.at(-1)!));
    // Files of one folder are read one after the other, while it is open.
    const byName = (a: FileHistory, b: FileHistory): number => (a.names.at(-1)! < b.names.at(-1)! ? -1 : 1);
    const judged: JudgedFile[] = [];
    for (const history of histories.sort(byName)) judged.push(await this.#judge(history, taken));
    return judged;
  }

  async #judge(history: FileHistory, taken: TakenNames): Promise<JudgedFile> {
    const { weave, seen } = history;
    const texts = await this.#rows.of(history, taken);
    const file = weave.place(texts.file);
    const head = weave.place(texts.head).held;
    const present: Present = { file, head, seen, elsewhere: [] };
    const fates = fatesIn(weave, present);
    const rejected = await openRejections(this.#snapshot, history);
    const text = rejected.length === 0 ? null : withoutMarks({ lines: texts.file, rows: file.rows });
    const returned = text ? await returnedTexts(this.#snapshot.context, weave, rejected, text) : [];
    const judged = { history, texts, head, rejected, returned };
    const isLost = [...fates.values()].some(some => some.some(({ word }) => word === 'taken back by hand'));
    if (!isLost || !(await this.#rows.doFilesTell())) return { ...judged, fates };
    const elsewhere = await this.#elsewhere.of(history);
    return { ...judged, fates: fatesIn(weave, { ...present, elsewhere }) };
  }

  /** Finds the oldest commit of HEAD's history that has what the edit did, after the trail saw a HEAD without it. `then`: HEAD when it was made. */
  async landedIn(
    commit: string,
    then: string | undefined,
    files: readonly JudgedFile[],
  ): Promise<string | null> {
    const { trail, context } = this.#snapshot;
    const { objects } = context;
    // A commit that was there before the edit did not bring it.
    const isOlder = async (one: string): Promise<boolean> =>
      then !== undefined && (await isAncestor(objects, one, then));
    for (const { history, head, fates } of files) {
      const mine = fates.get(commit)!.filter(({ word }) => word !== 'nothing left' && word !== 'unknown');
      if (mine.length === 0) continue;
      const [{ step }] = mine as [RowFate];
      const has = (held: ReadonlySet<WovenRow>): boolean =>
        mine.some(({ row, effect }) => held.has(row) === (effect === 'put in'));
      let without: string | null = null;
      let found: string | null = null;
      for (const seen of history.seen) {
        const isIn = seen.step > step && has(seen.held);
        if (isIn && seen.commit !== null && (await this.#isInHead(seen.commit))) found = seen.commit;
        if (found !== null) break;
        if (!isIn) without = seen.commit;
      }
      if (found === null && has(head)) found = trail.head;
      if (found !== null && !(await isOlder(found)))
        return firstWith(context, history, has, { newest: found, without });
    }
    return null;
  }

  /** False for what was amended, rebased or reset away. */
  async #isInHead(commit: string): Promise<boolean> {
    const { context, trail } = this.#snapshot;
    if (trail.head === null) return false;
    if (!this.#inHead.has(commit)) this.#inHead.set(commit, isAncestor(context.objects, commit, trail.head));
    return this.#inHead.get(commit)!;
  }
}
