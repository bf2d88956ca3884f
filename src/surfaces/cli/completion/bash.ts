/** The script for bash; git's own completion finds `_git_vedit` for `git vedit`. */

import type { Completable, Flag, Values } from './completable.ts';

export function bashScript(commands: readonly Completable[], common: readonly Flag[]): string {
  const names = commands.map(command => command.name).join(' ');
  return `# vedit completion for bash
_vedit_options() {
  case "$1" in
${commands.map(({ name, options }) => `    ${name}) echo '${flagWords(options)}' ;;`).join('\n')}
    *) echo '${flagWords(common)}' ;;
  esac
}

# What the arguments of a command can be: words, and kinds of names with a colon before them.
_vedit_arguments() {
  case "$1" in
    '') echo '${names}' ;;
${commands.map(({ name, arguments: values }) => `    ${name}) echo '${valueWords(values)}' ;;`).join('\n')}
  esac
}

# The same of the value of an option; 1 for an option that has none.
_vedit_value() {
  case "$1 $2" in
${valueBranches([{ name: '', options: [...common] }, ...commands]).join('\n')}
    *) return 1 ;;
  esac
}

_vedit_offer() {
  local one words=
  for one in $1; do
    case "$one" in
      :file) COMPREPLY+=($(compgen -f -- "$current")); compopt -o filenames 2>/dev/null ;;
      :*) words="$words $(vedit \${folder:+-C "$folder"} completion --list "\${one#:}" 2>/dev/null | cut -f1)" ;;
      *) words="$words $one" ;;
    esac
  done
  COMPREPLY+=($(compgen -W "$words" -- "$current"))
}

_vedit_complete() {
  local command= folder= at value word current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  for ((at = 1; at < COMP_CWORD; at++)); do
    word="\${COMP_WORDS[at]}"
    if [ "$word" = -C ]; then folder="\${COMP_WORDS[at+1]}"; fi
    case " ${names} " in *" $word "*) if [ "\${COMP_WORDS[at-1]}" != -C ]; then command="$word"; break; fi ;; esac
  done
  COMPREPLY=()
  if value="$(_vedit_value "$command" "$previous")"; then
    _vedit_offer "$value"
  elif [ "\${current#-}" != "$current" ]; then
    COMPREPLY=($(compgen -W "$(_vedit_options "$command")" -- "$current"))
  else
    _vedit_offer "$(_vedit_arguments "$command")"
  fi
}

_git_vedit() { _vedit_complete; }
complete -F _vedit_complete vedit
`;
}

function flagWords(flags: readonly Flag[]): string {
  return flags.flatMap(({ short, long }) => [short, long].filter(word => word !== '')).join(' ');
}

function valueWords({ words, kinds }: Values): string {
  return [...words, ...kinds.map(kind => `:${kind}`)].join(' ');
}

/** Options that mean the same in every command share a line. */
function valueBranches(commands: ReadonlyArray<Pick<Completable, 'name' | 'options'>>): string[] {
  const byValue = new Map<string, Set<string>>();
  for (const { name, options } of commands) {
    for (const { short, long, takesValue, values } of options) {
      if (!takesValue) continue;
      const words = valueWords(values);
      const patterns = [short, long].filter(word => word !== '').map(word => `"${name} ${word}"`);
      byValue.set(words, new Set([...(byValue.get(words) ?? []), ...patterns]));
    }
  }
  return [...byValue].map(([words, patterns]) => `    ${[...patterns].join('|')}) echo '${words}' ;;`);
}
