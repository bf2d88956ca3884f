/** install: vedit in the settings of a client, and out of them again. */

import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type Call, type CliCommand, defineCommand } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { type ServerOptions, serverOptions, startArguments } from '../input/server-options.ts';
import { UsageError } from '../input/usage.ts';
import { hookCommand } from '../install/claude-code.ts';
import { CLIENT_NAMES, type ClientName, clientNamed } from '../install/clients.ts';
import { withHooks, withoutHooks, withoutServer, withServer } from '../install/settings.ts';
import { readSettings, type SettingsFile, writeSettings } from '../install/settings-file.ts';
import { styled } from '../terminal/style.ts';
import { jsonLine } from '../views/json.ts';
import { shownDiff } from '../views/shown-diff.ts';

interface Options extends ServerOptions {
  user?: boolean;
  remove?: boolean;
  hooks?: boolean;
  dryRun?: boolean;
}

export const install: CliCommand = defineCommand<Options>({
  details:
    'The server is put into the client’s settings of this project, or with --user into yours; what else stands there stays, ' +
    'comments too, and the change is shown. Settings of a project are for all who work on it, so they start vedit by its name ' +
    'and hold no path of this machine; those of a user hold the path of this vedit. Into Claude Code go hooks as well, by which ' +
    'edits of its own tools are recorded (vedit hook). --remove takes all of that out again.',
  arguments: [['<client>', CLIENT_NAMES.join(', ')]],
  options: [
    { flags: '--user', description: 'into your own settings, for all projects' },
    { flags: '--remove', description: 'take it out again' },
    { flags: '-n, --dry-run', description: 'show what would change, write nothing' },
    { flags: '--no-hooks', description: 'no hooks, where the client has some' },
    ...serverOptions,
  ],
  examples: [
    ['vedit install claude-code', 'for this project: .mcp.json, and hooks'],
    ['vedit install codex --user --tools minimal', 'for all of yours'],
    ['vedit install vscode -n', 'only show it'],
    ['vedit install cursor --remove', ''],
  ],
  async run(call) {
    const client = CLIENT_NAMES.find(name => name === call.args[0]);
    if (!client)
      throw new UsageError(
        `there are settings for ${CLIENT_NAMES.join(', ')}, not for ${JSON.stringify(call.args[0])}`,
      );
    const isUser = call.options.user === true || clientNamed(client).project === null;
    if (!isUser && call.options.root !== undefined)
      throw new UsageError(
        'settings of a project name no folder of this machine: leave --root out, or give --user',
      );
    const changes = await changesOf(call, client, isUser);
    if (!call.options.dryRun)
      for (const { file, before, after } of changes) if (before !== after) await writeSettings(file, after);
    if (!call.options.dryRun && !call.options.remove && !isUser) await makeEngineFolder(call.folder);
    await answer(call, client, isUser, changes);
    return EXIT.done;
  },
});

/** A file of settings as it is, and as it shall be. */
interface Change {
  file: SettingsFile;
  before: string;
  after: string;
}

/** Worked out for all files before one is written. */
async function changesOf(call: Call<Options>, client: ClientName, isUser: boolean): Promise<Change[]> {
  const { remove = false, hooks = true } = call.options;
  const file = await serverFile(call, client, isUser);
  const before = await readSettings(file);
  const start = startOf(isUser, startArguments(call, client));
  const after = remove
    ? withoutServer(client, file.name, before)
    : withServer(client, file.name, before, start);
  const changes = [{ file, before, after }];
  if (client !== 'claude-code' || !hooks) return changes;
  const own = await placed(call, isUser, '.claude/settings.json');
  const settings = await readSettings(own);
  const wanted = remove
    ? withoutHooks(own.name, settings)
    : withHooks(own.name, settings, hookCommand(isUser));
  return [...changes, { file: own, before: settings, after: wanted }];
}

/** What all who work on a project have is the name of the program; a client of a user may have another PATH. */
function startOf(isUser: boolean, args: readonly string[]): { command: string; args: string[] } {
  if (!isUser) return { command: 'vedit', args: [...args] };
  return { command: process.execPath, args: [process.argv[1]!, ...args] };
}

