/**
 * Between the files and the trail: a file's exact bytes are what an agent sees and edits, and what git would record of
 * them is what the trail holds. Git converts encodings and line ends, may not trust execute bits, and may run filters,
 * which is refused.
 */

import { fromLatin1, indexOfByte, latin1 } from '../../bytes.ts';
import type { FileMode } from '../../edits/edit.ts';
import { EditError, isEditError } from '../../errors.ts';
import { layered } from '../../git/repository/config.ts';
import { type Attributes, NO_ATTRIBUTES } from '../../git/rules/attributes.ts';
import {
  type LineEndConfig,
  type LineEndRule,
  lineEndConfig,
  lineEndRule,
  lostLineEnds,
  toRecorded,
  toWorkTree,
} from '../../git/rules/line-end-filter.ts';
import { attributesOf } from '../../git/rules/path-rules.ts';
import type { Recorded } from '../../history/steps.ts';
import type { StoredFile } from '../../stores/store.ts';
import { lineDiff, splitLines } from '../../text/diff/line-diff.ts';
import { encodingOf, isNoText } from '../../text/document.ts';
import { ENCODINGS, encodingsOf, UTF8 } from '../../text/encodings.ts';
import { fittedSpan } from '../../text/line-ends.ts';
import { linesOf } from '../../text/lines.ts';
import { applySpans } from '../../text/spans.ts';
import { listed } from '../../text/words.ts';
import { pathName } from '../../wording.ts';
import { type Context, toTrail } from '../context.ts';
import { ENCODING, fromEncoded, type GitEncoding, gitEncoding, notGits, toEncoded } from './git-encoding.ts';

/** The recorded file at a path when another comes to be recorded over it. */
export interface Over {
  mode: string;
  bytes(): Promise<Uint8Array> | Uint8Array;
}

/** A text that a file had: the lines with their line ends, and as git recorded them. */
export interface Known {
  exact: Uint8Array;
  plain: Uint8Array;
}

/** The rules as they are at one moment. Paths are those of the workspace. */
export class Conversion {
  readonly #context: Context;
  readonly #attributes: Attributes;
  readonly #isPlanned: boolean;
  readonly #config: LineEndConfig;
  readonly #trustsModes: boolean;

  /** `planned`: the texts that attribute files are about to have, by path of the work tree; `null` is no file. */
  constructor(context: Context, planned?: ReadonlyMap<string, string | null>) {
    this.#context = context;
    const { repo, attributesFiles, encodings, userConfig, windows } = context;
    this.#attributes = planned ? attributesOf(repo, attributesFiles, planned) : encodings.renew();
    this.#isPlanned = planned !== undefined;
    const config = layered(repo.config, userConfig);
    this.#config = lineEndConfig(config, windows);
    this.#trustsModes = config.bool('core.filemode', true);
  }

