/**
 * The pages of the documentation, README.md, docs/ and dev/: their tables as the registries have them, their code blocks
 * by language, their headings.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { edits } from '../../src/edits/index.ts';
import { commonFields } from '../../src/engine/change/edit-input.ts';
import { EditError, ERROR_CODES, type ErrorCode } from '../../src/errors.ts';
import { commands } from '../../src/surfaces/cli/commands/index.ts';
import { EXITS, exitCodeOf } from '../../src/surfaces/cli/exit-codes.ts';
import { editTools, tools } from '../../src/tools/index.ts';
import { COUNTS } from '../conformance/upstream/index.ts';
import { ROOT } from '../helpers/source.ts';
import { BEFORE, LISTS, SETS, tokensOf } from '../surfaces/tool-lists.ts';

export interface Page {
  /** Relative to the root: `README.md`, `docs/tools.md`. */
  readonly name: string;
  readonly file: string;
  readonly text: string;
}

/** README.md first, then the pages of docs/, for users, and of dev/, for those who work on the project, by name. */
export function pages(): Page[] {
  const below = ['docs', 'dev'].flatMap(folder =>
    readdirSync(join(ROOT, folder))
      .filter(name => name.endsWith('.md'))
      .sort()
      .map(name => `${folder}/${name}`),
  );
  return ['README.md', ...below].map(name => {
    const file = join(ROOT, name);
    return { name, file, text: readFileSync(file, 'utf8') };
  });
}

/** The tables that a page has marks for: `<!-- table: name -->`. */
export function tablesIn(text: string): string[] {
  return [...text.matchAll(/^<!-- table: (.+) -->$/gm)].map(([, name]) => name!);
}

/** The anchors of a page, as GitHub makes them of its headings. */
export function anchors(text: string): string[] {
  const plain = text.replace(/^```[\s\S]*?^```$/gm, '');
  return [...plain.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

type Table = readonly (readonly string[])[];

export const TABLES: Readonly<Record<string, () => Table>> = {
  edits: editTable,
  fields: fieldTable,
  tools: toolTable,
  errors: errorTable,
  commands: commandTable,
  exits: exitTable,
  tokens: tokenTable,
  facts: factTable,
};

/** The page with every table after a mark `<!-- table: name -->` made anew. */
export function withTables(page: string): string {
  let result = page;
  for (const name of tablesIn(page)) {
    const place = new RegExp(`(<!-- table: ${name} -->\\n\\n)(?:\\|.*(?:\\n|$))*(\\n?)`);
    result = result.replace(
      place,
      (_, mark: string, after: string) => mark + markdown(TABLES[name]!()) + after,
    );
  }
  return result;
}

function markdown([head, ...rows]: Table): string {
  const lines = [head!, head!.map(() => '---'), ...rows];
  return lines.map(cells => `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |\n`).join('');
}

function tokenTable(): Table {
  const number = (count: number | undefined): string => count?.toLocaleString('en') ?? '';
  const rows = Object.entries(LISTS).map(([name, list]) => [
    name,
    number(BEFORE[name]),
    ...SETS.map(set => number(tokensOf(list(set)))),
  ]);
  return [['adapter', 'standard, before', ...SETS], ...rows];
}

function factTable(): Table {
  const rows = COUNTS.map(({ from, facts, agree, differ }) => [from, ...[facts, agree, differ].map(String)]);
  return [['of', 'facts', 'answered as theirs', 'otherwise, on purpose'], ...rows];
}

function editTable(): Table {
  const rows = edits.map(edit => [code(edit.name), fieldList(edit.input), edit.description]);
  return [['edit', 'fields', 'what it does, as the model is told'], ...rows];
}

/** Fields that may be absent in brackets. */
function fieldList(schema: z.ZodObject): string {
  const shape: Record<string, z.core.$ZodType> = schema.shape;
  return Object.entries(shape)
    .map(([name, type]) => (z.safeParse(type, undefined).success ? `[${code(name)}]` : code(name)))
    .join(' ');
}

function fieldTable(): Table {
  const rows = Object.entries(commonFields).map(([name, field]) => [code(name), field().description ?? '']);
  return [['field', 'meaning'], ...rows];
}

function toolTable(): Table {
  const lifted = new Set(editTools.map(tool => tool.name));
  const rows = tools
    .filter(tool => !lifted.has(tool.name))
    .map(tool => [
      code(tool.name),
      fieldList(tool.input),
      tool.readOnly ? 'reads' : 'writes',
      tool.description,
    ]);
  return [['tool', 'fields', '', 'what it does, as the model is told'], ...rows];
}

function errorTable(): Table {
  const rows = (Object.keys(ERROR_CODES) as ErrorCode[]).map(name => [
    code(name),
    ERROR_CODES[name],
    new EditError(name, '').retryable ? 'yes' : '',
    String(exitCodeOf(name)),
  ]);
  return [['code', 'meaning', '`retryable`', 'exit code'], ...rows];
}

function commandTable(): Table {
  return [
    ['command', 'what it does', 'to'],
    ...commands.map(({ name, summary, group }, at) => {
      const isFirst = commands[at - 1]?.group !== group;
      return [code(`vedit ${name}`), summary, isFirst ? group.toLowerCase() : ''];
    }),
  ];
}

function exitTable(): Table {
  const codes = Object.keys(ERROR_CODES) as ErrorCode[];
  const rows = EXITS.map(([exit, words]) => [
    String(exit),
    words,
    codes
      .filter(name => exitCodeOf(name) === exit)
      .map(code)
      .join(' '),
  ]);
  return [['exit code', 'means', 'after'], ...rows];
}

function code(text: string): string {
  return `\`${text}\``;
}

/** The blocks of a language in order. `info` is the whole line after the fence: `ts`, `sh run`. */
export function blocks(page: string, info: string): string[] {
  return [...page.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)]
    .filter(([, line]) => line === info)
    .map(([, , text]) => text!);
}

/** A text as a part of a regular expression. */
export function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
