/** The script for zsh. */

import { type Completable, type Flag, quoted } from './completable.ts';

export function zshScript(commands: readonly Completable[], common: readonly Flag[]): string {
  return `#compdef vedit git-vedit
# vedit completion for zsh
_vedit() {
  local -a commands
  local state line
  commands=(
${commands.map(({ name, summary }) => `    ${quoted(`${name}:${summary}`)}`).join('\n')}
  )
  _arguments -C ${common.map(specs).join(' ')} '1:command:->command' '*::argument:->argument'
  case $state in
    command) _describe command commands ;;
    argument)
      case $line[1] in
${commands.map(branch).join('\n')}
      esac ;;
  esac
}
if [ "$funcstack[1]" = _vedit ]; then _vedit "$@"; else compdef _vedit vedit; fi
`;
}

function branch({ name, options, words }: Completable): string {
  const rest = words.length > 0 ? `1:word:(${words.join(' ')})` : '*:file:_files';
  return `        ${name}) _arguments ${options.map(specs).join(' ')} ${quoted(rest)} ;;`;
}

/** `'(-n --dry-run)'{-n,--dry-run}'[description]'`, as _arguments reads it. */
function specs({ short, long, takesValue, description }: Flag): string {
  const names = [short, long].filter(name => name !== '');
  const text = quoted(`[${description.replace(/[[\]\\:]/g, '\\$&')}]${takesValue ? ':value:_files' : ''}`);
  return names.length > 1 ? `'(${names.join(' ')})'{${names.join(',')}}${text}` : `${names[0]}${text}`;
}
