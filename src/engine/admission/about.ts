/** A change as the rules of admission look at it, and what they say of it. */

import type { EditError } from '../../errors.ts';
import type { DraftedChange, Planned } from '../change/planned.ts';
import type { ChangeRequest } from '../change/request.ts';
import type { Snapshot } from '../files/snapshot.ts';

export interface About {
  snapshot: Snapshot;
  changes: readonly DraftedChange[];
  planned: Planned;
  request: ChangeRequest;
}

/** Stands against a file; or would, were it not allowed by the caller: then history says what was. */
export type Objection = { path: string } & ({ refusal: EditError } | { allowed: readonly string[] });

export type Rule = (about: About) => Promise<Objection[]> | null;
