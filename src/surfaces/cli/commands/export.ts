import { filterOf, filterOptions, trailOptions } from '../../../table/options.ts';
import { UsageError } from '../../../table/usage.ts';
import type { OptionsOf } from '../../../table/use.ts';
import { type Call, type CliCommand, defineCommand } from '../command.ts';
import { type Engine, withEngine } from '../engine.ts';
import { EXIT } from '../exit-codes.ts';
import { withProgress } from '../terminal/progress.ts';
import { jsonLine } from '../views/answer.ts';

const options = [
  ['--audit', 'edits, refusals, reviews, signatures and gaps, for auditors'],
  ['--jsonl', 'the log with all that is known, as JSON Lines'],
  ...filterOptions,
  ...trailOptions,
] as const;

type Options = OptionsOf<typeof options>;

export const command: CliCommand = defineCommand({
  details:
    'One JSON object a line. --jsonl: newest first, all that the history holds of each commit, with files, blob ids, line ' +
    'ranges and diffs. --audit: oldest first, with what is missing (docs/trust.md has the schema).',
  arguments: [['[path]', 'only edits of this file or folder']],
  options,
  examples: [
    ['vedit export --audit > audit.jsonl', ''],
    ["vedit export --jsonl src | jq -r '.agent'", 'who worked in src'],
  ],
  run(call) {
    const { jsonl = false, audit = false } = call.options;
    if (jsonl === audit) throw new UsageError('say which format: --jsonl or --audit');
    if (audit) checkWhole(call);
    return withEngine(call, engine => printAll(call, engine), { session: 'filters' });
  },
});

/** Throws UsageError where only a part is asked for: it would show no gaps. */
function checkWhole({ args, options: { session, agent, since, maxCount } }: Call<Options>): void {
  if ([args[0], session, agent, since, maxCount].some(one => one !== undefined))
    throw new UsageError('--audit is about the whole history: give no path, session, agent, time or number');
}

async function printAll(call: Call<Options>, { session, place, workspace }: Engine): Promise<number> {
  if (call.options.audit) {
    for await (const record of workspace.audit()) await call.terminal.print(jsonLine(record));
    return EXIT.done;
  }
  const wanted = { path: place.scope(call.args[0]), ...filterOf(call.options) };
  const { terminal } = call;
  const printEach = async (tell: (words: string) => void): Promise<number> => {
    let count = 0;
    for await (const record of session.export(wanted)) {
      await terminal.print(jsonLine(record));
      tell(`${++count} records written`);
    }
    return EXIT.done;
  };
  // On a terminal the records themselves are what is seen.
  return terminal.isOutputTerminal ? printEach(() => {}) : withProgress(terminal, 'exporting', printEach);
}
