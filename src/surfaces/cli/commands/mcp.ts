import { resolve } from 'node:path';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { McpServer } from '@modelcontextprotocol/server';
import { knownAgent } from '../../../agents/agent-name.ts';
import type { WorkspaceEvent } from '../../../engine/calls/events.ts';
import { WRITES } from '../../../engine/origins/agent-events.ts';
import { type EditorOptions, editorOptions, optionName } from '../../../table/options.ts';
import { type ServerOptions, serverOptions } from '../../../table/programs.ts';
import { shortId } from '../../../wording.ts';
import type { Workspace } from '../../../workspace/open.ts';
import type { AppPage } from '../../mcp/app.ts';
import type { Call } from '../command.ts';
import { gitOf, type Opened, openFolder } from '../engine.ts';
import { EXIT } from '../exit-codes.ts';
import type { Client } from '../install/clients.ts';
import { packageVersion } from '../package-version.ts';
import { ENDS, onSignals } from '../terminal/signals.ts';
import { unknownPerson } from '../user.ts';

type Options = ServerOptions & EditorOptions;

export async function run(call: Call<Options>): Promise<number> {
  const { terminal, options } = call;
  const input = terminal.input();
  const { serveStdio, StdioServerTransport } = await import('@modelcontextprotocol/server/stdio');
  const { McpConnection } = await import('../../mcp/server.ts');
  const { agent, model, session: id, tools, readOnly, structured } = options;
  const folders = serverRoots(call);
  const place = opener(call, folders[0]!);
  const others = folders.slice(1).map(folder => ({ folder, ...opener(call, folder) }));
  const connection = new McpConnection({
    version: packageVersion(),
    session: { agent, model, id },
    proven: provenSessions(terminal.env),
    tools,
    readOnly,
    structured,
    open: async () => (await place.open()).workspace,
    openFor: async input => (await placeOf(input, others)?.open())?.workspace ?? null,
    writes: workspace => notedWrites(workspace).catch(() => {}),
    page: pageOf(call, place.open),
  });
  // The transport drops what is under way when its input ends; so its input ends when all is answered.
  const open = new PassThrough();
  const ended = pipeline(input, open, { end: false }).catch(() => {});
  const transport = new StdioServerTransport(open);
  const all = [place, ...others];
  const gone = async (): Promise<void> => void (await Promise.all(all.map(one => one.gone())));
  const leaving = leavingOnSignals(gone);
  let known = agent ?? '';
  const noted = (workspace: Workspace, tool?: string) =>
    workspace.noteAgent({ kind: 'connect', agent: known, session: '', tool });
  const notedWrites = async (workspace: Workspace): Promise<void> => {
    if ((await workspace.agentClient()) === null) await noted(workspace, WRITES);
  };
  const connected = async (): Promise<void> => {
    await noted((await place.open()).workspace);
    // Not before: while a disk hangs that is read, no listener would ever be called, and there is nothing to note.
    leaving.listen();
  };
  // What a client without hooks does by itself is nobody's while it is connected, before its first call too, unless it only reads.
  const noting = connected().catch(() => {});
  const served = (): McpServer => {
    const server = connection.server();
    server.server.oninitialized = () => {
      const { name } = server.server.getClientVersion() ?? {};
      known = agent ?? (name && knownAgent(name).agent) ?? '';
      void connected().catch(() => {});
    };
    return server;
  };
  serveStdio(served, {
    transport,
    onerror: error => void terminal.tell(`mcp: ${error.message}`),
  });
  await terminal.tell(`vedit mcp: ${connection.tools.length} tools for ${folders.join(', ')}`);
  await ended;
  await connection.idle();
  open.end();
  await noting;
  await gone();
  for (const one of all) await one.close();
  leaving.stop();
  return EXIT.done;
}

/** Sessions that clients name to the servers that they start, and these to what they start. */
function provenSessions(env: NodeJS.ProcessEnv): Array<{ agent: string; session: string }> {
  const found = [
    { agent: 'claude-code', session: env.CLAUDE_CODE_SESSION_ID },
    { agent: 'copilot', session: env.COPILOT_AGENT_SESSION_ID },
  ];
  return found.flatMap(({ agent, session }) => (session ? [{ agent, session }] : []));
}

/** Milliseconds in which a disk that answers lets it be noted that the client is gone. */
const LEAVING_MS = 2_000;