  /**
   * Throws FILTERED_PATH when git would record what a filter (`filter`, `ident`) makes of the file, or an encoding that is not known;
   * ENCODING when `file` has not the encoding that git takes it to have.
   */
  async check(path: string, file?: StoredFile): Promise<void> {
    if (!this.#isConverted()) return;
    const values = await this.#attributes.of(toTrail(this.#context, path));
    if (values === NO_ATTRIBUTES) return;
    const { filter = false, ident = false } = values;
    const active = filter !== false ? 'filter' : ident !== false ? 'ident' : null;
    const gits = active ? null : await gitEncoding(values);
    const attribute = active ?? (gits && !gits.declared ? ENCODING : null);
    if (gits && file && fromEncoded(gits, file.bytes) === null) throw notGits(path, gits.label);
    if (attribute === null) return;
    const value = values[attribute] === true ? attribute : `${attribute}=${values[attribute]}`;
    const known =
      attribute === ENCODING ? `, or give it an encoding that is known: ${ENCODINGS}, and others` : '';
    throw new EditError(
      'FILTERED_PATH',
      `.gitattributes gives ${pathName(path)} the attribute ${value}, so git records other bytes than the file holds. Edit it with git's own tools${known}.`,
      { path, attribute },
    );
  }

  /**
   * The refusal of a file that is no text, with the encodings in which it would be one; FILTERED_PATH where git gives it
   * one that is not known. Any other error as it is.
   */
  async explained(error: unknown, shown?: StoredFile): Promise<unknown> {
    if (!isNoText(error) || error.code === 'ENCODING') return error;
    const path = String(error.data.path);
    const refusal = await this.check(path).catch((one: unknown) => one);
    if (isEditError(refusal, 'FILTERED_PATH') && refusal.data.attribute === ENCODING) return refusal;
    const file = shown ?? (await this.#context.store.read(path).catch(() => null));
    const encodings = file ? await encodingsOf(file.bytes) : [];
    if (encodings.length === 0) return error;
    const words = `${EditError.wording(error)} All of its bytes mean something in ${listed(encodings)}: look which is right.`;
    return new EditError(error.code, words, { ...error.data, encodings }, { cause: error });
  }

  /** True where git records the file as it is, whatever was recorded before; false says nothing. */
  isPlain({ bytes }: StoredFile): boolean {
    if (!this.#isConverted()) return true;
    const isUtf8 = encodingOf(bytes) === UTF8 && !this.#isPlanned;
    return isUtf8 && this.#trustsModes && indexOfByte(bytes, CR) < 0;
  }

  /** The file as git would record it; the same object when that is what it is. `version` is the recorded blob's id. */
  async recorded(path: string, file: StoredFile, over: Over | null): Promise<StoredFile> {
    if (this.isPlain(file)) return file;
    const mode = this.#trustsModes ? file.mode : plainMode(over?.mode);
    const bytes = await this.#recordedBytes(path, file.bytes, over);
    if (bytes !== file.bytes) return { bytes, mode, version: await this.#context.codec.hash('blob', bytes) };
    return mode === file.mode ? file : { ...file, mode };
  }

  /** True when git would take the content of the file for the recorded one. */
  async holds(path: string, file: StoredFile | null, recorded: Recorded): Promise<boolean> {
    if (!file || !recorded) return !file && !recorded;
    if (file.version === recorded.oid) return true;
    return (await this.recorded(path, file, overRecorded(this.#context, recorded))).version === recorded.oid;
  }

  /** True when the file's content and execute bit are as recorded. */
  async isRecorded(path: string, file: StoredFile | null, recorded: Recorded): Promise<boolean> {
    if (!(await this.holds(path, file, recorded))) return false;
    if (!file || file.mode === '120000') return recorded?.mode === file?.mode;
    return !this.#trustsModes || file.mode === plainMode(recorded!.mode);
  }

  /** Returns the recorded file as a checkout would write it. */
  async checkedOut(path: string, recorded: StoredFile, like: Uint8Array | null = null): Promise<StoredFile> {
    const plain = toWorkTree(await this.#rule(path), recorded.bytes);
    const bytes = toEncoded(await this.encoding(path), { path, plain, like });
    if (bytes === recorded.bytes) return recorded;
    return { ...recorded, bytes, version: await this.#context.codec.hash('blob', bytes) };
  }

  /**
   * Returns what the file `now` becomes where `recorded` is to be recorded of it in place of `over`: lines that stay
   * keep their line ends, those of a known text get the ones that they had, others those of their place.
   */
  async onto(
    path: string,
    now: StoredFile | null,
    over: Over | null,
    recorded: StoredFile,
    known: readonly Known[] = [],
  ): Promise<StoredFile> {
    const gits = await this.encoding(path);
    const exactly = now && fromEncoded(gits, now.bytes);
    if (!exactly || indexOfByte(exactly, LF) < 0) return this.checkedOut(path, recorded, now?.bytes);
    const kept = await this.recorded(path, now, over);
    if (kept.bytes === now.bytes && known.length === 0) return recorded;
    const put = fromLatin1(withLineEndsOf({ exact: exactly, plain: kept.bytes }, known, recorded.bytes));
    const bytes = toEncoded(gits, { path, plain: put, like: now.bytes });
    const version = await this.#context.codec.hash('blob', bytes);
    const file: StoredFile = { ...recorded, bytes, version };
    const back = await this.recorded(path, file, overFile(kept));
    return back.version === recorded.version ? file : this.checkedOut(path, recorded, now.bytes);
  }

  /** Throws FILTERED_PATH when core.safecrlf makes git refuse to record the file; `null` where it is not set. */
  checkLineEnds(path: string, file: StoredFile, recorded: StoredFile): Promise<void> | null {
    return this.#config.safe && this.#isConverted() ? this.#checkSafe(path, file, recorded) : null;
  }

  async #checkSafe(path: string, file: StoredFile, recorded: StoredFile): Promise<void> {
    const lost = lostLineEnds(await this.#rule(path), file.bytes, file.bytes !== recorded.bytes);
    if (lost === null) return;
    const other = lost === 'LF' ? 'CRLF' : 'LF';
    throw new EditError(
      'FILTERED_PATH',
      `core.safecrlf is true, and the ${lost} line ends of ${pathName(path)} would be ${other} after a checkout, so git refuses to record the file. Give it ${other} line ends, or change core.safecrlf.`,
      { path, line_ends: lost },
    );
  }

  /** Files that live in the trail alone are what is recorded of them. */
  #isConverted(): boolean {
    return this.#context.repo.workDir !== null;
  }

  async #rule(path: string): Promise<LineEndRule | null> {
    if (!this.#isConverted()) return null;
    return lineEndRule(await this.#attributes.of(toTrail(this.#context, path)), this.#config);
  }

  /** True where git records all files at this path byte for byte, and a checkout writes them so. */
  async isByteForByte(path: string): Promise<boolean> {
    return (await this.#rule(path)) === null && (await this.encoding(path)) === null;
  }

  /** The encoding from which git converts the file; `null`: none. */
  async encoding(path: string): Promise<GitEncoding | null> {
    return this.#isConverted() ? gitEncoding(await this.#attributes.of(toTrail(this.#context, path))) : null;
  }

  /** Attributes matter only where there is a CR to take away, or an encoding. */
  async #recordedBytes(path: string, exact: Uint8Array, over: Over | null): Promise<Uint8Array> {
    const isUtf8 = encodingOf(exact) === UTF8 && !this.#isPlanned;
    const bytes = isUtf8 ? exact : (fromEncoded(await this.encoding(path), exact) ?? exact);
    if (indexOfByte(bytes, CR) < 0) return bytes;
    return toRecorded(await this.#rule(path), bytes, async () => (over ? over.bytes() : null));
  }
}

const [LF, CR] = [10, 13];

/** Makes something to record over of a recorded entry; `null` for anything but a regular file. */
export function overRecorded(context: Context, recorded: Recorded): Over | null {
  if (!recorded?.mode.startsWith('100')) return null;
  return {
    mode: recorded.mode,
    bytes: async () => (await context.objects.read(recorded.oid, 'blob')).content,
  };
}

export function overFile(file: StoredFile | null): Over | null {
  return file && { mode: file.mode, bytes: () => file.bytes };
}

/** Returns the mode as git's index has it: old repositories hold 100664 for a regular file. */
export function plainMode(mode: string | undefined): FileMode {
  return mode === '100755' ? '100755' : '100644';
}

/**
 * Returns `target` with the line ends of the file that is there, line by line; lines that it does not have get those of the
 * first known text that has them, else of their place.
 */
function withLineEndsOf(present: Known, known: readonly Known[], to: Uint8Array): string {
  const [exact, plain, target] = [latin1(present.exact), latin1(present.plain), latin1(to)];
  const lines = linesOf(exact);
  const fresh = splitLines(target);
  const changes = lineDiff(plain, target);
  const spans = changes.flatMap(change => {
    const put = fresh.slice(change.newStart, change.newEnd).join('');
    return fittedSpan(lines, lines.offset(change.oldStart + 1), lines.offset(change.oldEnd + 1), put) ?? [];
  });
  const made = splitLines(applySpans(exact, spans));
  const open = new Set<number>();
  for (const { newStart, newEnd } of changes) for (let n = newStart; n < newEnd; n++) open.add(n);
  for (const one of known)
    for (const [n, line] of commonLines(one, target)) if (open.delete(n)) made[n] = line;
  return made.join('');
}

/** The lines of `target` that a known text has, by their number in `target`, as they were in the file. */
function commonLines({ exact, plain }: Known, target: string): Map<number, string> {
  const old = splitLines(latin1(exact));
  const found = new Map<number, string>();
  let [from, to] = [0, 0];
  const end = { oldStart: old.length, oldEnd: 0, newStart: 0, newEnd: 0 };
  for (const { oldStart, oldEnd, newEnd } of [...lineDiff(latin1(plain), target), end]) {
    for (; from < oldStart; from++) found.set(to++, old[from]!);
    [from, to] = [oldEnd, newEnd];
  }
  return found;
}
