/** How Agent Zero shows a file: numbers, long lines cropped, and no more than a model should read at once. */

import type { Session } from '../../workspace/session.ts';

export interface ReadOptions {
  /** So many lines are shown when no last line is asked for. */
  default_line_count?: number;
  /** A line with more tokens is cropped. */
  max_line_tokens?: number;
  /** Tokens of all lines together. */
  max_total_read_tokens?: number;
  /** Default: a token for every four characters. */
  countTokens?: (text: string) => number;
}

export const DEFAULTS: Required<ReadOptions> = {
  default_line_count: 200,
  max_line_tokens: 500,
  max_total_read_tokens: 6_000,
  countTokens: text => Math.ceil(text.length / 4),
};

interface Range {
  from?: number | undefined;
  to?: number | undefined;
}

interface Content {
  text: string;
  lines: number;
  version: string;
}

/** The lines in a frame, under a line that says how many there are. The session has been shown the file by it. */
export async function readText(
  session: Session,
  path: string,
  { from = 1, to }: Range,
  options: Required<ReadOptions>,
): Promise<{ text: string; version: string }> {
  // Looked at first without counting as shown, for the lines that are asked for may not be there; view tells of a refusal.
  const about = session.read({ path, max_characters: 1 }).catch(() => session.view(path));
  const { lines, version } = await content(about);
  const first = Math.max(from, 1);
  const last = Math.min(to ?? first + options.default_line_count - 1, lines);
  const view_range = lines === 0 && first === 1 ? undefined : [first, Math.max(last, first)];
  const shown = await content(session.view({ path, view_range, max_characters: Number.MAX_SAFE_INTEGER }));
  const { text, warnings } = framed(shown.text, first, options);
  return { text: `${path} ${lines} lines${warnings}\n>>>\n${text}\n<<<`, version };
}

/** The same lines without the frame, and without counting as shown. */
export async function numberedLines(
  session: Session,
  path: string,
  { from, to }: { from: number; to: number },
  options: Required<ReadOptions>,
): Promise<string> {
  if (to < from) return '';
  const read = await content(
    session.read({ path, view_range: [from, to], max_characters: Number.MAX_SAFE_INTEGER }),
  );
  return framed(read.text, from, options).text;
}

async function content(answer: Promise<{ data: unknown }>): Promise<Content> {
  return (await answer).data as Content;
}

function framed(
  text: string,
  first: number,
  options: Required<ReadOptions>,
): { text: string; warnings: string } {
  const lines = text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/);
  const width = String(first + lines.length - 1).length;
  const kept: string[] = [];
  const cropped: number[] = [];
  let left = options.max_total_read_tokens;
  for (const [index, line] of lines.entries()) {
    const short = crop(line, options);
    if (short !== line) cropped.push(first + index);
    left -= options.countTokens(short);
    if (left < 0 && kept.length > 0) break;
    kept.push(`${String(first + index).padStart(width)} ${short}`);
  }
  return {
    text: kept.join('\n'),
    warnings: warningsOf(cropped, kept.length < lines.length ? first + kept.length : null),
  };
}

/** As many characters as the allowance of tokens is for, by the share of the line. */
function crop(line: string, { countTokens, max_line_tokens: most }: Required<ReadOptions>): string {
  const tokens = countTokens(line);
  if (tokens <= most) return line;
  return `${line.slice(0, Math.floor((line.length * most) / tokens)).toWellFormed()}...`;
}

function warningsOf(cropped: readonly number[], next: number | null): string {
  const warnings: string[] = [];
  if (cropped.length > 0)
    warnings.push(`long lines ${cropped.join(', ')} cropped - use terminal for precise manipulation`);
  if (next !== null)
    warnings.push(`output trimmed at line ${next} due to token limit - use line_from/line_to for remaining`);
  return warnings.map(warning => `\nwarning: ${warning}`).join('');
}
