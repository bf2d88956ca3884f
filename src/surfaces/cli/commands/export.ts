/** export: the history in formats that other programs read. */

import type { LogOptions } from '../../../workspace/queries/log/history.ts';
import type { Session } from '../../../workspace/session.ts';
import { type Call, type CliCommand, defineCommand } from '../command.ts';
import { type Engine, withEngine } from '../engine.ts';
import { EXIT } from '../exit-codes.ts';
import { type FilterOptions, filterOf, filterOnly, filterOptions } from '../input/history-filter.ts';
import { UsageError } from '../input/usage.ts';
import { packageVersion } from '../package-version.ts';
import { jsonLine } from '../views/json.ts';

interface Options extends FilterOptions {
  agentTrace?: boolean;
  jsonl?: boolean;
}

export const exporting: CliCommand = defineCommand<Options>({
  details:
    'One JSON object a line, newest first. --agent-trace: records of Agent Trace 0.1.0 (https://agent-trace.dev), which say ' +
    'what lines of what files an agent wrote, at the commit that wrote them. --jsonl: all that the history holds of each commit, ' +
    'with files, blob ids, line ranges and diffs.',
  arguments: [['[path]', 'only edits of this file or folder']],
  options: [
    { flags: '--agent-trace', description: 'Agent Trace records' },
    { flags: '--jsonl', description: 'the log with all that is known, as JSON Lines' },
    ...filterOptions,
  ],
  examples: [
    ['vedit export --agent-trace > traces.jsonl', ''],
    ["vedit export --jsonl src | jq -r '.agent'", 'who worked in src'],
  ],
  run(call) {
    const { agentTrace = false, jsonl = false } = call.options;
    if (agentTrace === jsonl) throw new UsageError('say which format: --agent-trace or --jsonl');
    return withEngine(filterOnly(call), engine => printAll(call, engine));
  },
});

async function printAll(call: Call<Options>, { session, place }: Engine): Promise<number> {
  const wanted = { path: place.scope(call.args[0]), ...filterOf(call.options) };
  for await (const record of recordsOf(call, session, wanted)) await call.terminal.print(jsonLine(record));
  return EXIT.done;
}

function recordsOf(call: Call<Options>, session: Session, wanted: LogOptions): AsyncIterable<object> {
  if (call.options.jsonl) return session.export(wanted);
  return session.agentTrace({ ...wanted, tool: { name: 'vedit', version: packageVersion() } });
}
