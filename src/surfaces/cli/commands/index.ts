/** The commands of the table, with what a terminal has of each. Their files are loaded when one is used or helped with. */

import { type Row, rows } from '../../../table/rows.ts';
import type { Call, OnTerminal } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import type { CliCommand } from '../from-table.ts';

const answers = () => import('../views/answers.ts');
const review = () => import('./review.ts');

/** By command, what a terminal has of it, where it shows more than a message, or is a program of its own. */
const ON_TERMINAL: Readonly<Record<string, () => Promise<OnTerminal>>> = {
  log: () => import('../views/log.ts'),
  status: async () => ({ show: (await answers()).showStatus }),
  show: async () => ({ show: (await answers()).showEntry }),
  blame: async () => ({ show: (await answers()).showBlame }),
  view: async () => ({ show: (await answers()).showView }),
  diff: async () => ({ show: (await answers()).showDiff }),
  sessions: async () => ({ show: (await answers()).showSessions }),
  peers: async () => ({ show: (await answers()).showPeers }),
  events: async () => ({ item: (await answers()).eventPieces }),
  acp: () => import('./acp.ts'),
  apply: () => import('./apply.ts'),
  completion: () => import('./completion.ts'),
  demo: () => import('./demo.ts'),
  doctor: () => import('./doctor.ts'),
  help: async () => ({ run: showHelp }),
  hook: () => import('./hook.ts'),
  install: () => import('./install.ts'),
  land: () => import('./land.ts'),
  mcp: () => import('./mcp.ts'),
  review,
  accept: async () => ({ run: (await review()).accept }),
  reject: async () => ({ run: (await review()).reject }),
  comment: async () => ({ run: (await review()).comment }),
  run: () => import('./run.ts'),
  tools: () => import('./tools.ts'),
  uninstall: async () => ({ run: (await import('./install.ts')).uninstall }),
  watch: () => import('./watch.ts'),
};

async function showHelp({ args: [name], terminal, help }: Call): Promise<number> {
  const text = await help(name);
  await terminal.page();
  await terminal.printHelp(text);
  return EXIT.done;
}

export interface ListedCommand extends Omit<Row, 'load'> {
  load(): Promise<CliCommand>;
}

export const commands: readonly ListedCommand[] = rows.map(row => ({
  ...row,
  load: async () => {
    const [{ lineOf }, unit, own] = await Promise.all([
      import('../from-table.ts'),
      row.load(),
      ON_TERMINAL[row.name]?.(),
    ]);
    return lineOf(unit, own);
  },
}));
