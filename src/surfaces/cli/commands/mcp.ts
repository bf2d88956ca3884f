/** mcp: the tools over the Model Context Protocol, on standard input and output. */

import { resolve } from 'node:path';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CLIENTS } from '../../mcp/clients.ts';
import { type Call, type CliCommand, defineCommand } from '../command.ts';
import { openFolder } from '../engine.ts';
import { eventLine } from '../event-line.ts';
import { EXIT } from '../exit-codes.ts';
import { type EditorOptions, editorOptions, oneOf } from '../options.ts';
import { packageVersion } from '../package-version.ts';
import type { Terminal } from '../terminal.ts';

interface Options extends EditorOptions {
  root?: string;
  readOnly?: boolean;
  structured?: boolean;
  tools?: 'minimal' | 'standard' | 'all';
  printConfig?: string;
}

export const mcp: CliCommand = defineCommand<Options>({
  details:
    'Clients start it themselves: --print-config prints what to paste. Messages go to standard error. All calls of one ' +
    'connection are one session, done one after the other in the order in which they came.',
  options: [
    {
      flags: '--root <dir>',
      description: 'the folder to edit in; default: CLAUDE_PROJECT_DIR, or the folder it is started in',
    },
    { flags: '--read-only', description: 'only tools that change nothing' },
    {
      flags: '--tools <set>',
      description: 'how many tools: minimal, standard (default) or all',
      parse: oneOf('--tools', ['minimal', 'standard', 'all']),
    },
    {
      flags: '--structured',
      description: 'results have a structure for programs beside the text, which it holds too',
    },
    {
      flags: '--print-config <client>',
      description: `print what to paste: ${Object.keys(CLIENTS).join(', ')}`,
      parse: oneOf('--print-config', Object.keys(CLIENTS)),
    },
    ...editorOptions,
  ],
  examples: [
    ['vedit mcp --print-config claude-code > .mcp.json', ''],
    ['vedit mcp --root ~/notes --tools minimal', ''],
    ['vedit mcp --read-only', 'for a reviewer'],
  ],
  run: call => (call.options.printConfig ? printConfig(call, call.options.printConfig) : serve(call)),
});

async function serve(call: Call<Options>): Promise<number> {
  const { terminal, options } = call;
  const input = terminal.input();
  const { serveStdio, StdioServerTransport } = await import('@modelcontextprotocol/server/stdio');
  const { McpConnection } = await import('../../mcp/server.ts');
  const { agent, model, session: id, tools, readOnly, structured } = options;
  const folder = rootOf(call);
  const onEvent = (event: Parameters<typeof eventLine>[0]): void => void terminal.tell(eventLine(event));
  const opened: Array<{ close(): Promise<void> }> = [];
  const connection = new McpConnection({
    version: packageVersion(),
    session: { agent, model, id },
    tools,
    readOnly,
    structured,
    open: async () => {
      const { workspace } = await openFolder({ ...call, folder }, { root: folder, onEvent });
      opened.push(workspace);
      return workspace;
    },
  });
  // The transport drops what is under way when its input ends; so its input ends when all is answered.
  const open = new PassThrough();
  const ended = pipeline(input, open, { end: false }).catch(() => {});
  const transport = new StdioServerTransport(open);
  serveStdio(() => connection.server(), {
    transport,
    onerror: error => void terminal.tell(`mcp: ${error.message}`),
  });
  await terminal.tell(`vedit mcp: ${connection.tools.length} tools for ${folder}`);
  await ended;
  await connection.idle();
  open.end();
  for (const workspace of opened) await workspace.close();
  return EXIT.done;
}

function rootOf({ folder, options, terminal }: Call<Options>): string {
  return resolve(
    folder,
    options.root ?? (options.C === undefined ? terminal.env.CLAUDE_PROJECT_DIR : undefined) ?? '',
  );
}

/** The program is named as it was started here, because a client may have another PATH. */
async function printConfig(call: Call<Options>, name: string): Promise<number> {
  const client = CLIENTS[name]!;
  const { root } = call.options;
  const folder = root === undefined && !client.homeless ? client.folder : rootOf(call);
  const args = [
    process.argv[1]!,
    'mcp',
    ...(folder === null ? [] : ['--root', folder]),
    ...startOptions(call.options),
  ];
  await call.terminal.print(
    `${JSON.stringify(client.config({ command: process.execPath, args }), null, 2)}\n`,
  );
  await note(call.terminal, client.file);
  return EXIT.done;
}

/** The options that the server shall be started with, as they were given here. */
function startOptions(options: Options): string[] {
  const { agent, model, session, trail, mount, tools } = options;
  const { readOnly, structured, allowIgnored, recordRefusals } = options;
  const valued = Object.entries({ agent, model, session, trail, mount, tools });
  const flags = Object.entries({
    '--read-only': readOnly,
    '--structured': structured,
    '--allow-ignored': allowIgnored,
    '--record-refusals': recordRefusals,
  });
  return [
    ...valued.flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value])),
    ...flags.flatMap(([flag, given]) => (given ? [flag] : [])),
  ];
}

async function note(terminal: Terminal, file: string): Promise<void> {
  await terminal.tell(`This goes into ${file}.`);
}
