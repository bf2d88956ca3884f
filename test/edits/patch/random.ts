/** Random patches of real files: pairs of texts, and the many ways in which a patch comes to be wrong. */

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

export type Draw = () => number;

/** A seeded generator (mulberry32), so that a failure can be seen again. */
export function random(seed: number): Draw {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** A whole number below `n`. */
export function below(draw: Draw, n: number): number {
  return Math.floor(draw() * n);
}

export function pick<T>(draw: Draw, list: readonly T[]): T {
  return list[below(draw, list.length)]!;
}

const KINDS = /\.(d\.ts|js|mjs|cjs|json|md|yml)$/;
const LARGEST = 12_000;

/** Text files of the installed packages, spread over all of them. */
export function realTexts(count: number): string[] {
  const paths: string[] = [];
  const walk = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) walk(path);
      else if (entry.isFile() && KINDS.test(entry.name) && statSync(path).size < LARGEST) paths.push(path);
    }
  };
  walk('node_modules');
  const chosen = paths.sort().filter((_, i) => i % Math.ceil(paths.length / count) === 0);
  return chosen.map(path => readFileSync(path, 'utf8')).filter(text => !/[\0\uFFFD]/.test(text));
}

/** A text with some of its lines changed, doubled, moved or gone, perhaps with other line ends. */
export function changedText(draw: Draw, text: string): string {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  for (let changes = 1 + below(draw, 6); changes > 0; changes--) changeLines(draw, lines);
  const result = lines.join('');
  return draw() < 0.15 ? withOtherEnds(draw, result) : result;
}

function changeLines(draw: Draw, lines: string[]): void {
  const at = below(draw, lines.length + 1);
  const some = lines.slice(at, at + 1 + below(draw, 4));
  const kind = draw();
  if (kind < 0.25) lines.splice(at, some.length);
  else if (kind < 0.5) lines.splice(at, some.length, ...some.map(line => changedLine(draw, line)));
  else if (kind < 0.65) lines.splice(at, 0, ...some);
  else if (kind < 0.8) lines.splice(below(draw, lines.length), 0, `${pick(draw, WORDS)}\n`);
  else if (kind < 0.9) lines.splice(below(draw, lines.length), 0, ...lines.splice(at, some.length));
  else lines.splice(at, 0, '\n', `${pick(draw, WORDS)} ${below(draw, 100)}\n`);
}

const WORDS = [
  '}',
  '',
  '  return null;',
  '-- sql comment',
  '++ plus',
  'const x = 1;',
  '*** stars',
  '@@ at @@',
  '\t',
  'é\u2028ü',
];

function changedLine(draw: Draw, line: string): string {
  const at = below(draw, line.length);
  return draw() < 0.3
    ? ` ${line}`
    : `${line.slice(0, at)}${pick(draw, ['x', ' ', '"', 'ß'])}${line.slice(at)}`;
}

function withOtherEnds(draw: Draw, text: string): string {
  const kind = draw();
  if (kind < 0.3) return text.replace(/\r?\n$/, '');
  if (kind < 0.5) return text.replace(/\r?\n/g, '\r\n');
  if (kind < 0.7) return text.replace(/\r\n/g, '\n');
  if (kind < 0.8) return text.endsWith('\n') ? text : `${text}\n`;
  return text.replace(/\r?\n/g, end => (draw() < 0.1 ? (end === '\n' ? '\r\n' : '\n') : end));
}

/** One thing done to the lines of a patch. */
type Mutation = (draw: Draw, lines: string[]) => void;

