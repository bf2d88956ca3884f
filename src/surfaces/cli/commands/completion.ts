import { resolve } from 'node:path';
import type { LogEntry } from '../../../queries/log/history.ts';
import { commandAt, commonOptions, type TrailOptions } from '../../../table/options.ts';
import { type CompletionOptions as Options, SHELLS } from '../../../table/programs.ts';
import { rows } from '../../../table/rows.ts';
import { type OptionSpec, UsageError, type WordKind } from '../../../table/use.ts';
import type { Session } from '../../../workspace/session.ts';
import { answer } from '../answer.ts';
import type { Call } from '../command.ts';
import type { Engine } from '../engine.ts';
import { EXIT } from '../exit-codes.ts';
import { type CliCommand, lineOf } from '../from-table.ts';
import { counted } from '../terminal/words.ts';

export async function run(call: Call<Options>): Promise<number> {
  const { args, options } = call;
  if (options.list !== undefined) return list(call, options.list);
  const shell = SHELLS.find(name => name === args[0]);
  if (!shell)
    throw new UsageError(
      `there are scripts for ${SHELLS.join(', ')}, not for ${args[0] === undefined ? 'no shell' : JSON.stringify(args[0])}`,
    );
  const script = SCRIPTS[shell];
  return answer(call, { ok: true, message: script, data: { shell } }, () => call.terminal.print(script));
}

async function list(call: Call<Options>, kind: NonNullable<Options['list']>): Promise<number> {
  const found = kind === 'line' ? await candidatesForLine(call, call.args) : await ofKind(call, kind);
  for (const [name, about] of found)
    await call.terminal.print(`${[name, about.replace(/\s+/g, ' ')].filter(Boolean).join('\t')}\n`);
  return EXIT.done;
}

/**
 * The completion scripts: at every press of Tab each hands the command line to `vedit completion --list line`, and offers
 * what that answers. The line `:file` stands for the names of files, which the shell knows best.
 */
const SCRIPTS: Readonly<Record<(typeof SHELLS)[number], string>> = {
  // Git's own completion finds _git_vedit for `git vedit`.
  bash: `# vedit completion for bash
_vedit_complete() {
  local one at=1 current="\${COMP_WORDS[COMP_CWORD]}"
  if [ "\${COMP_WORDS[0]##*/}" = git ]; then
    while [ "\${COMP_WORDS[at-1]}" != vedit ]; do at=$((at + 1)); done
  fi
  COMPREPLY=()
  while IFS=$'\\t' read -r one _; do
    if [ "$one" = :file ]; then COMPREPLY+=($(compgen -f -- "$current")); compopt -o filenames 2>/dev/null
    else COMPREPLY+=("$one"); fi
  done < <(vedit completion --list line -- "\${__git_C_args[@]}" "\${COMP_WORDS[@]:at:COMP_CWORD-at}" "$current" 2>/dev/null)
}
_git_vedit() { _vedit_complete; }
complete -F _vedit_complete vedit
`,
  // In a file _vedit of fpath; in one more named _git-vedit, zsh's completion of git finds it for `git vedit`.
  zsh: `#compdef vedit git-vedit
# vedit completion for zsh
_vedit() {
  local -a found
  found=(\${(f)"$(vedit completion --list line -- "\${(@Q)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)"})
  if (( \${found[(I):file]} )); then _files; found=(\${found:#:file}); fi
  found=(\${found//:/\\\\:})
  found=(\${found/$'\\t'/:})
  _describe -V vedit found
}
_git-vedit() { _vedit "$@" }
case "$funcstack[1]" in
  _vedit | _git-vedit) _vedit "$@" ;;
  *) compdef _vedit vedit ;;
esac
`,
  // In fish's folder conf.d: a script in its folder completions is not read for \`git vedit\`.
  fish: `# vedit completion for fish
function __vedit_complete
  set -l words (commandline -opc)
  set -l at (contains -i -- vedit $words; or echo 1)
  for one in (vedit completion --list line -- $words[(math $at + 1)..-1] (commandline -ct) 2>/dev/null)
    if test $one = :file
      __fish_complete_path (commandline -ct)
    else
      echo $one
    end
  end
end
complete -c vedit -f -a '(__vedit_complete)'
complete -c git -f -n '__fish_seen_subcommand_from vedit' -a '(__vedit_complete)'
`,
};

/** A name, and what is known of it. */
type Candidate = readonly [name: string, about: string];

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
async function candidatesForLine(call: Call, words: readonly string[]): Promise<Candidate[]> {
  const before = words.slice(0, -1);
  const current = words.at(-1) ?? '';
  const at = before.lastIndexOf('-C');
  const there = at < 0 ? call : { ...call, folder: resolve(call.folder, before[at + 1] ?? '') };
  const offered = await offeredAfter(there, before, current);
  return offered.filter(one => one === FILES || one[0].startsWith(current));
}

async function offeredAfter(call: Call, before: readonly string[], current: string): Promise<Candidate[]> {
  const row = rows.find(one => one.name === before[commandAt(before)]);
  const command = row && lineOf(await row.load());
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
async function ofKind(call: Call<TrailOptions>, kind: WordKind): Promise<Candidate[]> {
  if (kind === 'file') return [FILES];
  if (kind === 'command') return rows.map(({ name, summary }) => [name, summary]);
  const { withEngine } = await import('../engine.ts');
  // Nothing where there is no repository: a shell that completes a word shows no refusal.
  return withEngine(call, engine => LISTS[kind](engine, call).then(once)).catch(() => []);
}

function once(list: readonly Candidate[]): Candidate[] {
  const known = new Map(list.filter(([name]) => name !== '').map(one => [one[0], one]));
  return [...known.values()];
}

/** Those that are offered. */
async function newest(session: Session): Promise<LogEntry[]> {
  return (await session.log({ limit: 50 })).data.entries;
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
