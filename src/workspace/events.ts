/** What a workspace tells those who listen: every edit, refusal, outside change and undo. */

import type { EditError } from '../errors.ts';
import type { DonePath } from './answer.ts';
import type { Person } from './editor.ts';

/** Who did it, of every event. */
export interface By {
  session: string;
  agent: string | undefined;
  model: string | undefined;
  /** Who it is, where it is a person and not an agent. */
  person?: Person;
}

export type WorkspaceEvent = By &
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
    | { kind: 'outside'; commit: string; paths: string[] }
    | { kind: 'refusal'; op: string; error: EditError; milliseconds: number }
    | { kind: 'open'; path: string }
  );
