/**
 * The journal of one change: `<gitdir>/vedit/journal`, written before its first visible effect and removed after its
 * last one. Two lines: the JSON of a JournalEntry, and the git blob id of that line. A journal whose second line does
 * not fit was torn by a power cut before anything was published.
 */

import { createFile } from './durable.ts';
import { type Fs, orNull } from './fs.ts';
import type { Codec } from './objects/object.ts';

export interface JournalEntry {
  format: 1;
  /** What our own locks of git hold. */
  token: string;
  /** The ref that moves, by name, and by path of its file. */
  ref: string;
  refPath: string;
  /** `null`: the ref did not exist. */
  old: string | null;
  new: string;
  /** Every lock file of git that may be ours. */
  locks: string[];
  /** New objects that may not be durable elsewhere yet: id, and the loose object file in base64. */
  objects: Array<[oid: string, deflated: string]>;
  /** What the store needs (Staged.record). */
  store: unknown;
  /** On a checked-out branch: the entries of the index before and after. */
  index: JournalIndexEntry[] | null;
  /** Of a landing on the checked-out branch: how the index follows, however far it came. */
  landing?: JournalLanding;
}

/** The index follows a branch that moved, whoever made the commit. */
export interface JournalLanding {
  ref: string;
  /** The commit that the branch was at. */
  from: string | null;
  /** Entries that are not as that commit has them. */
  staged: JournalStaged[];
}

/** What an entry shall hold when the branch has moved; `branch`: what the branch then holds. */
export interface JournalStaged extends Pick<JournalIndexEntry, 'path' | 'before'> {
  after: JournalIndexEntry['after'] | 'branch';
}

export interface JournalIndexEntry {
  path: string;
  before: { mode: string; oid: string } | null;
  after: { mode: string; oid: string } | null;
}

export type JournalState = { kind: 'none' } | { kind: 'torn' } | { kind: 'whole'; entry: JournalEntry };

const name = (folder: string): string => `${folder}/journal`;
const draft = (folder: string): string => `${folder}/tmp/journal`;

/** Writes the journal's content durably, under another name; `publishJournal` makes it count. */
export async function draftJournal(fs: Fs, codec: Codec, folder: string, entry: JournalEntry): Promise<void> {
  await createFile(fs, draft(folder), await encode(codec, entry));
}

/** The journal counts from now on. Its folder must be synced before anything of the change is visible. */
export async function publishJournal(fs: Fs, folder: string): Promise<void> {
  await fs.rename(draft(folder), name(folder));
}

export async function readJournal(fs: Fs, codec: Codec, folder: string): Promise<JournalState> {
  const bytes = await orNull(fs.readFile(name(folder)));
  if (!bytes) return { kind: 'none' };
  const [json, sum] = new TextDecoder().decode(bytes).split('\n');
  if (!json || sum !== (await codec.hash('blob', new TextEncoder().encode(json)))) return { kind: 'torn' };
  return { kind: 'whole', entry: JSON.parse(json) as JournalEntry };
}

export async function removeJournal(fs: Fs, folder: string): Promise<void> {
  await orNull(fs.unlink(name(folder)));
}

async function encode(codec: Codec, entry: JournalEntry): Promise<Uint8Array> {
  const json = JSON.stringify(entry);
  const sum = await codec.hash('blob', new TextEncoder().encode(json));
  return new TextEncoder().encode(`${json}\n${sum}\n`);
}
