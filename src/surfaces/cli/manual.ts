/** Manual pages, made of the list of commands that --help is made of (man.mjs writes them at build time). */

import { capital } from '../../wording.ts';
import { type CliCommand, GROUPS, type ListedCommand, type OptionSpec } from './command.ts';
import { EXITS } from './exit-codes.ts';
import { commonOptions, headingOf } from './input/options.ts';

export interface ManualPage {
  /** `vedit-log.1` */
  file: string;
  /** In the man macros of roff. */
  text: string;
}

/** Loads every command. `vedit`, its copy for `git vedit --help`, and a page for each command. */
export async function manualPages(list: readonly ListedCommand[], version: string): Promise<ManualPage[]> {
  const pages = await Promise.all(
    list.map(async listed => ({
      file: `vedit-${listed.name}.1`,
      text: commandPage(listed, await listed.load(), version),
    })),
  );
  const program = (name: string): ManualPage => ({
    file: `${name}.1`,
    text: programPage(name, list, version),
  });
  return [program('vedit'), program('git-vedit'), ...pages];
}

function programPage(name: string, list: readonly ListedCommand[], version: string): string {
  const call = name.replace('-', ' ');
  const commands = GROUPS.flatMap(group => [
    `.SS ${roff(group)}`,
    ...list
      .filter(one => one.group === group)
      .flatMap(one => tagged(`.BR vedit\\-${roff(one.name)} (1)`, sentence(one.summary))),
  ]);
  return page(name, version, [
    ...section('Name', [`${roff(name)} \\- checked edits for AI agents and people, each one a commit`]),
    ...section('Synopsis', [`.B ${roff(call)}`, '[\\-C \\fIdir\\fR] \\fIcommand\\fR [\\fIarguments\\fR]']),
    ...section('Description', [
      roff(
        'Makes small, checked edits and records each as one commit of git, beside the branch of a repository that is ' +
          'there. The history can be read, undone and verified, by vedit and by plain git. Help for a command: vedit help ' +
          'log, vedit log --help, man vedit-log.',
      ),
    ]),
    ...section('Commands', commands),
    ...section('Options', optionLines(commonOptions)),
    ...exitSection(),
    ...section('See also', ['.BR git (1),', '.BR vedit\\-log (1),', '.BR vedit\\-land (1)']),
  ]);
}

function commandPage({ name, summary }: ListedCommand, command: CliCommand, version: string): string {
  const args = (command.arguments ?? []).map(([given]) => `\\fI${roff(given)}\\fR`);
  const named = (command.arguments ?? []).flatMap(([given, description]) =>
    tagged(`.I ${roff(given)}`, description),
  );
  return page(`vedit-${name}`, version, [
    ...section('Name', [`vedit\\-${roff(name)} \\- ${roff(summary)}`]),
    ...section('Synopsis', [`.B vedit ${roff(name)}`, ['[\\fIoptions\\fR]', ...args].join(' ')]),
    ...section('Description', [roff(`${sentence(summary)} ${command.details ?? ''}`.trim()), ...named]),
    ...section('Options', optionLines([...(command.options ?? []), ...commonOptions])),
    ...section('Examples', exampleLines(command)),
    ...exitSection(),
    ...section('See also', ['.BR vedit (1),', '.BR git (1)']),
  ]);
}

/** Options under their headings, those without one first. */
function optionLines(all: readonly OptionSpec[]): string[] {
  const options = all.filter(([, description]) => description !== '');
  const headings = new Set([undefined, ...options.map(headingOf)]);
  return [...headings].flatMap(heading => [
    ...(heading === undefined ? [] : [`.SS ${roff(heading.replace(/:$/, ''))}`]),
    ...options
      .filter(one => headingOf(one) === heading)
      .flatMap(([flags, description]) => tagged(`.B ${roff(flags)}`, description)),
  ]);
}

function exampleLines({ examples }: CliCommand): string[] {
  return examples.flatMap(([line, what]) => [
    ...(what === '' ? [] : ['.PP', roff(sentence(what))]),
    ...['.PP', '.nf', '.RS 4', roff(line), '.RE', '.fi'],
  ]);
}

function exitSection(): string[] {
  const lines = EXITS.flatMap(([code, words]) => tagged(`.B ${code}`, words));
  return section('Exit status', lines);
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`.SH ${roff(title.toUpperCase())}`, ...lines];
}

function tagged(tag: string, text: string): string[] {
  return ['.TP', tag, roff(text)];
}

function page(name: string, version: string, lines: readonly string[]): string {
  const head = `.TH ${roff(name.toUpperCase())} 1 "" "vedit ${roff(version)}" "vedit manual"`;
  return `${[head, ...lines].join('\n')}\n`;
}

function sentence(text: string): string {
  const start = capital(text);
  return /[.!?]$/.test(start) ? start : `${start}.`;
}

/** The characters that roff would print as others. */
const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\e',
  '-': '\\-',
  '’': '\\(cq',
  "'": '\\(aq',
  '`': '\\(ga',
  '^': '\\(ha',
  '~': '\\(ti',
};

/** Text in which roff reads no request, and prints each character as it is. */
function roff(text: string): string {
  return text
    .replace(/[\\\-’'`^~]/g, one => ESCAPES[one]!)
    .replaceAll('\n\n', '\n.PP\n')
    .replace(/^\.(?!PP$)/gm, '\\&.');
}
