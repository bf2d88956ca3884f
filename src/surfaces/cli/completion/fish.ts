/** The script for fish. */

import type { Completable, Flag } from './completable.ts';

export function fishScript(commands: readonly Completable[], common: readonly Flag[]): string {
  const names = commands.map(command => command.name).join(' ');
  const none = `-n 'not __fish_seen_subcommand_from ${names}'`;
  const lines = [
    '# vedit completion for fish',
    ...common.map(flag => line(none, flag)),
    ...commands.map(
      ({ name, summary }) => `complete -c vedit -f ${none} -a ${name} -d ${fishQuoted(summary)}`,
    ),
    ...commands.flatMap(ofCommand),
  ];
  return `${lines.join('\n')}\n`;
}

function ofCommand({ name, options, words }: Completable): string[] {
  const here = `-n '__fish_seen_subcommand_from ${name}'`;
  const own = words.length > 0 ? [`complete -c vedit -f ${here} -a '${words.join(' ')}'`] : [];
  return [...own, ...options.map(flag => line(here, flag))];
}

function line(where: string, { short, long, takesValue, description }: Flag): string {
  const names = [short && `-s ${short.slice(1)}`, long && `-l ${long.slice(2)}`].filter(name => name !== '');
  const value = takesValue ? ' -r' : '';
  return `complete -c vedit ${where} ${names.join(' ')}${value} -d ${fishQuoted(description)}`;
}

function fishQuoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
