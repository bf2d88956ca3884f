import { type CompletionOptions as Options, SHELLS } from '../../../table/programs.ts';
import { UsageError } from '../../../table/usage.ts';
import type { Call } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { jsonLine } from '../views/answer.ts';

export async function run(call: Call<Options>): Promise<number> {
  const { args, options, terminal } = call;
  if (options.list !== undefined) return list(call, options.list);
  const shell = SHELLS.find(name => name === args[0]);
  if (!shell)
    throw new UsageError(
      `there are scripts for ${SHELLS.join(', ')}, not for ${args[0] === undefined ? 'no shell' : JSON.stringify(args[0])}`,
    );
  const script = SCRIPTS[shell];
  await terminal.print(options.json ? jsonLine({ ok: true, message: script, data: { shell } }) : script);
  return EXIT.done;
}

async function list(call: Call<Options>, kind: NonNullable<Options['list']>): Promise<number> {
  // Imported late because the list of commands holds this one too.
  const { candidatesForLine, ofKind } = await import('../completion/line.ts');
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
