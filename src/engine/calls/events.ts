/**
 * Events of a workspace for those who listen: every edit, refusal, outside change and undo; reads where that is asked
 * for.
 */

import type { EditError } from '../../errors.ts';
import type { DonePath } from '../answer.ts';
import type { EditorFacts } from '../editor.ts';

/** The editor, in every event. */
export interface By extends EditorFacts {
  session: string;
  agent: string | undefined;
  model: string | undefined;
}

/** Ids and the reason that the caller gave with the call. */
export interface CallIds {
  /** The id of the tool call. */
  call: string | undefined;
  /** The caller's own id for the request. */
  edit_id: string | undefined;
  reason: string | undefined;
}

/** The fields of every event. */
export interface EventStart extends By, CallIds {
  /** The time of the event: ISO 8601, UTC. */
  time: string;
}

export type WorkspaceEvent = EventStart &
  (
    | {
        kind: 'edit' | 'undo';
        op: string;
        commit: string;
        subject: string;
        paths: string[];
        /** Each with the version to cite when it is saved next. */
        files: DonePath[];
        milliseconds: number;
      }
    | {
        /** A person accepted or rejected, or took that back. */
        kind: 'review';
        op: string;
        commit: string;
        subject: string;
        paths: string[];
        /** Those that hold something else now; of what was accepted none. */
        files: DonePath[];
      }
    | { kind: 'outside'; commit: string; paths: string[] }
    | { kind: 'refusal'; op: string; error: EditError; milliseconds: number }
    | { kind: 'read'; op: string; path: string | undefined; milliseconds: number }
    | { kind: 'open'; path: string }
  );