/** Notes that the client is gone when a signal ends the process. Where the disk hangs, the signal ends it as it always does. */
function leavingOnSignals(gone: () => Promise<void>): { listen(): void; stop(): void } {
  let stop = (): void => {};
  const onSignal = (signal: NodeJS.Signals): void => {
    stop();
    setTimeout(() => process.kill(process.pid, signal), LEAVING_MS);
    void gone().finally(() => process.exit(EXIT.done));
  };
  const listen = (): void => {
    stop();
    stop = onSignals(ENDS, onSignal);
  };
  return { listen, stop: () => stop() };
}

interface ServedWorkspace {
  open(): Promise<Opened>;
  /** Says that the client is gone. */
  gone(): Promise<void>;
  close(): Promise<void>;
}

/** Opens the folder once, for the agent's calls and for the page; what fails is tried again at the next call. */
function opener(call: Call<Options>, folder: string): ServedWorkspace {
  const onEvent = (event: WorkspaceEvent): void => void call.terminal.tell(eventLine(event));
  let opened: Promise<Opened> | null = null;
  const open = (): Promise<Opened> => {
    opened ??= openFolder({ ...call, folder }, { root: folder, onEvent }).catch(error => {
      opened = null;
      throw error;
    });
    return opened;
  };
  const workspace = async (): Promise<Workspace | undefined> => (await opened?.catch(() => null))?.workspace;
  const gone = async (): Promise<void> => {
    await (await workspace())?.noteAgent({ kind: 'gone', agent: '', session: '' }).catch(() => {});
  };
  return { open, gone, close: async () => (await workspace())?.close() };
}

/** The live page, for clients that show such: of the person whom git's config names, as in `vedit watch`. */
function pageOf({ terminal, options }: Call<Options>, open: () => Promise<Opened>): AppPage {
  const readOnly = options.readOnly === true;
  const page = import('../../web/app-page.ts').then(({ createAppPage }) =>
    createAppPage({
      readOnly,
      open: async () => {
        const { workspace, user } = await open();
        return { workspace, person: user ?? unknownPerson(terminal.env), git: await gitOf(terminal) };
      },
    }),
  );
  return {
    readOnly,
    html: async () => (await page).html(),
    answer: async (asks, input) => (await page).answer(asks, input),
  };
}

function eventLine(event: WorkspaceEvent): string {
  const by = event.agent ?? event.session;
  switch (event.kind) {
    case 'refusal':
      return `${by}: ${event.op} refused, ${event.error.code} (${event.milliseconds} ms)`;
    case 'outside':
      return `${by}: recorded outside changes of ${event.paths.join(', ')}`;
    case 'review':
      return `${event.person?.name ?? by}: ${event.subject} ${shortId(event.commit)}`;
    case 'open':
      return `${by}: open ${event.path}`;
    case 'read':
      return `${by}: ${event.op}${event.path === undefined ? '' : ` ${event.path}`} (${event.milliseconds} ms)`;
    default:
      return `${by}: ${event.subject} ${shortId(event.commit)} (${event.milliseconds} ms)`;
  }
}

/** Absolute: the folders that the server edits in. */
function serverRoots({ folder, options, terminal }: Call<Options>): string[] {
  const project = options.C === undefined ? terminal.env.CLAUDE_PROJECT_DIR : undefined;
  return (options.root ?? [project ?? '']).map(root => resolve(folder, root));
}

/** Finds the folder that a path of a call leads into. */
function placeOf<T extends { folder: string }>(input: unknown, places: readonly T[]): T | undefined {
  const texts = textsIn(input);
  return places.find(({ folder }) => texts.some(text => `${text}/`.startsWith(`${folder}/`)));
}

function textsIn(input: unknown): string[] {
  if (typeof input === 'string') return [input];
  return typeof input === 'object' && input !== null ? Object.values(input).flatMap(textsIn) : [];
}

/** `mcp` and the options, as they were given here, for a server that this client starts. */
export function startArguments(call: Call<Options>, { folder, homeless }: Client): string[] {
  const given = call.options.root === undefined && !homeless ? [folder] : serverRoots(call);
  const roots = given.flatMap(root => (root === undefined ? [] : ['--root', root]));
  return ['mcp', ...roots, ...flagsGiven({ ...call.options, root: undefined })];
}

/** Those with a value first. */
function flagsGiven(options: Readonly<Record<string, unknown>>): string[] {
  const given = [...serverOptions, ...editorOptions].flatMap(([flags]) => {
    const [flag, value] = [flags.split(' ')[0]!, options[optionName(flags)]];
    return value === undefined ? [] : [flags.includes('<') ? [flag, String(value)] : [flag]];
  });
  return given.sort((one, other) => other.length - one.length).flat();
}
