/** The list of the commands that are tools, in the order in which they are offered. */

import { redo, restore, revert, rollback, undo } from './back.ts';
import type { Command } from './command.ts';
import { blame, diff, log, show, status, verify } from './history.ts';
import { reply } from './reply.ts';
import { change, preview } from './several.ts';
import { view } from './view.ts';

export const commands: readonly Command[] = [
  ...[view, change, preview],
  ...[undo, redo, revert, rollback, restore],
  ...[reply, log, show, diff, blame, status, verify],
];
