import { EditError } from '../../../errors.ts';
import { dryRunOption, trailOptions } from '../../../table/options.ts';
import { UsageError } from '../../../table/usage.ts';
import { markerOfAgent } from '../agent-marker.ts';
import { type Call, type CliCommand, defineCommand } from '../command.ts';
import { withEngine } from '../engine.ts';
import { EXIT } from '../exit-codes.ts';
import { readText } from '../input/text-source.ts';
import { answer, attempt, isWanted } from '../run.ts';
import { withProgress } from '../terminal/progress.ts';

export const command: CliCommand = defineCommand({
  details:
    'Rewrites the histories of edits so that the text is in none: each occurrence becomes "[purged]", of a path each line. A commit ' +
    'says who did it, when and why, and old ids still find their edits in this clone. Branches, tags, stashes, the index and files ' +
    'stay; those that hold the text are listed, with the command against it; vedit push replaces what the server has. Other clones ' +
    'keep what they fetched. Take the text out of the files first, or the next edit records it again.',
  arguments: [['[path]', 'a file, or a folder with the files in it, of which every version goes', 'file']],
  options: [
    ['--text-file <file>', 'the text to purge, wherever it stands; - is standard input'],
    ['--reason <text>', 'why; kept in the history'],
    ['--yes', 'do not ask'],
    dryRunOption,
    ...trailOptions,
  ],
  examples: [
    ['vedit purge -n config/key.pem --reason "a key"', 'what would go, and where it would still be'],
    ['vedit purge --text-file - --reason "a password" --yes < secret.txt', ''],
  ],
  async run(call) {
    const { reason, dryRun, yes, textFile } = call.options;
    const [given] = call.args;
    if (!reason?.trim()) throw new UsageError('say why, for the history: --reason <text>');
    if (given !== undefined && textFile !== undefined)
      throw new UsageError('give a path or --text-file, not both');
    const text = await readText(call, 'the text', undefined, { file: textFile });
    return withEngine(call, async ({ workspace, place }) => {
      const options = { reason, text, path: given === undefined ? undefined : place.path(given) };
      const look = () => attempt(async () => workspace.purge({ ...options, dryRun: notByAgents(call) }));
      const planned = dryRun || !yes ? await look() : null;
      if (planned && (dryRun || !planned.ok)) return answer(call, planned);
      if (planned?.ok && !(await isWanted(call, planned.message, QUESTION, NOBODY))) return EXIT.refused;
      const work = () => workspace.purge({ ...options, dryRun: !notByAgents(call) });
      return answer(call, await attempt(() => withProgress(call.terminal, 'purging', work)));
    });
  },
});

const QUESTION = 'Purge it for good? [y/N] ';
const NOBODY = 'look with -n what would go, then say --yes: it cannot be taken back';

/** Throws DENIED where an agent runs the command. */
function notByAgents({ terminal }: Call): true {
  const marker = markerOfAgent(terminal.env);
  if (marker === null) return true;
  const words = `An agent runs this (${marker.name} is set), and only a person removes history. Ask them to run it. Nothing was changed.`;
  throw new EditError('DENIED', words, { reason: 'only a person purges', rule: 'purge', policy: 'vedit' });
}
