/** purge: a text out of the histories for good. */

import { EditError } from '../../../errors.ts';
import { markerOfAgent } from '../agent-marker.ts';
import { attempt } from '../attempt.ts';
import { type Call, type CliCommand, defineCommand } from '../command.ts';
import { withEngine } from '../engine.ts';
import { type TrailOptions, trailOptions } from '../input/options.ts';
import { readText } from '../input/text-source.ts';
import { UsageError } from '../input/usage.ts';
import { withProgress } from '../terminal/progress.ts';
import { answer } from '../views/done.ts';

interface Options extends TrailOptions {
  textFile?: string;
  reason?: string;
  yes?: boolean;
  dryRun?: boolean;
}

export const purge: CliCommand = defineCommand<Options>({
  details:
    'Rewrites the histories of edits so that the text is in none of them: each occurrence becomes "[purged]", of a path each line. ' +
    'It is the one thing that removes commits. A tombstone in each history says which ids became which, who did it, when and why; ' +
    'old ids still find their edits, and vedit verify checks that nothing else was changed. Journals, caches, logs and packs are ' +
    'cleaned, and every object that is left is read. Branches, tags, stashes, the index and files stay as they are: what of them ' +
    'holds the text is listed, each with the command of git that removes it. Without a path and a text, what other clones purged ' +
    'goes here too. Take the text out of the files first, or the next edit records it again. A key that was once pushed, or seen by an ' +
    'agent, is to be changed.',
  arguments: [['[path]', 'a file, or a folder with the files in it, of which every version goes', 'file']],
  options: [
    {
      flags: '--text-file <file>',
      description: 'the text to purge, wherever it stands; - is standard input',
    },
    { flags: '--reason <text>', description: 'why; kept in the history' },
    { flags: '--yes', description: 'do not ask' },
    { flags: '-n, --dry-run', description: 'show what would be done, change nothing' },
    ...trailOptions,
  ],
  examples: [
    ['vedit purge -n config/key.pem --reason "a key"', 'what would go, and where it would still be'],
    ['vedit purge --text-file - --reason "a password" --yes < secret.txt', ''],
  ],
  run: async call => {
    const { reason, dryRun, yes, textFile } = call.options;
    const [given] = call.args;
    if (!reason?.trim()) throw new UsageError('say why, for the history: --reason <text>');
    if (given !== undefined && textFile !== undefined)
      throw new UsageError('give a path or --text-file, not both');
    notByAgents(call);
    const text = await readText(call, 'the text', undefined, { file: textFile });
    return withEngine(call, async ({ workspace, place }) => {
      const options = { reason, text, path: given === undefined ? undefined : place.path(given) };
      if (!dryRun && !yes) {
        if (!call.terminal.canAsk || call.options.json)
          throw new UsageError('look with -n what would go, then say --yes: it cannot be taken back');
        const plan = await workspace.purge({ ...options, dryRun: true });
        for (const line of plan.message.split('\n')) await call.terminal.tell(line);
        if (!/^y(es)?$/i.test(await call.terminal.ask('Purge it for good? [y/N] '))) return 1;
      }
      const result = await withProgress(call.terminal, 'purging', () =>
        attempt(() => workspace.purge({ ...options, dryRun })),
      );
      return answer(call, result, () => call.terminal.print(`${result.message}\n`));
    });
  },
});

function notByAgents({ terminal }: Call): void {
  const marker = markerOfAgent(terminal.env);
  if (marker === null) return;
  const words = `An agent runs this (${marker.name} is set), and only a person removes history. Ask them to run it. Nothing was changed.`;
  throw new EditError('DENIED', words, { reason: 'only a person purges', rule: 'purge', policy: 'vedit' });
}
