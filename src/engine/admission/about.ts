/** A change as the rules of admission look at it, and what they say of it. */

import type { EditError } from '../../errors.ts';
import type { TrailMeta } from '../../trail/message.ts';
import type { DraftedChange } from '../change/drafted-change.ts';
import type { Editor } from '../editor.ts';
import type { Snapshot } from '../files/snapshot.ts';

export interface About {
  snapshot: Snapshot;
  changes: readonly DraftedChange[];
  /** The facts of a way back or a merge that its commit will say, and the commit that it joins. */
  planned: { meta?: Partial<TrailMeta>; joins?: string | undefined };
  request: {
    op: string;
    editor: Editor;
    reason?: string | undefined;
    /** Also what looks like a key, with the reason. */
    allowSecret?: boolean | undefined;
  };
}

/** Stands against a file; or would, were it not allowed by the caller: then history says what was. */
export type Objection = { path: string } & ({ refusal: EditError } | { allowed: readonly string[] });

export type Rule = (about: About) => Promise<Objection[]>;