async function serverFile(call: Call<Options>, client: ClientName, isUser: boolean): Promise<SettingsFile> {
  const { project, projectAlso, user, userFolder } = clientNamed(client);
  if (!isUser) {
    const files = await Promise.all([project!, ...projectAlso].map(name => placed(call, false, name)));
    return files.find(({ path }) => existsSync(path)) ?? files[0]!;
  }
  const name = typeof user === 'string' ? user : user[platform()];
  const folder = userFolder === undefined ? undefined : call.terminal.env[userFolder];
  if (!folder) return placed(call, true, name);
  const path = join(folder, name.slice(name.lastIndexOf('/') + 1));
  return { path, name: path };
}

function platform(): 'linux' | 'darwin' | 'win32' {
  return process.platform === 'darwin' || process.platform === 'win32' ? process.platform : 'linux';
}

/** Below the top of the work tree, or the folder where there is none; or below the home of the user. */
async function placed(call: Call<Options>, isUser: boolean, name: string): Promise<SettingsFile> {
  if (isUser) return { path: join(call.terminal.env.HOME || homedir(), name), name: `~/${name}` };
  return { path: join(await projectFolder(call.folder), name), name };
}

/** Without it the hooks pass over the repository. */
async function makeEngineFolder(folder: string): Promise<void> {
  const { locateRepository } = await import('../../../workspace/opening/locate.ts');
  const found = await locateRepository(folder).catch(() => null);
  if (found) await mkdir(join(found.commonDir, 'vedit'), { recursive: true }).catch(() => {});
}

async function projectFolder(folder: string): Promise<string> {
  const { locateRepository } = await import('../../../workspace/opening/locate.ts');
  const found = await locateRepository(folder).catch(() => null);
  return found && !found.bare ? found.root : folder;
}

async function answer(
  call: Call<Options>,
  client: ClientName,
  isUser: boolean,
  changes: readonly Change[],
): Promise<void> {
  const { options, terminal } = call;
  const { unifiedDiff } = await import('../../../text/diff/diff.ts');
  const shown = changes.map(({ file: { name }, before, after }) => {
    const [oldText, newText] = [before || null, after || null];
    const diff = before === after ? '' : unifiedDiff({ oldPath: name, newPath: name, oldText, newText }).text;
    return { file: name, changed: before !== after, diff };
  });
  const words = shown.map(({ file, changed }) => wordsOf(options, file, changed));
  if (options.json) {
    const data = { client, removed: options.remove ?? false, dry_run: options.dryRun ?? false, files: shown };
    await terminal.print(jsonLine({ ok: true, message: words.join('\n'), data }));
    return;
  }
  for (const { diff } of shown) await terminal.print(await shownDiff(diff, terminal));
  for (const line of words) await terminal.tell(styled('bold', `[${client}]`), ` ${line}`);
  const { consent } = clientNamed(client);
  const isPut = !options.remove && !isUser && shown.some(({ changed }) => changed);
  if (isPut && consent !== undefined) await terminal.tell(`note: ${consent}`);
  if (!options.remove && !isUser && !isOnPath(terminal.env))
    await terminal.tell(
      styled('yellow', 'warning: '),
      'there is no vedit on the PATH, by which these settings start it: npm install -g versioned-edit',
    );
}

function wordsOf({ remove, dryRun }: Options, file: string, changed: boolean): string {
  if (!changed) return remove ? `vedit is not in ${file}` : `vedit is in ${file} already`;
  if (dryRun) return `${file} would be changed; nothing written`;
  return remove ? `taken out of ${file}` : `put into ${file}, which is read when the client starts next`;
}

function isOnPath({ PATH = '' }: NodeJS.ProcessEnv): boolean {
  const names = process.platform === 'win32' ? ['vedit.cmd', 'vedit.exe'] : ['vedit'];
  return PATH.split(delimiter).some(
    folder => folder !== '' && names.some(name => existsSync(join(folder, name))),
  );
}
