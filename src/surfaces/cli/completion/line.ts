/** Finds what the last word of a command line can be: commands, options, their values, and names that there are. */

import { resolve } from 'node:path';
import type { Call, CliCommand, LISTED_KINDS, OptionSpec, WordKind } from '../command.ts';
import { commands } from '../commands/index.ts';
import { commandAt, commonOptions, type TrailOptions } from '../input/options.ts';
import { CLIENT_NAMES } from '../install/clients.ts';
import { counted } from '../views/counted.ts';
import { SHELLS } from './scripts.ts';

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

/** Words that the argument of a command can be, where they are fixed. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  completion: SHELLS,
  tools: ['minimal', 'standard', 'all'],
  hook: ['claude-code'],
  install: CLIENT_NAMES,
};

/** `words`: those after the program's name, with the one that is completed at the end, empty where nothing is typed of it. */
export async function candidatesForLine(call: Call, words: readonly string[]): Promise<Candidate[]> {
  const [before, current] = [words.slice(0, -1), words.at(-1) ?? ''];
  const listed = commands.find(one => one.name === before[commandAt(before)]);
  const command = await listed?.load();
  const options = [...(command?.options ?? []), ...commonOptions];
  const valued = options.find(one => takesValue(one) && namesOf(one).includes(before.at(-1)!));
  const at = before.lastIndexOf('-C');
  const there = at < 0 ? call : { ...call, folder: resolve(call.folder, before[at + 1] ?? '') };
  const offered = valued
    ? await valuesOf(there, valued)
    : current.startsWith('-')
      ? options
          .filter(([, description]) => description !== '')
          .flatMap(one => namesOf(one).map((name): Candidate => [name, one[1]]))
      : command
        ? await argumentsOf(there, listed!.name, command)
        : await ofKind(there, 'command');
  return offered.filter(one => one === FILES || one[0].startsWith(current));
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

async function argumentsOf(
  call: Call,
  name: string,
  { arguments: list = [] }: CliCommand,
): Promise<Candidate[]> {
  const fixed = ARGUMENTS[name];
  if (fixed) return fixed.map(word => [word, '']);
  const kinds = list.flatMap(
    ([one, , kind]) => kind ?? kindOf(one.slice(1, -1).replace(/\.\.\.$/, '')) ?? [],
  );
  return (await Promise.all([...new Set(kinds)].map(kind => ofKind(call, kind)))).flat();
}

function kindOf(word: string): WordKind | undefined {
  return (Object.keys(KINDS) as WordKind[]).find(kind => KINDS[kind].includes(word));
}

/** Returns the names of a kind that there are. */
export async function ofKind(call: Call, kind: WordKind): Promise<Candidate[]> {
  if (kind === 'file') return [FILES];
  if (kind === 'command') return commands.map(({ name, summary }) => [name, summary]);
  return candidates(call, kind);
}

/** The kinds of names that only the repository knows. */
type RepositoryKind = Exclude<(typeof LISTED_KINDS)[number], 'command'>;

/** The number of commits that are offered. */
const COMMITS = 50;

/** Nothing where there is no repository: a shell that completes a word shows no refusal. */
async function candidates(call: Call<TrailOptions>, kind: RepositoryKind): Promise<Candidate[]> {
  try {
    return await namesIn(call, kind);
  } catch {
    return [];
  }
}

async function namesIn(call: Call<TrailOptions>, kind: RepositoryKind): Promise<Candidate[]> {
  const { withEngine } = await import('../engine.ts');
  return withEngine(call, async ({ workspace, session, root }) => {
    if (kind === 'branch') return branches(call, root);
    if (kind === 'trail') {
      const { data } = await workspace.trails();
      const own = data.trails.filter(one => !one.checked_out);
      const names = own.map(
        (one): Candidate => [one.name.replace(/^vedit\//, ''), counted(one.edits, 'edit')],
      );
      const { peers } = (await workspace.peers()).data;
      return [...names, ...peers.map((one): Candidate => [one.name, one.agent ?? 'another clone'])];
    }
    if (kind === 'commit' || kind === 'op') {
      const found: Candidate[] = [];
      for await (const one of session.entries({ limit: COMMITS }))
        found.push(kind === 'commit' ? [one.commit.slice(0, 7), one.subject] : [one.op ?? '', 'edit']);
      return kind === 'commit' ? [['@', 'the newest'], ...found] : once(found);
    }
    const { data } = await workspace.sessions();
    const words = data.sessions.map(({ session: id, agent, author, edits }): Candidate => {
      const about = counted(edits, 'edit');
      return kind === 'session' ? [id, `${agent ?? author}, ${about}`] : [agent ?? '', about];
    });
    return once(words);
  });
}

async function branches({ terminal }: Call, root: string): Promise<Candidate[]> {
  const { quietGit, systemGit } = await import('../../../land/git/system-git.ts');
  const git = quietGit(await systemGit(terminal.env));
  const args = ['for-each-ref', '--format=%(refname:short)', 'refs/heads'];
  const result = await git({ args, cwd: root });
  return (result?.stdout ?? '')
    .split('\n')
    .map(name => [name, 'branch'] as const)
    .filter(([name]) => name !== '');
}

function once(list: readonly Candidate[]): Candidate[] {
  const known = new Map(list.filter(([name]) => name !== '').map(one => [one[0], one]));
  return [...known.values()];
}
