/** Other readings of an old text: what it may have been before something was copied or escaped into it. */

import type { DifferenceKind } from './explain.ts';

export interface Reading {
  text: string;
  /** `null` for the text as given. */
  kind: DifferenceKind | null;
  /** Says what is wrong with the text as given if this reading is right: a clause without a final stop. */
  words: string;
}

/** Numbers that views and search tools put before a line: `cat -n`, `12→`, `12| `, `12: `, `grep -n`, `12 `. */
const NUMBER_PREFIXES = [
  /^ *\d+:?\t/,
  /^ *\d+→/,
  /^ *\d+ ?\| /,
  /^ *\d+ ?\|/,
  /^ *\d+: /,
  /^ *\d+:/,
  /^ *\d+[ -]/,
];

/** The text as given first, then every other reading that differs from it. `name` is what the caller calls it. */
export function interpretations(old: string, name: string): Reading[] {
  const others = [
    ...withoutNumbers(old, name),
    // All escapes undone, or only those of quotes: the text may hold an escape that the file has too.
    ...unescapedBy(old, /\\[nrt"'`\\]/g, ESCAPES, name),
    ...unescapedBy(old, /\\["'`]/g, ESCAPES, name),
    ...unescapedBy(old, /&(?:lt|gt|quot|#39|amp);/g, ENTITIES, name),
    ...escaped(old, name),
    ...withoutFence(old, name),
    ...withoutMarks(old, name),
  ];
  return [{ text: old, kind: null, words: '' }, ...others.filter(({ text }) => text !== old && text !== '')];
}

function withoutNumbers(old: string, name: string): Reading[] {
  const lines = old.split('\n');
  const filled = lines.filter(line => line.trim() !== '');
  const fitting = NUMBER_PREFIXES.filter(prefix => filled.every(line => prefix.test(line)));
  return fitting.map(prefix => {
    const copied = (filled[0] ?? '').match(prefix)?.[0] ?? '';
    const words = `${name} holds line-number prefixes copied from a view (${JSON.stringify(copied)})`;
    return {
      text: lines.map(line => line.replace(prefix, '')).join('\n'),
      kind: 'line-number prefix',
      words,
    };
  });
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\\n': '\n',
  '\\r': '\r',
  '\\t': '\t',
  '\\"': '"',
  "\\'": "'",
  '\\`': '`',
  '\\\\': '\\',
};

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
};

function unescapedBy(
  old: string,
  pattern: RegExp,
  meaning: Readonly<Record<string, string>>,
  name: string,
): Reading[] {
  const first = old.match(pattern)?.[0];
  if (first === undefined) return [];
  const there = meaning[first]!;
  const words = `${name} holds the characters ${first} where the file has ${/\s/.test(there) ? realName(first) : there}: it was escaped once too often`;
  return [{ text: old.replace(pattern, written => meaning[written]!), kind: 'escapes', words }];
}

/** The other way round: the file holds `\n` as two characters, and the caller's text lost the backslash on its way. */
function escaped(old: string, name: string): Reading[] {
  const control = old.match(/[\n\t]/)?.[0];
  if (control === undefined) return [];
  const words = (shown: string) =>
    `the file holds the characters ${shown} where ${name} has ${realName(shown)}: escape the backslash itself`;
  const shown = control === '\n' ? '\\n' : '\\t';
  const breaks = old.replaceAll('\n', '\\n').replaceAll('\t', '\\t');
  const whole = JSON.stringify(old).slice(1, -1);
  const innerOnly = old.replace(/\n(?=.)/gs, '\\n');
  return [...new Set([breaks, whole, innerOnly])].map(text => ({
    text,
    kind: 'escapes',
    words: words(shown),
  }));
}

function realName(written: string): string {
  if (written === '\\n' || written === '\\r') return 'a real line end';
  return written === '\\t' ? 'a real tab' : ESCAPES[written]!;
}

function withoutFence(old: string, name: string): Reading[] {
  const lines = old.trim().split('\n');
  const fence = /^(`{3,}|~{3,})/.exec(lines[0] ?? '')?.[0];
  if (fence === undefined || lines.length < 3 || lines.at(-1)!.trim() !== fence) return [];
  const words = `${name} holds the lines of a Markdown code fence`;
  return [{ text: lines.slice(1, -1).join('\n'), kind: 'code fence', words }];
}

/** Lines of a diff that are all kept or removed, or all kept or added: without their marks they are a text again. */
function withoutMarks(old: string, name: string): Reading[] {
  const lines = old.split('\n');
  const marks = new Set(lines.filter(line => line !== '').map(line => line[0]));
  marks.delete(' ');
  const [mark] = marks;
  if (marks.size !== 1 || (mark !== '+' && mark !== '-')) return [];
  const words = `${name} holds the + and - marks of a diff at the start of its lines`;
  return [{ text: lines.map(line => line.slice(1)).join('\n'), kind: 'diff marks', words }];
}
