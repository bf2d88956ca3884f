/** Options that the MCP server is started with: given to it, or put into the settings of a client. */

import { resolve } from 'node:path';
import type { Call, OptionsOf } from '../command.ts';
import type { Client } from '../install/clients.ts';
import { editorOptions } from './options.ts';

const ownOptions = [
  ['--root <dir>', 'the folder to edit in; default: CLAUDE_PROJECT_DIR, or the folder it is started in'],
  ['--read-only', 'only tools that change nothing'],
  ['--tools <set>', 'how many tools: minimal, standard (default) or all', ['minimal', 'standard', 'all']],
  ['--structured', 'results have a structure for programs beside the text, which it holds too'],
] as const;

export const serverOptions: readonly [...typeof ownOptions, ...typeof editorOptions] = [
  ...ownOptions,
  ...editorOptions,
];

export type ServerOptions = OptionsOf<typeof serverOptions>;

/** Absolute: the folder that the server edits in. */
export function serverRoot({ folder, options, terminal }: Call<ServerOptions>): string {
  const project = options.C === undefined ? terminal.env.CLAUDE_PROJECT_DIR : undefined;
  return resolve(folder, options.root ?? project ?? '');
}

/** `mcp` and the options, as they were given here, for a server that this client starts. */
export function startArguments(call: Call<ServerOptions>, { folder, homeless }: Client): string[] {
  const root = call.options.root === undefined && !homeless ? folder : serverRoot(call);
  return ['mcp', ...(root === undefined ? [] : ['--root', root]), ...given(call.options)];
}

function given(options: ServerOptions): string[] {
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
    ...flags.flatMap(([flag, isGiven]) => (isGiven ? [flag] : [])),
  ];
}
