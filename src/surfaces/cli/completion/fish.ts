/** The script for fish, for its folder `conf.d`: one of `completions` is not read for `git vedit`. */

import type { Completable, Flag, Values } from './completable.ts';

export function fishScript(commands: readonly Completable[], common: readonly Flag[]): string {
  const names = commands.map(command => command.name).join(' ');
  const none = `-n 'not __fish_seen_subcommand_from ${names}'`;
  const lines = [
    '# vedit completion for fish',
    'function __vedit_names',
    '  set -l words (commandline -opc)',
    '  set -l folder',
    '  if set -l at (contains -i -- -C $words)',
    '    set folder -C $words[(math $at + 1)]',
    '  end',
    '  vedit $folder completion --list $argv[1] 2>/dev/null',
    'end',
    'complete -c vedit -f',
    ...common.map(flag => line(none, flag)),
    ...commands.map(
      ({ name, summary }) => `complete -c vedit -f ${none} -a ${name} -d ${fishQuoted(summary)}`,
    ),
    ...commands.flatMap(ofCommand),
    'function __vedit_of_git',
    '  set -l words (commandline -opc)',
    '  set -l at (contains -i -- vedit $words)',
    "  complete -C (string join ' ' -- vedit $words[(math $at + 1)..-1] (commandline -ct))",
    'end',
    "complete -c git -f -n '__fish_seen_subcommand_from vedit' -a '(__vedit_of_git)'",
  ];
  return `${lines.join('\n')}\n`;
}

function ofCommand({ name, options, arguments: values }: Completable): string[] {
  const here = `-n '__fish_seen_subcommand_from ${name}'`;
  const offered = valueWords(values);
  const own = offered === '' ? [] : [`complete -c vedit ${here} -a '${offered}'`];
  const files = values.kinds.includes('file') ? [`complete -c vedit ${here} -F`] : [];
  return [...own, ...files, ...options.map(flag => line(here, flag))];
}

/** Writes what is offered as the words of -a; files come by -F. */
function valueWords({ words, kinds }: Values): string {
  const calls = kinds.filter(kind => kind !== 'file').map(kind => `(__vedit_names ${kind})`);
  return [...words, ...calls].join(' ');
}

function line(where: string, { short, long, takesValue, description, values }: Flag): string {
  const names = [short && `-s ${short.slice(1)}`, long && `-l ${long.slice(2)}`].filter(name => name !== '');
  const offered = valueWords(values);
  const files = values.kinds.includes('file') ? ' -r -F' : ' -x';
  const value = takesValue ? `${files}${offered === '' ? '' : ` -a '${offered}'`}` : '';
  return `complete -c vedit ${where} ${names.join(' ')}${value} -d ${fishQuoted(description)}`;
}

function fishQuoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
