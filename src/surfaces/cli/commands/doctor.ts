import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { shownName } from '../../../c-quote.ts';
import { type EventKind, parseEventName } from '../../../engine/origins/agent-events.ts';
import { objectIn } from '../../../json.ts';
import type { DoctorData } from '../../../maintenance/doctor.ts';
import type { DoctorOptions as Options } from '../../../table/programs.ts';
import { type Attempt, answer, attempt, isWanted } from '../answer.ts';
import type { Call } from '../command.ts';
import { type Engine, withEngine } from '../engine.ts';
import { CLIENTS, type Client } from '../install/clients.ts';
import { foundIn, homeOf, type Part, type Places, partsOf } from '../install/parts.ts';
import { readSettings } from '../install/settings-file.ts';
import { onPath } from '../terminal/programs.ts';

export function run(call: Call<Options>): Promise<number> {
  return withEngine(call, async engine => {
    const { workspace } = engine;
    const agents = await agentsOf(call, engine);
    const show = (result: Found): Promise<number> => shown(call, result, agents);
    const found = await attempt(() => workspace.doctor());
    const { token, state } = found.ok ? found.data.lock : { token: null, state: 'free' };
    if (!call.options.unlock || !found.ok || token === null || state === 'free') return show(found);
    if (!call.options.yes && !(await isWanted(call, found.message, QUESTION, NOBODY))) return show(found);
    return show(await attempt(() => workspace.doctor({ unlock: token })));
  });
}

const QUESTION = 'Take the lock from that process? [y/N] ';
const NOBODY = '--unlock asks first, and there is nobody to ask: give --yes as well if you are sure';

type Found = Attempt<DoctorData>;

interface Agents {
  agents: AgentReport[];
  spooled: number;
  /** Repositories inside this one, and others that agents of this one edit, of which nothing is recorded, since they have no history of vedit. */
  without: string[];
}

async function agentsOf({ terminal: { env } }: Call<Options>, engine: Engine): Promise<Agents> {
  const { root, gitDir, commonDir } = engine;
  const folder = join(commonDir, 'vedit');
  const agents = await agentReports({ root, home: homeOf(env), env }, folder);
  const own = join(gitDir, 'vedit');
  const edited = await editedElsewhere(folder);
  return { agents, spooled: await spooled(own), without: await withoutHistory(root, own, edited) };
}

function shown(call: Call<Options>, result: Found, more: Agents): Promise<number> {
  if (!result.ok) return answer(call, result);
  const message = [result.message, ...reportLines(more)].join('\n');
  return answer(call, { ...result, message, data: { ...result.data, ...more } });
}

type InstallFolder = Omit<Places, 'scope'>;

export interface AgentReport {
  client: string;
  files: Array<{ file: string; holds: string[]; version: string | null }>;
  /** The hooks that stand in several files, so that each event is told several times. */
  twice: string[];
  /** `null` where that is not known. */
  trusted: boolean | null;
  /** When an event of each kind came last. */
  heard: Partial<Record<EventKind, string>>;
}

/** Reports on each client that has anything of vedit, or was heard of. `folder`: the engine's. Throws nothing. */
async function agentReports(places: InstallFolder, folder: string): Promise<AgentReport[]> {
  const heard = await heardFrom(folder);
  const reports = await Promise.all(CLIENTS.map(client => reportOf(client, places, heard)));
  return reports.filter(({ files, heard: own }) => files.length > 0 || Object.keys(own).length > 0);
}

async function reportOf(
  client: Client,
  places: InstallFolder,
  heard: ReadonlyMap<string, AgentReport['heard']>,
): Promise<AgentReport> {
  const scopes = ['project', ...(client.local === undefined ? [] : (['local'] as const)), 'user'] as const;
  const all = scopes.flatMap(scope => partsOf(client, { ...places, scope }, []));
  // A client without settings of a project has the same file twice.
  const parts = new Map(all.map(part => [`${part.name} ${part.file.path}`, part]));
  const files = new Map<string, AgentReport['files'][number]>();
  const hooks: string[] = [];
  for (const part of parts.values()) {
    const { file, name } = part;
    const { text, found } = name === 'instructions' || name === 'skill' ? NOTHING : await read(part);
    if (found.length === 0) continue;
    const entry = files.get(file.path) ?? { file: file.name, holds: [], version: versionOf(text, places) };
    entry.holds.push(name === 'hooks' ? `hooks (${[...new Set(found)].join(', ')})` : name);
    files.set(file.path, entry);
    if (name === 'hooks') hooks.push(...found);
  }
  return {
    client: client.name,
    files: [...files.values()],
    twice: [...new Set(hooks.filter((event, n) => hooks.indexOf(event) !== n))],
    trusted: files.size === 0 ? null : ((await TRUST[client.name]?.(places)) ?? null),
    heard: heard.get(client.name) ?? {},
  };
}

interface Read {
  text: string;
  found: readonly string[];
}

const NOTHING: Read = { text: '', found: [] };

/** Reads a part's file; one that cannot be read says so. */
async function read(part: Part): Promise<Read> {
  try {
    const text = (await readSettings(part.file)) ?? '';
    return text === '' ? NOTHING : { text, found: foundIn(part, text) };
  } catch (error) {
    return { text: '', found: [`unknown: ${(error as Error).message}`] };
  }
}

