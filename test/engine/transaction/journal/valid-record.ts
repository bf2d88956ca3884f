/** A record as the engine writes it, of which tests change what they are about. */

import type { ChangeRecord } from '../../../../src/engine/transaction/journal/record.ts';
import type { Evidence } from '../../../../src/fs/recovery-rules.ts';

export const OLD: string = 'a'.repeat(40);
export const NEW: string = 'b'.repeat(40);
export const EVIDENCE: Evidence = { ino: '1', mtimeNs: '2', size: 3 };
export const SIDE: { mode: string; oid: string } = { mode: '100644', oid: OLD };

export const RECORD: ChangeRecord = {
  name: `${'0'.repeat(24)}.1`,
  worktree: null,
  prefix: '',
  ref: 'refs/vedit/main',
  old: OLD,
  new: NEW,
  refBefore: EVIDENCE,
  refStaged: EVIDENCE,
  lockInode: '12',
  store: null,
  paths: [{ path: 'a.txt', after: SIDE }],
  index: { entries: [{ path: 'a.txt', before: null, after: SIDE }], was: EVIDENCE, staged: EVIDENCE },
  landing: null,
  exact: [],
};
