/** A call that is refused, what its refusal must say, and the call that a model makes of that. */

import type { ErrorCode, WorkspaceOptions } from '../../../../src/index.ts';
import type { Place } from '../../../helpers/person-repo.ts';
import type { Call } from './model.ts';

export interface Case {
  code: ErrorCode;
  /** What the model did wrong, or what stood in its way. */
  name: string;
  files?: Record<string, string>;
  /** What a person or a program did to the repository before. */
  make?: (repo: Place) => void;
  options?: (repo: Place) => Partial<WorkspaceOptions>;
  /** Calls that are done before, in other words than those of the model: `another` session's. */
  first?: readonly Call[];
  another?: readonly Call[];
  /** What happens after them. */
  after?: (repo: Place) => void;
  call: Call;
  /** In what the model reads. */
  says: readonly RegExp[];
  /** The next call, out of what the model reads and what it has sent; or why nothing is to be repaired by a call. */
  repair: ((text: string, input: Record<string, unknown>) => Call) | string;
  /** What happens meanwhile, where the model was told to wait. */
  meanwhile?: (repo: Place) => void;
  /** What the repaired call must have come to, in a file. */
  gives?: readonly [path: string, content: RegExp];
}
