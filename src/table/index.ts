/** The list of the commands that are tools, in the order in which they are offered. */

import { blame } from './blame.ts';
import { change } from './change.ts';
import type { Command } from './command.ts';
import { diff } from './diff.ts';
import { log } from './log.ts';
import { preview } from './preview.ts';
import { redo } from './redo.ts';
import { reply } from './reply.ts';
import { restore } from './restore.ts';
import { revert } from './revert.ts';
import { rollback } from './rollback.ts';
import { show } from './show.ts';
import { status } from './status.ts';
import { undo } from './undo.ts';
import { verify } from './verify.ts';
import { view } from './view.ts';

export const commands: readonly Command[] = [
  view,
  change,
  preview,
  undo,
  redo,
  revert,
  rollback,
  restore,
  reply,
  log,
  show,
  diff,
  blame,
  status,
  verify,
];
