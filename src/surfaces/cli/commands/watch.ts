import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { EditError } from '../../../errors.ts';
import type { WatchOptions as Options } from '../../../table/programs.ts';
import { UsageError } from '../../../table/use.ts';
import type { WatchOptions, WatchServer } from '../../web/server/server.ts';
import { refusalOnPage } from '../agent-marker.ts';
import { answer } from '../answer.ts';
import type { Call } from '../command.ts';
import { gitOf, withFolder } from '../engine.ts';
import { EXIT } from '../exit-codes.ts';
import { ENDS, untilSignal } from '../terminal/signals.ts';
import { unknownPerson } from '../user.ts';

export function run(call: Call<Options>): Promise<number> {
  return withFolder(call, async opened => {
    const person = opened.user ?? unknownPerson(call.terminal.env);
    const actor = { workspace: opened.workspace, person };
    const { save } = call.options;
    return save === undefined ? serve(call, actor) : savePage(call, actor, save);
  });
}

/** Writes the page into a file; one that is no such page is not replaced. Throws FILE_EXISTS, STORE_FAILED. */
async function savePage(call: Call<Options>, actor: WatchOptions, name: string): Promise<number> {
  const [{ PAGE_START, savedPage }, { PageAnswers }] = await Promise.all([
    import('../../web/page.ts'),
    import('../../web/server/answers.ts'),
  ]);
  const file = resolve(call.folder, name);
  const found = await stat(file).catch(() => null);
  if (found && !(found.isFile() && (await readFile(file, 'utf8')).startsWith(PAGE_START)))
    throw new EditError('FILE_EXISTS', `${name} is there and is no page of vedit. Name another file.`, {
      path: name,
    });
  const page = savedPage(await new PageAnswers(actor).all());
  await writeFile(file, page).catch(({ code: cause = 'unknown error' }: NodeJS.ErrnoException) => {
    throw new EditError('STORE_FAILED', `${name} cannot be written (${cause}). Name another file.`, {
      cause,
    });
  });
  const data = { file: name, bytes: Buffer.byteLength(page) };
  return answer(call, { ok: true, message: `${name} written`, data }, () =>
    call.terminal.tell(`${name}: open it in a browser`),
  );
}

async function serve(call: Call<Options>, actor: WatchOptions): Promise<number> {
  const { options, terminal } = call;
  const { WatchServer } = await import('../../web/server/server.ts');
  const server = new WatchServer({
    ...actor,
    refusal: refusalOnPage(terminal.env),
    git: await gitOf(terminal),
    folder: call.folder,
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

/** Words what the system says of a port that cannot be had, with what to do. */
function portTaken(error: NodeJS.ErrnoException, port: number | undefined): unknown {
  const why = {
    EADDRINUSE: 'is used by another program',
    EACCES: 'needs more rights',
    ERR_SOCKET_BAD_PORT: 'is none: ports go up to 65535',
  }[error.code ?? ''];
  if (port === undefined || why === undefined) return error;
  return new UsageError(`port ${port} ${why}: give another one, or leave --port out for a free one`);
}

async function tell(call: Call<Options>, server: WatchServer): Promise<void> {
  const { terminal } = call;
  const address = server.address();
  await answer(call, { ok: true, message: address, data: { address } });
  if (terminal.canAsk) await terminal.tell('opens one tab, once; Enter: another address; Ctrl-C: end');
}

/** Waits for a signal, as of Ctrl-C or a terminal that is closed; or until nobody looked for so many minutes. */
function ended(server: WatchServer, minutes = Number.POSITIVE_INFINITY): Promise<void> {
  const untilIdle = (signal: AbortSignal): Promise<void> =>
    new Promise(resolve => {
      const end = (): void => {
        clearInterval(look);
        resolve();
      };
      const look = setInterval(() => server.idle > minutes * 60_000 && end(), 5_000);
      signal.addEventListener('abort', end);
    });
  return untilSignal(ENDS, untilIdle);
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
