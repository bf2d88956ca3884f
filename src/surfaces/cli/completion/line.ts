/** Finds what the last word of a command line can be: commands, options, their values, and names that there are. */

import { resolve } from 'node:path';
import type { LogEntry } from '../../../queries/log/history.ts';
import { commandAt, commonOptions, type TrailOptions } from '../../../table/options.ts';
import type { OptionSpec, WordKind } from '../../../table/use.ts';
import type { Session } from '../../../workspace/session.ts';
import type { Call } from '../command.ts';
import { commands } from '../commands/index.ts';
import type { Engine } from '../engine.ts';
import type { CliCommand } from '../from-table.ts';
import { counted } from '../views/words.ts';

/** A name, and what is known of it. */
export type Candidate = readonly [name: string, about: string];

/** Stands for the names of files, which the shell lists itself. */
const FILES: Candidate = [':file', ''];

/** Placeholders of options and arguments, and options, by what they name. */
const KINDS: Readonly<Record<WordKind, readonly string[]>> = {
  commit: ['rev', 'commit'],
  branch: ['branch'],
  file: ['file', 'files', 'file[:A-B]', 'path', 'paths', 'path[:A-B]', 'dir', 'from', 'to'],
  session: ['--session'],
  agent: ['--agent'],
  trail: ['--trail'],
  op: ['--op'],
  command: [],
};

/** `words`: those after the program's name, with the one that is completed at the end, empty where nothing is typed of it. */
export async function candidatesForLine(call: Call, words: readonly string[]): Promise<Candidate[]> {
  const before = words.slice(0, -1);
  const current = words.at(-1) ?? '';
  const at = before.lastIndexOf('-C');
  const there = at < 0 ? call : { ...call, folder: resolve(call.folder, before[at + 1] ?? '') };
  const offered = await offeredAfter(there, before, current);
  return offered.filter(one => one === FILES || one[0].startsWith(current));
}

async function offeredAfter(call: Call, before: readonly string[], current: string): Promise<Candidate[]> {
  const listed = commands.find(one => one.name === before[commandAt(before)]);
  const command = await listed?.load();
  const options = [...(command?.options ?? []), ...commonOptions];
  const valued = options.find(one => takesValue(one) && namesOf(one).includes(before.at(-1)!));
  if (valued) return valuesOf(call, valued);
  if (current.startsWith('-')) {
    return options.flatMap(one => namesOf(one).map((name): Candidate => [name, one[1]]));
  }
  return command ? argumentsOf(call, command) : ofKind(call, 'command');
}

/** Returns `-n` and `--dry-run` of `-n, --dry-run`. */
function namesOf([flags]: OptionSpec): string[] {
  return flags.replace(/[<[].*/, '').match(/(?<!\S)--?[\w-]+/g) ?? [];
}

function takesValue([flags]: OptionSpec): boolean {
  return flags.includes('<');
}

async function valuesOf(call: Call, option: OptionSpec): Promise<Candidate[]> {
  const [flags, , value] = option;
  if (Array.isArray(value)) return value.map(word => [word, '']);
  const placeholder = /<(.*)>/.exec(flags)![1]!;
  const kind = kindOf(namesOf(option).at(-1)!) ?? kindOf(placeholder);
  return kind ? ofKind(call, kind) : [];
}

async function argumentsOf(call: Call, { arguments: list = [] }: CliCommand): Promise<Candidate[]> {
  const fixed = list.flatMap(([, , words]) => (Array.isArray(words) ? (words as string[]) : []));
  if (fixed.length > 0) return fixed.map(word => [word, '']);
  const kinds = list.flatMap(
    ([one, , kind]) => (kind as WordKind) ?? kindOf(one.slice(1, -1).replace(/\.\.\.$/, '')) ?? [],
  );
  return (await Promise.all([...new Set(kinds)].map(kind => ofKind(call, kind)))).flat();
}

function kindOf(word: string): WordKind | undefined {
  return (Object.keys(KINDS) as WordKind[]).find(kind => KINDS[kind].includes(word));
}

/** Returns the names of a kind that there are. */
export async function ofKind(call: Call<TrailOptions>, kind: WordKind): Promise<Candidate[]> {
  if (kind === 'file') return [FILES];
  if (kind === 'command') return commands.map(({ name, summary }) => [name, summary]);
  const { withEngine } = await import('../engine.ts');
  // Nothing where there is no repository: a shell that completes a word shows no refusal.
  return withEngine(call, engine => LISTS[kind](engine, call).then(once)).catch(() => []);
}

function once(list: readonly Candidate[]): Candidate[] {
  const known = new Map(list.filter(([name]) => name !== '').map(one => [one[0], one]));
  return [...known.values()];
}

/** The number of commits that are offered. */
const COMMITS = 50;

async function newest(session: Session): Promise<LogEntry[]> {
  const found: LogEntry[] = [];
  for await (const one of session.entries({ limit: COMMITS })) found.push(one);
  return found;
}

type ListNames = (engine: Engine, call: Call) => Promise<Candidate[]>;

async function refsBelow(
  prefix: string,
  about: string,
  { root }: Engine,
  { terminal }: Call,
): Promise<Candidate[]> {
  const { gitOf } = await import('../engine.ts');
  const { quietGit } = await import('../../../land/git/system-git.ts');
  const git = quietGit(await gitOf(terminal));
  const result = await git({ args: ['for-each-ref', '--format=%(refname:lstrip=2)', prefix], cwd: root });
  return (result?.stdout ?? '').split('\n').map(name => [name, about]);
}

/** By kind, what lists the names that only the repository knows. */
const LISTS: Readonly<Record<Exclude<WordKind, 'file' | 'command'>, ListNames>> = {
  branch: (engine, call) => refsBelow('refs/heads/', 'branch', engine, call),
  trail: async (engine, call) => {
    const own = await refsBelow('refs/vedit/', 'history', engine, call);
    const { peers } = (await engine.workspace.peers()).data;
    return [...own, ...peers.map((one): Candidate => [one.name, one.agent ?? 'another clone'])];
  },
  commit: async ({ session }) => {
    const entries = await newest(session);
    return [['@', 'the newest'], ...entries.map((one): Candidate => [one.commit.slice(0, 7), one.subject])];
  },
  op: async ({ session }) => (await newest(session)).map(({ op }) => [op ?? '', 'edit']),
  session: async ({ workspace }) => {
    const { sessions } = (await workspace.sessions()).data;
    return sessions.map(one => [one.session, `${one.agent ?? one.author}, ${counted(one.edits, 'edit')}`]);
  },
  agent: async ({ workspace }) => {
    const { sessions } = (await workspace.sessions()).data;
    return sessions.map(one => [one.agent ?? '', counted(one.edits, 'edit')]);
  },
};
