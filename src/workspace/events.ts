/** What a workspace tells those who listen: every edit, refusal, outside change and undo. */

import type { EditError } from '../errors.ts';

export type WorkspaceEvent =
  | {
      kind: 'edit' | 'undo';
      op: string;
      commit: string;
      paths: string[];
      session: string;
      milliseconds: number;
    }
  | { kind: 'outside'; commit: string; paths: string[]; session: string }
  | { kind: 'refusal'; op: string; error: EditError; session: string; milliseconds: number };
