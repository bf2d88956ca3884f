/**
 * The script for zsh, in a file `_vedit` of fpath. In one more named `_git-vedit`, its completion of git finds it for
 * `git vedit`.
 */

import { type Completable, type Flag, quoted, type Values } from './completable.ts';

export function zshScript(commands: readonly Completable[], common: readonly Flag[]): string {
  return `#compdef vedit git-vedit
# vedit completion for zsh

# The names of a kind that there are, with what is known of each.
_vedit_names() {
  local -a found folder
  if [[ -n $_vedit_folder ]]; then folder=(-C "$_vedit_folder"); fi
  found=(\${(f)"$(vedit $folder completion --list $1 2>/dev/null)"})
  found=(\${found//:/\\\\:})
  found=(\${found/$'\\t'/:})
  _describe -V "$1" found
}

_vedit() {
  local -a commands
  local state line _vedit_folder
  local -A opt_args
  commands=(
${commands.map(({ name, summary }) => `    ${quoted(`${name}:${summary}`)}`).join('\n')}
  )
  _arguments -C ${common.map(specs).join(' ')} '1:command:->command' '*::argument:->argument'
  case $state in
    command) _describe command commands ;;
    argument)
      _vedit_folder=\${(Q)opt_args[-C]}
      case $line[1] in
${commands.map(branch).join('\n')}
      esac ;;
  esac
}

_git-vedit() { _vedit "$@" }
case "$funcstack[1]" in
  _vedit | _git-vedit) _vedit "$@" ;;
  *) compdef _vedit vedit ;;
esac
`;
}

function branch({ name, options, arguments: values }: Completable): string {
  const rest = `*:word:${action(values)}`;
  return `        ${name}) _arguments ${options.map(specs).join(' ')} ${quoted(rest)} ;;`;
}

/** Writes what is offered as _arguments reads it. */
function action({ words, kinds }: Values): string {
  if (words.length > 0) return `(${words.join(' ')})`;
  const calls = kinds.map(kind => (kind === 'file' ? '_files' : `_vedit_names ${kind}`));
  return calls.length === 0 ? ' ' : `{${calls.join('; ')}}`;
}

/** `'(-n --dry-run)'{-n,--dry-run}'[description]'`, as _arguments reads it. */
function specs({ short, long, takesValue, description, values }: Flag): string {
  const names = [short, long].filter(name => name !== '');
  const value = takesValue ? `:value:${action(values)}` : '';
  const text = quoted(`[${description.replace(/[[\]\\:]/g, '\\$&')}]${value}`);
  return names.length > 1 ? `'(${names.join(' ')})'{${names.join(',')}}${text}` : `${names[0]}${text}`;
}
