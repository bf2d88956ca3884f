/** Puts vedit into the settings of one client, or takes it out, and tells what it did. */

import { mkdir, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { SettingsOptions } from '../../../table/programs.ts';
import { UsageError } from '../../../table/use.ts';
import type { Located } from '../../../workspace/opening/locate.ts';
import { jsonLine } from '../answer.ts';
import type { Call } from '../command.ts';
import { styled } from '../terminal/style.ts';
import { shownDiff } from '../views/shown-diff.ts';
import { CLIENT_NAMES, CLIENTS, type Client } from './clients.ts';
import { type Change, type Consent, changesOf, homeOf, type Part, partsOf, type Scope } from './parts.ts';
import { writeSettings } from './settings-file.ts';

/** Finds the client of this name; `undefined` for none given. Throws UsageError. */
export function clientNamed(name: string | undefined): Client | undefined {
  const client = CLIENTS.find(one => one.name === name);
  if (name === undefined || client) return client;
  throw new UsageError(`there are settings for ${CLIENT_NAMES.join(', ')}, not for ${JSON.stringify(name)}`);
}

/** Reads whose settings are meant; a client without settings of a project has only those of a user. Throws UsageError. */
export function scopeOf({ user, local }: SettingsOptions, client: Client): Scope {
  if (user && local) throw new UsageError('give --user for all projects, or --local for this one, not both');
  if (local && client.local === undefined)
    throw new UsageError(
      `${client.name} keeps no settings of one person for one project: give --user, or neither for the project’s`,
    );
  if (local) return 'local';
  return user || client.project.length === 0 ? 'user' : 'project';
}

export interface Settling {
  client: Client;
  scope: Scope;
  located: Located | null;
  /** The arguments that the server is started with. */
  args: readonly string[];
  remove: boolean;
  mayBe: Consent;
}

/** Writes the settings, unless it is a dry run, and answers. Throws as changesOf and writeSettings. */
export async function settle(call: Call<SettingsOptions>, how: Settling): Promise<readonly Change[]> {
  const { located, scope, remove } = how;
  const { env } = call.terminal;
  const root = topOf(call, located);
  const parts = partsOf(how.client, { scope, root, home: homeOf(env), env }, how.args);
  const changes = await changesOf(parts, remove, how.mayBe);
  if (!call.options.dryRun) {
    for (const { file, ...change } of changes)
      if (change.before !== change.after) await writeSettings(file, change);
    if (located) await engineFolder(located, remove);
  }
  return changes;
}

/** Absolute: the top of the work tree, or the folder where there is none. */
export function topOf({ folder }: Call<object>, located: Located | null): string {
  return located && !located.bare ? located.root : folder;
}

/** Without it the hooks pass over the repository; empty, it is of no more use. */
async function engineFolder({ commonDir }: Located, remove: boolean): Promise<void> {
  const folder = join(commonDir, 'vedit');
  await (remove ? rmdir(folder) : mkdir(folder, { recursive: true })).catch(() => {});
}

/** Tells what of the files changed. `wasShown`: a person saw each part as it was asked for. */
export async function tellChanges(
  call: Call<SettingsOptions>,
  { client, remove }: Settling,
  changes: readonly Change[],
  wasShown: boolean,
): Promise<void> {
  const { options, terminal } = call;
  const shown = await Promise.all(
    changes
      .filter(({ before, after, isDone }) => isDone || before !== after)
      .map(async ({ file: { name }, before, after, parts }) => ({
        file: name,
        changed: before !== after,
        diff: await diffOf(name, before, after),
        parts: parts.map(part => ({ name: part.name, why: part.why })),
      })),
  );
  const words = shown.map(({ file, changed }) => wordsOf({ ...options, remove }, file, changed));
  if (options.json) {
    const data = { client: client.name, removed: remove, dry_run: options.dryRun ?? false, files: shown };
    return terminal.print(jsonLine({ ok: true, message: words.join('\n'), data }));
  }
  for (const [n, { diff, parts }] of shown.entries()) {
    if (!wasShown) await terminal.print(await shownDiff(diff, terminal));
    if (!wasShown && !remove)
      for (const { name, why } of parts) await tellOf(call, client, `${name}: ${why}`);
    await tellOf(call, client, words[n]!);
  }
}

/** Shows what a part would change, with its reason. */
export async function showPart(
  call: Call<SettingsOptions>,
  client: Client,
  part: Part,
  before: string | null,
  after: string | null,
): Promise<void> {
  await call.terminal.print(await shownDiff(await diffOf(part.file.name, before, after), call.terminal));
  await tellOf(call, client, `${part.name}: ${part.why}`);
}

async function tellOf({ terminal }: Call<object>, client: Client, words: string): Promise<void> {
  await terminal.tell(styled('bold', `[${client.name}]`), ` ${words}`);
}

async function diffOf(name: string, oldText: string | null, newText: string | null): Promise<string> {
  const { unifiedDiff } = await import('../../../text/diff/diff.ts');
  return oldText === newText ? '' : unifiedDiff({ oldPath: name, newPath: name, oldText, newText }).text;
}

function wordsOf(
  { remove, dryRun }: SettingsOptions & { remove: boolean },
  file: string,
  changed: boolean,
): string {
  if (!changed) return remove ? `vedit is not in ${file}` : `vedit is in ${file} already`;
  if (dryRun) return `${file} would be changed; nothing written`;
  return remove ? `taken out of ${file}` : `put into ${file}, which is read when the client starts next`;
}
