/** How long files and functions are. Pure: lines of a text in, the too long ones out. */

import { Visitor } from 'rolldown/utils';
import { parse } from '../helpers/source.ts';

/** Hard limits in lines: 60 to 250 are a good file, more is for one whose header describes a format, a protocol or a way in. */
export const FILE_LINES = 450;
export const FUNCTION_LINES = 80;

/** What of a file is too long, one line each. */
export function tooLong(path: string, text: string): string[] {
  const lineAt = lineCounter(text);
  const { functions, tables } = measured(path, text);
  const count = lineAt(text.trimEnd().length) - linesIn(tables, lineAt);
  const faults = count > FILE_LINES ? [`${path} has ${count} lines without its tables`] : [];
  for (const { start, end } of functions) {
    const inside = tables.filter(table => table.start >= start && table.end <= end);
    const lines = lineAt(end) - lineAt(start) + 1 - linesIn(inside, lineAt);
    if (lines > FUNCTION_LINES) faults.push(`${path}:${lineAt(start)} a function of ${lines} lines`);
  }
  return faults;
}

/** Offsets in the text. */
interface Range {
  start: number;
  end: number;
}

/** Functions, without those that only group tests; and tables: the constant lists that cases are made of. */
function measured(path: string, text: string): { functions: Range[]; tables: Range[] } {
  const functions: Range[] = [];
  const tables: Range[] = [];
  const measure = (node: Range & { body: unknown }): void => {
    if (!groupsTests(node.body, text)) functions.push({ start: node.start, end: node.end });
  };
  new Visitor({
    ArrayExpression: node => {
      if (isTable(node) && !tables.some(table => table.end >= node.end)) tables.push(node);
    },
    FunctionDeclaration: measure,
    FunctionExpression: measure,
    ArrowFunctionExpression: measure,
  }).visit(parse(path, text));
  return { functions, tables };
}

/** The body of a function whose own statements are tests. */
function groupsTests(body: unknown, text: string): boolean {
  const { body: statements } = (body ?? {}) as { body?: readonly Range[] };
  return (
    Array.isArray(statements) &&
    statements.some(({ start }) => /^(describe|it|test)\b/.test(text.slice(start, start + 9)))
  );
}

/** A list that holds data and no code. */
function isTable(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return true;
  if (Array.isArray(node)) return node.every(isTable);
  const { type } = node as { type?: string };
  if (type?.includes('Function')) return false;
  return Object.values(node).every(isTable);
}

/** The lines between the first and the last line of each table. */
function linesIn(tables: readonly Range[], lineAt: (offset: number) => number): number {
  return tables.reduce((sum, { start, end }) => sum + Math.max(0, lineAt(end) - lineAt(start) - 1), 0);
}

/** 1-based line of an offset. */
function lineCounter(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return offset => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}