/** Returns the version of the vedit that the settings start, by its path or its name; `null` where it is not there. */
function versionOf(text: string, { env }: Pick<Places, 'env'>): string | null {
  const named = /(\/[^"'\s]*\/)vedit(?:\.js|-hook|-rights)?(?=["'\s\\])/.exec(text)?.[1];
  const program = named === undefined ? onPath('vedit', env) : join(named, 'vedit.js');
  try {
    const file = join(dirname(realpathSync(program!)), '..', 'package.json');
    return String(JSON.parse(readFileSync(file, 'utf8')).version);
  } catch {
    return null;
  }
}

/** By agent, the newest of each kind. */
async function heardFrom(folder: string): Promise<Map<string, AgentReport['heard']>> {
  const heard = new Map<string, AgentReport['heard']>();
  for (const name of await readdir(join(folder, 'agents')).catch(() => [])) {
    const event = parseEventName(name);
    const at = event && (await stat(join(folder, 'agents', name)).catch(() => null))?.ctime.toISOString();
    if (!event || !at || event.kind === 'elsewhere') continue;
    const own = heard.get(event.agent) ?? {};
    if ((own[event.kind] ?? '') < at) own[event.kind] = at;
    heard.set(event.agent, own);
  }
  return heard;
}

/** Lists the repositories of which hooks told that agents of this one edit there. */
async function editedElsewhere(folder: string): Promise<string[]> {
  const names = (await readdir(join(folder, 'agents')).catch(() => [])).filter(
    name => parseEventName(name)?.kind === 'elsewhere',
  );
  const texts = await Promise.all(names.map(name => textOf(join(folder, 'agents', name))));
  return texts.map(text => String(objectIn(text)?.path));
}

/**
 * Lists the repositories inside, as looks at all files came by them and as submodules, and those elsewhere that were edited, that
 * have no history of vedit.
 */
async function withoutHistory(root: string, own: string, edited: readonly string[]): Promise<string[]> {
  const { locateRepository } = await import('../../../workspace/opening/locate.ts');
  const met = (await textOf(join(own, 'seen.exclude'))).matchAll(/^\/(.+)\/$/gm);
  const modules = (await textOf(join(root, '.gitmodules'))).matchAll(/^\s*path\s*=\s*(.+)$/gm);
  const inside = [...met, ...modules].map(([, name]) => name!.replace(/\\(.)/g, '$1'));
  const found: string[] = [];
  for (const name of [...new Set([...inside, ...edited])].sort()) {
    const place = resolve(root, name);
    if (!existsSync(join(place, '.git'))) continue;
    const there = await locateRepository(realpathSync(place)).catch(() => null);
    if (there && !existsSync(join(there.commonDir, 'vedit'))) found.push(name);
  }
  return found;
}

/** The number of events that wait to be recorded. */
async function spooled(folder: string): Promise<number> {
  return (await readdir(join(folder, 'spool')).catch(() => [])).filter(name => !name.startsWith('.')).length;
}

/** Returns the reports for a person, one line each. */
function reportLines({ agents, spooled: waiting, without }: Agents): string[] {
  return [
    ...agents.flatMap(linesOf),
    ...(waiting > 0 ? [`${waiting} events of agents wait to be recorded`] : []),
    ...(without.length > 0
      ? [
          `nothing is recorded of the repositories in ${without.map(shownName).join(', ')}: vedit install there changes that`,
        ]
      : []),
  ];
}

function linesOf({ client, files, twice, trusted, heard }: AgentReport): string[] {
  const trust = trusted === null ? '' : trusted ? ', trusted' : ', not trusted yet: start it here once';
  const times = Object.entries(heard).map(([kind, at]) => `${kind} ${at.slice(0, 19)}Z`);
  return [
    client + trust,
    ...files.map(({ file, holds, version }) => {
      const by = version === null ? ', which start no vedit that is here' : `, of vedit ${version}`;
      return `  ${file}: ${holds.join('; ')}${by}`;
    }),
    ...(twice.length > 0 ? [`  twice: ${twice.join(', ')} are told several times; remove one of them`] : []),
    ...(files.length === 0 ? ['  nothing of vedit is in its settings'] : []),
    times.length === 0 ? '  never heard of here' : `  last heard: ${times.join(', ')}`,
  ];
}

/** Where a client keeps that a person trusts a folder, so that it starts what settings of a project name. */
const TRUST: Readonly<Partial<Record<string, (place: InstallFolder) => Promise<boolean>>>> = {
  /** A hook is trusted by its hash; where one is, the others of that file were shown with it. */
  codex: async ({ root, home, env }) => {
    const text = await textOf(join(env.CODEX_HOME ?? join(home, '.codex'), 'config.toml'));
    const table = text.split(/^(?=\[)/m).find(one => one.startsWith(`[projects.${JSON.stringify(root)}]`));
    return /^trust_level\s*=\s*"trusted"/m.test(table ?? '') && text.includes(`"${root}/.codex/hooks.json:`);
  },
  gemini: async ({ root, home }) =>
    /^TRUST_(FOLDER|PARENT)$/.test(
      String(objectIn(await textOf(join(home, '.gemini/trustedFolders.json')))?.[root]),
    ),
  'claude-code': async ({ root, home, env }) => {
    const file = join(env.CLAUDE_CONFIG_DIR ?? home, '.claude.json');
    const projects = Object(objectIn(await textOf(file))?.projects) as Record<string, object>;
    const { hasTrustDialogAccepted } = Object(projects[root]) as { hasTrustDialogAccepted?: unknown };
    return hasTrustDialogAccepted === true;
  },
};

function textOf(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}
