/** Shows a file as Agent Zero does: numbers, long lines cropped, and no more than a model should read at once. */

import { EditError, hostFault } from '../../errors.ts';
import type { ReadOptions } from '../../tools/dialects/options.ts';
import type { Session } from '../../workspace/session.ts';

/** The settings, none of them left out. */
export type ReadSettings = { [K in keyof ReadOptions]-?: Exclude<ReadOptions[K], undefined> };

export const DEFAULTS: ReadSettings = {
  name: 'text_editor',
  default_line_count: 200,
  max_line_tokens: 500,
  max_total_read_tokens: 6_000,
  countTokens: text => Math.ceil(text.length / 4),
};

interface Content {
  path: string;
  text: string;
  lines: number;
  version: string;
}

export interface Shown {
  text: string;
  /** The path as the workspace has it. */
  file: string;
  version: string;
  /** False when there was nothing to show: the range begins after the last line. */
  isShown: boolean;
}

/**
 * Reads lines in a frame, under a line that says how many there are; the session has then been shown the file. Throws as
 * view does, and LINE_OUT_OF_RANGE for a range that ends before it begins.
 */
export async function readText(
  session: Session,
  path: string,
  { from = 1, to }: { from?: number | undefined; to?: number | undefined },
  options: ReadSettings,
): Promise<Shown> {
  // Looked at first without counting as shown, for the lines that are asked for may not be there; view tells of a refusal.
  const about = await content(session.read({ path, maxCharacters: 1 }).catch(() => session.view({ path })));
  if ('entries' in about) throw isFolder(path, await entriesOf(session, path));
  const { path: file, lines, version } = about;
  const first = Math.max(from, 1);
  if (to !== undefined && to !== -1 && to < first) throw inverted(path, first, to, lines);
  const head = `${path} ${lines} lines`;
  if (first > Math.max(lines, 1)) return { text: `${head}\n>>>\n\n<<<`, file, version, isShown: false };
  const wanted = to === -1 ? lines : (to ?? first + options.default_line_count - 1);
  const viewRange = lines === 0 ? undefined : [first, Math.min(wanted, lines)];
  const shown = await content(session.view({ path, viewRange, maxCharacters: Number.MAX_SAFE_INTEGER }));
  const { text, warnings } = framed(shown.text, first, options);
  return { text: `${head}${warnings}\n>>>\n${text}\n<<<`, file, version, isShown: true };
}

/** Lists what view lists, but all of it: folders with a slash at the end. */
async function entriesOf(session: Session, path: string): Promise<string[]> {
  const all = Number.MAX_SAFE_INTEGER;
  const { data } = await session.view({ path, maxCharacters: all, maxEntries: all });
  return data.entries as string[];
}

const NAMED = 40;

/** Creates IS_DIRECTORY, which lists the folder: this tool cannot. */
function isFolder(path: string, entries: readonly string[]): EditError {
  const more = entries.length > NAMED ? ` and ${entries.length - NAMED} more` : '';
  const holds =
    entries.length === 0 ? 'It is empty.' : `It holds ${entries.slice(0, NAMED).join(', ')}${more}.`;
  return new EditError('IS_DIRECTORY', `${path} is a folder. Name a file in it. ${holds}`, { path });
}

function inverted(path: string, from: number, to: number, lines: number): EditError {
  const message = `line_to ${to} is before line_from ${from}. Give 1 <= line_from <= line_to; ${path} has ${lines} lines, and -1 as line_to is its last.`;
  return new EditError('LINE_OUT_OF_RANGE', message, { path, min: from, max: lines, line_count: lines });
}

/** Reads lines without the frame, which do not count as shown. */
export async function numberedLines(
  session: Session,
  path: string,
  { from, to }: { from: number; to: number },
  options: ReadSettings,
): Promise<string> {
  if (to < from) return '';
  const read = await content(
    session.read({ path, viewRange: [from, to], maxCharacters: Number.MAX_SAFE_INTEGER }),
  );
  return framed(read.text, from, options).text;
}

async function content(answer: Promise<{ data: unknown }>): Promise<Content> {
  return (await answer).data as Content;
}

function framed(text: string, first: number, options: ReadSettings): { text: string; warnings: string } {
  const lines = text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/);
  const width = String(first + lines.length - 1).length;
  const kept: string[] = [];
  const cropped: number[] = [];
  let left = options.max_total_read_tokens;
  for (const [index, line] of lines.entries()) {
    const short = crop(line, options);
    if (short !== line) cropped.push(first + index);
    left -= tokensOf(short, options);
    if (left < 0 && kept.length > 0) break;
    kept.push(`${String(first + index).padStart(width)} ${short}`);
  }
  return {
    text: kept.join('\n'),
    warnings: warningsOf(cropped, kept.length < lines.length ? first + kept.length : null),
  };
}

/** Crops a line to the characters that the allowance of tokens is for, by its share of the line. */
function crop(line: string, options: ReadSettings): string {
  const { max_line_tokens: most } = options;
  const tokens = tokensOf(line, options);
  if (tokens <= most) return line;
  return `${line.slice(0, Math.floor((line.length * most) / tokens)).toWellFormed()}...`;
}

function tokensOf(line: string, { countTokens }: ReadSettings): number {
  try {
    return countTokens(line);
  } catch (error) {
    throw hostFault('countTokens', error);
  }
}

function warningsOf(cropped: readonly number[], next: number | null): string {
  const warnings: string[] = [];
  if (cropped.length > 0)
    warnings.push(`long lines ${cropped.join(', ')} cropped - use terminal for precise manipulation`);
  if (next !== null)
    warnings.push(`output trimmed at line ${next} due to token limit - use line_from/line_to for remaining`);
  return warnings.map(warning => `\nwarning: ${warning}`).join('');
}
