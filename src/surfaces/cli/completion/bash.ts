/** The script for bash; git's own completion finds `_git_vedit` for `git vedit`. */

import type { Completable, Flag } from './completable.ts';

export function bashScript(commands: readonly Completable[], common: readonly Flag[]): string {
  const names = commands.map(command => command.name).join(' ');
  return `# vedit completion for bash
_vedit_words() {
  case "$1" in
${commands.map(branch).join('\n')}
    *) echo '${flagWords(common)} ${names}' ;;
  esac
}

_vedit_complete() {
  local command= word current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case " ${names} " in *" $word "*) command="$word"; break ;; esac
  done
  COMPREPLY=()
  if [ "$previous" = --color ]; then
    COMPREPLY=($(compgen -W 'auto always never' -- "$current"))
  elif [ -z "$command" ] || [ "$command" = completion ] || [ "\${current#-}" != "$current" ]; then
    COMPREPLY=($(compgen -W "$(_vedit_words "$command")" -- "$current"))
  fi
}

_git_vedit() { _vedit_complete; }
complete -o default -F _vedit_complete vedit
`;
}

function branch({ name, options, words }: Completable): string {
  return `    ${name}) echo '${[...words, flagWords(options)].join(' ')}' ;;`;
}

function flagWords(flags: readonly Flag[]): string {
  return flags.flatMap(({ short, long }) => [short, long].filter(word => word !== '')).join(' ');
}
