/** A plan: contents that files shall have, what history says of it, and the change of each file that comes of it. */

import type { EditError } from '../../errors.ts';
import type { TrailMeta } from '../../history/message.ts';
import type { StoreChange, StoredFile } from '../../stores/store.ts';
import type { EditAbout } from '../answer.ts';
import type { Move } from '../file-diffs.ts';

/** A content; `over`: a recorded text that comes back, over which git would record the same again. */
export type Target = Pick<StoredFile, 'bytes' | 'mode'> & { over?: StoredFile };

/** The change that an edit, or a way back, asks for. */
export interface Planned {
  /** By real path of the workspace; `null` is no file. */
  targets: ReadonlyMap<string, Target | null>;
  moves: readonly Move[];
  inPlace?: InPlace;
  /**
   * The files that cannot be planned, and the refusal. No file is changed then; it is thrown once a claim about the
   * base was held against these paths.
   */
  conflict?: { paths: readonly string[]; error: EditError };
  /** Trailers beyond those that every commit has. */
  meta?: Partial<TrailMeta>;
  /** The word for the change in the subject and the answer, where that is not the operation. */
  word?: string;
  /** Notes for the answer: what was put up with, and what was not covered. */
  notes?: readonly string[];
  /** The edits that a way back is about, for the answer. */
  edits?: readonly EditAbout[];
  /** Files whose whole text the request gave. */
  written?: ReadonlySet<string> | undefined;
}

/** Files that somebody has changed already, by real path: what they hold is recorded, and nothing is written to them. */
export interface InPlace {
  paths: readonly string[];
  /** The author of the work: the session, not the session, the person, or nobody, made while the call ran. */
  as: 'edit' | 'outside' | 'person' | 'during';
  /** The content of the only path before the edit and after it, whatever it holds now. */
  told?: RecordedVersions;
  /** The result, where that was worked out already. */
  drafted?: readonly DraftedChange[];
}

/** The contents of a file before and after an edit of a tool; `null` is no file. */
export interface RecordedVersions {
  was: StoredFile | null;
  became: StoredFile | null;
}

/** A change of a file, and what git would record of the file before and after it. */
export interface DraftedChange extends StoreChange {
  recorded: { before: StoredFile | null; after: StoredFile | null };
  /** True when the file holds it already. */
  inPlace?: true;
}
