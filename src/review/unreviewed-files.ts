/** Reads the files of a review, with their hunks. */

import { isReadable } from '../engine/admission/policy/readable.ts';
import { fromTrail } from '../engine/context.ts';
import type { Author } from '../engine/rejections/people.ts';
import { standingRejections, type TextBack, textsBack } from '../engine/rejections/rejected-text.ts';
import type { LineEvent } from '../line/event.ts';
import { isPersons } from '../line/event.ts';
import type { LineFile } from '../line/files.ts';
import { presentLines } from '../line/rejected.ts';
import { lastText } from '../line/row.ts';
import { isBelow } from '../trail/changed-paths.ts';
import { readEntry } from '../trail/walk.ts';
import { openPaths, type ReadFiles, type Review, readFiles } from './accepted/accepted-text.ts';
import { NO_FILE, pathOf, type ReviewedFile, reviewedFiles } from './accepted/reviewed-file.ts';
import { Claims, readClaims } from './claims.ts';
import { HunkMaker, type UnreviewedFile, type WhoMade } from './hunks/unreviewed.ts';

/** The files of a review that were read: what is accepted may be changed in their rows, and their hunks asked for again. */
export class OpenFiles {
  readonly read: ReadFiles;
  /** Rejected text that is there again. */
  readonly back: TextBack[] = [];
  readonly #review: Review;
  readonly #only: string | undefined;
  readonly #maker: HunkMaker;

  private constructor(review: Review, only: string | undefined, read: ReadFiles, claims: Claims) {
    this.#review = review;
    this.#only = only || undefined;
    this.read = read;
    this.#maker = new HunkMaker(whoMade(review, read), claims);
  }

  /** Reads those of the files that may have something to review. `only`: below this path, as the history records it. */
  static async open(review: Review, only?: string): Promise<OpenFiles> {
    return OpenFiles.at(review, await openPaths(review, only), only);
  }

  /** Reads these files. */
  static async at(review: Review, paths: string[], only?: string): Promise<OpenFiles> {
    const read = await readFiles(review, paths);
    const isAsked = [...read.line.named.values()].some(
      ({ kind, byPerson }) => kind === 'outside' && byPerson === false,
    );
    const claims =
      isAsked || read.unrecorded.size > 0 ? await readClaims(review.snapshot.context) : new Claims();
    const files = new OpenFiles(review, only, read, claims);
    await files.#leaveRejected();
    await files.#acceptPeoples();
    return files;
  }

  /** The files with hunks, in the order of their paths. */
  async unreviewed(): Promise<UnreviewedFile[]> {
    const found: UnreviewedFile[] = [];
    for (const line of this.read.line.files)
      for (const file of await this.#filesOf(line)) {
        if (!isBelow(file.path, this.#only)) continue;
        const hunks = await this.#maker.hunksOf(file);
        if (hunks.length > 0) found.push({ ...file, hunks });
      }
    return found.sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  get maker(): HunkMaker {
    return this.#maker;
  }

  /** Rejected text that is in the files again is not accepted by that, whoever put it there. */
  async #leaveRejected(): Promise<void> {
    const { context } = this.#review.snapshot;
    for (const file of this.read.line.files) {
      const places = await standingRejections(context, this.read.line, file);
      for (const one of textsBack(places, presentLines(file.weave))) {
        this.back.push(one);
        const isPut = one.place.took.length > 0;
        for (const row of one.rows) {
          this.#maker.returned.add(row);
          row.accepted = isPut ? null : lastText(row);
        }
      }
    }
  }

  /** What people alone did is accepted, whoever asks. */
  async #acceptPeoples(): Promise<void> {
    for (const line of this.read.line.files)
      for (const file of await this.#filesOf(line)) await this.#maker.acceptPeoples(file);
  }

  async #filesOf(line: LineFile): Promise<ReviewedFile[]> {
    const { context } = this.#review.snapshot;
    const recorded = line.names.at(-1)!;
    const present = this.read.present.get(recorded);
    if (!present) return [];
    const nameOf = (path: string): string | null => fromTrail(context, path);
    const path = present.file ? pathOf(line) : recorded;
    const files = await reviewedFiles(context.objects, line, { path, side: present }, nameOf);
    return Promise.all(files.map(file => this.#asReadable(file)));
  }

  /** A file that may not be shown is one that is no text: it is accepted and rejected as a whole. */
  async #asReadable(file: ReviewedFile): Promise<ReviewedFile> {
    const { context } = this.#review.snapshot;
    if (await isReadable(context, await this.#review.snapshot.layers(), file.name)) return file;
    const [accepted, present] = [file.accepted, file.present].map(one =>
      one.file ? { ...one, text: null } : NO_FILE,
    );
    return {
      ...file,
      accepted: accepted!,
      present: present!,
      compared: null,
      changed: [file.line.weave.rows()],
    };
  }
}

function whoMade({ snapshot: { context } }: Review, { unrecorded }: ReadFiles): WhoMade {
  const known = new Map<string, Promise<Author>>();
  return async (event: LineEvent, path: string) => {
    if (event.kind === 'head' || event.at < 0) return undefined;
    if (event.id === '') return isPersons(event) ? null : (unrecorded.get(path) ?? null);
    const entry = known.get(event.id) ?? readEntry(context.objects, event.id);
    known.set(event.id, entry);
    return entry;
  };
}

/** Finds the files to review, in the order of their paths. `only`: below this path, as the history records it. */
export async function unreviewedFiles(review: Review, only?: string): Promise<UnreviewedFile[]> {
  return (await OpenFiles.open(review, only)).unreviewed();
}