const MUTATIONS: readonly Mutation[] = [
  (draw, lines) => lines.splice(below(draw, lines.length), 1),
  (draw, lines) => lines.splice(bodyLine(draw, lines), 1),
  (draw, lines) => lines.splice(below(draw, lines.length), 0, pick(draw, lines)),
  (draw, lines) => lines.splice(below(draw, lines.length), 0, ''),
  (draw, lines) => lines.splice(below(draw, lines.length), 0, 'Some words.'),
  (draw, lines) => lines.splice(lines.length - 1 - below(draw, Math.min(6, lines.length)), 99),
  (draw, lines) => swap(lines, below(draw, lines.length), below(draw, lines.length)),
  (draw, lines) =>
    change(lines, bodyLine(draw, lines), line => pick(draw, [' ', '-', '+', '']) + line.slice(1)),
  (draw, lines) => change(lines, bodyLine(draw, lines), line => line.slice(1)),
  (draw, lines) => change(lines, bodyLine(draw, lines), line => (line === ' ' ? '' : `${line} `)),
  (draw, lines) =>
    change(lines, bodyLine(draw, lines), line => (draw() < 0.5 ? `${line}\r` : line.replace(/\r$/, ''))),
  (draw, lines) =>
    change(lines, header(draw, lines), line =>
      line.replace(/\d+/, number => `${Math.max(0, Number(number) + below(draw, 9) - 4)}`),
    ),
  (draw, lines) =>
    change(lines, header(draw, lines), line => line.replace(/,\d+/, () => `,${below(draw, 12)}`)),
  (draw, lines) =>
    change(lines, header(draw, lines), line =>
      line.replace(/@@ .* @@/, pick(draw, ['@@ -1,3 +1,3 @@', '@@ -1 +1 @@', '@@'])),
    ),
  (draw, lines) => swapHunks(draw, lines),
  (draw, lines) => repeatHunk(draw, lines),
  (_, lines) => lines.splice(0, lines.length, ...lines.map(line => line.replace(/\r?$/, '\r'))),
  (_, lines) => lines.splice(0, lines.length, '```diff', ...lines, '```', 'Done.'),
  (draw, lines) => lines.splice(below(draw, lines.length), 0, '\\ No newline at end of file'),
  (_, lines) => lines.splice(0, lines.length, ...lines.filter(line => !line.startsWith('\\ '))),
  (_, lines) => lines.splice(0, lines.length, ...lines.map(line => (line === ' ' ? '' : line))),
];

/** The patch with one to three things done to it. */
export function mutated(draw: Draw, patch: string): string {
  const lines = patch.split('\n');
  for (let times = 1 + below(draw, 2); times > 0; times--) pick(draw, MUTATIONS)(draw, lines);
  return lines.join('\n');
}

function bodyLine(draw: Draw, lines: readonly string[]): number {
  const first = lines.findIndex(line => line.startsWith('@@'));
  return first < 0 ? 0 : first + 1 + below(draw, Math.max(1, lines.length - first - 2));
}

function headers(lines: readonly string[]): number[] {
  return lines.flatMap((line, i) => (line.startsWith('@@') ? [i] : []));
}

function header(draw: Draw, lines: readonly string[]): number {
  const found = headers(lines);
  return found.length === 0 ? 0 : pick(draw, found);
}

function change(lines: string[], at: number, how: (line: string) => string): void {
  if (lines[at] !== undefined) lines[at] = how(lines[at]);
}

function swap(lines: string[], a: number, b: number): void {
  const [one, other] = [lines[a], lines[b]];
  if (one !== undefined && other !== undefined) [lines[a], lines[b]] = [other, one];
}

function hunkAt(lines: readonly string[], start: number): string[] {
  const next = lines.findIndex((line, i) => i > start && line.startsWith('@@'));
  return lines.slice(start, next < 0 ? lines.length - 1 : next);
}

function swapHunks(draw: Draw, lines: string[]): void {
  const found = headers(lines);
  if (found.length < 2) return;
  const at = below(draw, found.length - 1);
  const first = hunkAt(lines, found[at]!);
  const second = hunkAt(lines, found[at + 1]!);
  lines.splice(found[at]!, first.length + second.length, ...second, ...first);
}

function repeatHunk(draw: Draw, lines: string[]): void {
  const start = header(draw, lines);
  if (!lines[start]?.startsWith('@@')) return;
  const hunk = hunkAt(lines, start);
  lines.splice(start + hunk.length, 0, ...hunk);
}

/** A few short lines, most of them alike, with the line ends and blanks that make files differ. */
export function smallText(draw: Draw): string {
  const end = pick(draw, ['\n', '\n', '\n', '\r\n', 'mixed', '\r']);
  const ends = end === 'mixed' ? ['\n', '\r\n'] : [end];
  let text = draw() < 0.05 ? '\uFEFF' : '';
  for (let lines = below(draw, 12); lines > 0; lines--)
    text += pick(draw, ['a', 'b', 'a', 'c', '', ' ', 'a ', '-', '+a', '\\ b']) + pick(draw, ends);
  return draw() < 0.3 ? text + pick(draw, ['a', 'b']) : text;
}
