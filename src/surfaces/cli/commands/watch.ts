import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WatchServer } from '../../web/server/server.ts';
import { refusalOnPage } from '../agent-marker.ts';
import { type Call, type CliCommand, defineCommand, type OptionsOf } from '../command.ts';
import { gitOf, type Opened, withFolder } from '../engine.ts';
import { EXIT } from '../exit-codes.ts';
import { trailOptions } from '../input/options.ts';
import { UsageError, wholeNumber } from '../input/usage.ts';
import { ENDS, untilSignal } from '../terminal/signals.ts';
import { unknownPerson } from '../user.ts';
import { jsonLine } from '../views/json.ts';

const options = [
  ['--port <n>', 'listen there; default: a free port', parsePort],
  ['--allow-host <name>', 'another name that the page is reached by; may be given several times', 'each'],
  ['--read-only', 'show, and change nothing'],
  ['--open', 'open the browser'],
  ['--idle <minutes>', 'end when nobody looked for so long', 'natural'],
  ...trailOptions,
] as const;

type Options = OptionsOf<typeof options>;

export const command: CliCommand = defineCommand({
  details:
    'Prints an address for one tab of a browser on this machine, good for one use; press Enter for another. New edits arrive ' +
    'as they happen. On the page you accept and reject what agents wrote, claim text that nobody claims, take edits out, ' +
    'restore files, and land. Where an agent started it, it refuses to accept, reject and claim: start it yourself. ' +
    'It ends with Ctrl-C. Through a tunnel or proxy that has another name, such as a codespace, allow that name.',
  options,
  examples: [
    ['vedit watch --open', ''],
    ['vedit watch --read-only --port 7777', 'for ssh -L 7777:127.0.0.1:7777'],
    ['vedit watch --port 7777 --allow-host name-7777.app.github.dev', 'in a codespace'],
  ],
  run: call => withFolder(call, opened => serve(call, opened)),
});

async function serve(call: Call<Options>, { workspace, user }: Opened): Promise<number> {
  const { options, terminal } = call;
  const { WatchServer } = await import('../../web/server/server.ts');
  const person = user ?? unknownPerson(terminal.env);
  const server = new WatchServer({
    workspace,
    session: workspace.session({ person, id: person.email }),
    person,
    refusal: refusalOnPage(terminal.env),
    git: await gitOf(terminal),
    port: options.port,
    allowHosts: options.allowHost,
    readOnly: options.readOnly,
  });
  await server.listen().catch(error => {
    throw portTaken(error, options.port);
  });
  await tell(call, server);
  if (options.open) openBrowser(server.address());
  const offer = (): void => void tell(call, server);
  const input = terminal.canAsk ? process.stdin : null;
  input?.on('data', offer);
  await ended(server, options.idle);
  input?.off('data', offer).pause();
  await server.close();
  return EXIT.done;
}

function parsePort(text: string): number {
  const port = wholeNumber('--port', text, 1);
  if (port > 65_535) throw new UsageError(`--port ${text}: ports go up to 65535`);
  return port;
}

/** Words what the system says of a port that cannot be had, with what to do. */
function portTaken(error: NodeJS.ErrnoException, port: number | undefined): unknown {
  const why = { EADDRINUSE: 'is used by another program', EACCES: 'needs more rights' }[error.code ?? ''];
  if (port === undefined || why === undefined) return error;
  return new UsageError(`port ${port} ${why}: give another one, or leave --port out for a free one`);
}

async function tell({ options, terminal }: Call<Options>, server: WatchServer): Promise<void> {
  const address = server.address();
  if (options.json) await terminal.print(jsonLine({ ok: true, message: address, data: { address } }));
  else await terminal.print(`${address}\n`);
  if (terminal.canAsk) await terminal.tell('opens one tab, once; Enter: another address; Ctrl-C: end');
}

/** Waits for a signal, as of Ctrl-C or a terminal that is closed; or until nobody looked for so many minutes. */
function ended(server: WatchServer, minutes = Number.POSITIVE_INFINITY): Promise<void> {
  return untilSignal(ENDS, async signal => {
    while (!signal.aborted && server.idle <= minutes * 60_000)
      await sleep(5_000, null, { signal }).catch(() => {});
  });
}

/** By way of a file that only this user can read: the words of a command are seen by all users of a machine. */
function openBrowser(address: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'vedit-watch-'));
  const file = join(folder, 'open.html');
  const page = `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0;url=${address}">`;
  writeFileSync(file, page, { mode: 0o600 });
  const [program, ...args] = {
    darwin: ['open'],
    win32: ['cmd', '/c', 'start', ''],
  }[process.platform as string] ?? ['xdg-open'];
  execFile(program!, [...args, file], () => {});
  // By then the browser has read it; the ticket in it is good once.
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  setTimeout(remove, 30_000).unref();
  process.once('exit', remove);
}
