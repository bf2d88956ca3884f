/** Options of a purge, and its answer. */

import type { Answer } from '../engine/answer.ts';
import { type CheckOptions, optionsCheck } from '../engine/calls/call-options.ts';
import * as option from '../engine/calls/option.ts';
import { counted, listedSome } from '../text/words.ts';
import { fieldName, pathName, shortId } from '../wording.ts';
import type { Holder, HolderKind } from './roots.ts';

export type { Holder, HolderKind };

export interface PurgeOptions {
  /** A file, or a folder with the files in it, whose text goes: every version that the histories have. */
  path?: string | undefined;
  /** A text that goes, wherever it stands; in place of a path. */
  text?: string | undefined;
  /** Kept in the history. */
  reason: string;
  /** Answer what would go, and what would still hold the text; change nothing. */
  dryRun?: boolean | undefined;
}

export const checkPurge: CheckOptions<PurgeOptions> = optionsCheck(
  { path: option.text, text: option.text, reason: option.requiredText, dryRun: option.flag },
  { path: 'config/key.pem', reason: 'a key' },
);

export interface PurgedTrail {
  ref: string;
  /** The newest commit before, and the one of the purge. */
  from: string;
  to: string;
  /** The signed statement of it, where the trail was signed before. */
  statement: string | null;
}

export interface PurgeData {
  /** The purged path as the trail records it; `null` where a text was purged. */
  path: string | null;
  reason: string;
  /** Commits that were rewritten, of all histories. */
  commits: number;
  /** Contents of files that were replaced. */
  versions: number;
  /** The files that they are of, as far as the histories name them. */
  files: string[];
  trails: PurgedTrail[];
  /** Refs of the engine that went: copies of what a server has, which the next fetch brings again. */
  deleted_refs: string[];
  /** Objects that were taken out of the object store, and packs that were made anew for it. */
  removed: number;
  packs: number;
  /** Files of the engine that were changed or removed, below git's folder. */
  cleaned: string[];
  /** Objects and files that could not be read, each with why. */
  unread: string[];
  /** Where the text still is, and the command that takes it away from there. */
  held: Holder[];
  dry_run?: true;
}

function nothingWords(path: string | null): string {
  if (path === null) return 'No history holds it.';
  return `No history has a file ${pathName(path)}: a path was looked for. To look for a text, give it as ${fieldName('text')}.`;
}

/** Puts the outcome into words. */
export function purgeWords(data: PurgeData): Answer<PurgeData> {
  const { commits, versions, files, trails, deleted_refs, unread, held, dry_run } = data;
  const would = dry_run ? 'would be ' : '';
  const of = files.length > 0 ? ` of ${listedSome(files)}` : '';
  const what = `${counted(versions, 'version')}${of} ${would}replaced, ${counted(commits, 'commit')} ${would}rewritten`;
  const lines = [
    commits === 0 ? nothingWords(data.path) : `${what}.`,
    ...trails.map(({ ref, from, to, statement }) => {
      const signed = statement === null ? '' : ', and that is signed';
      return `${ref}: ${shortId(from)}${dry_run ? ' would be rewritten' : ` is ${shortId(to)} now${signed}`}`;
    }),
    ...deleted_refs.map(ref => `${would}deleted: ${ref}, a copy of what the server has`),
  ];
  if (!dry_run) lines.push(...removedWords(data));
  if (unread.length > 0) lines.push(`Not to be read: ${listedSome(unread)}`);
  lines.push(...otherCopiesWords(data));
  if (!dry_run && commits > 0 && held.length + unread.length === 0)
    lines.push('It is nowhere in this repository any more.');
  return { message: lines.join('\n'), data };
}

function removedWords({ removed, packs, cleaned: { length: files } }: PurgeData): string[] {
  if (removed + files === 0) return [];
  const packed = `${counted(packs, 'pack')} made anew`;
  return [`${counted(removed, 'object')} removed, ${packed}, ${counted(files, 'file')} of vedit cleaned.`];
}

/** The most holders that are named in words. */
const NAMED = 40;

function otherCopiesWords({ held, commits }: PurgeData): string[] {
  const later = 'Who has cloned or fetched it has it still: change the secret itself.';
  if (held.length === 0) return commits > 0 ? [later] : [];
  const more = held.length - NAMED;
  return [
    'It is still in what is not vedit’s, which stays as it is. To take it away there:',
    ...held.slice(0, NAMED).map(({ kind, name, command }) => `  ${kind} ${name}: ${command}`),
    ...(more > 0 ? [`  [and ${more} more]`] : []),
    ...(held.some(({ kind }) => kind === 'file')
      ? ['A file that still holds the text is recorded again by the next edit.']
      : []),
    later,
  ];
}
