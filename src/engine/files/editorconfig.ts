/** The charset that `.editorconfig` files give to a path (editorconfig.org). Pure; no other property is read. */

export interface EditorConfig {
  /** True where folders above do not count. */
  root: boolean;
  /** The charset of a file, by its path below the folder; `undefined` where nothing is said of it. */
  charset(path: string): string | undefined;
}

/** Reads one file. Lines that are no section, comment or property are passed over, as editors do. */
export function parseEditorConfig(text: string): EditorConfig {
  const sections: Array<{ pattern: RegExp; charset: string }> = [];
  let root = false;
  let pattern: RegExp | null = null;
  for (const line of text.split(/\r?\n/)) {
    const [, glob] = /^\s*\[(.+)\]\s*$/.exec(line) ?? [];
    if (glob !== undefined) pattern = globPattern(glob);
    const [, name, value = ''] = /^\s*([\w-]+)\s*[=:]\s*([^\s#;]+)/.exec(line) ?? [];
    if (pattern === null && name?.toLowerCase() === 'root') root = value.toLowerCase() === 'true';
    if (pattern !== null && name?.toLowerCase() === 'charset') sections.push({ pattern, charset: value });
  }
  return { root, charset: path => sections.findLast(one => one.pattern.test(path))?.charset };
}

/** Turns a glob into a pattern for whole paths; one without a slash is for names at any depth, a wrong one for none. */
export function globPattern(glob: string): RegExp {
  const start = glob.includes('/') ? '' : '(?:.*/)?';
  try {
    return new RegExp(`^${start}${alternatives(glob.replace(/^\//, ''))}$`, 'su');
  } catch {
    return /(?!)/;
  }
}

const TOKEN = /\\.|\*\*\/|\*\*|\*|\?|\[!?[^\]/]+\]|\{-?\d+\.\.-?\d+\}|\{[^{}]*,[^{}]*\}|./gsu;

function alternatives(glob: string): string {
  return (glob.match(TOKEN) ?? []).map(tokenPattern).join('');
}

function tokenPattern(token: string): string {
  if (token === '**/') return '(?:.*/)?';
  if (token === '**') return '.*';
  if (token === '*') return '[^/]*';
  if (token === '?') return '[^/]';
  const inner = token.slice(1, -1);
  if (token.length > 2 && token.startsWith('['))
    return `[${inner.replace(/^!/, '^').replace(/[\\\]]/g, '\\$&')}]`;
  if (token.length > 2 && token.startsWith('{')) {
    if (inner.includes('..')) return range(inner);
    return `(?:${inner.split(',').map(alternatives).join('|')})`;
  }
  const character = token.length === 2 && token.startsWith('\\') ? token.slice(1) : token;
  return character.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** At most this many numbers are looked for. */
const MOST_NUMBERS = 1000;

function range(inner: string): string {
  const [from, to] = inner
    .split('..')
    .map(Number)
    .sort((a, b) => a - b) as [number, number];
  const count = Math.min(to - from + 1, MOST_NUMBERS);
  return `(?:${Array.from({ length: count }, (_, at) => from + at).join('|')})`;
}
