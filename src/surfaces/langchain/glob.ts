/** Patterns of file names as deep agents send them: `**`, `*`, `?`, `[...]`, `{a,b}`. */

/** Makes a test for paths. A pattern without a slash, also before it, is about the last part of the path. */
export function globTest(pattern: string): (path: string) => boolean {
  const bare = pattern.replace(/^\.?\//, '');
  const regExp = new RegExp(
    `^${bare !== pattern || bare.includes('/') ? '' : '(?:.*/)?'}${translated(bare)}$`,
    'u',
  );
  return path => regExp.test(path);
}

function translated(pattern: string): string {
  const tokens = pattern.match(TOKEN) ?? [];
  const paired = pairedBraces(tokens);
  let depth = 0;
  const parts = tokens.map((token, index) => {
    if (token in WILD) return WILD[token]!;
    if (token.length > 2) return classOf(token);
    if (token === ',' && depth > 0) return '|';
    if (!paired.has(index)) return token.replace(/[\\^$.+|()[\]{}]/, '\\$&');
    depth += token === '{' ? 1 : -1;
    return token === '{' ? '(?:' : ')';
  });
  return parts.join('');
}

const WILD: Readonly<Record<string, string>> = { '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*', '?': '[^/]' };

const TOKEN = /\*\*\/|\*\*|\[[!^]?[^\]]+\]|./gsu;

/** Returns the indexes of the braces that have a partner; any other is a letter as every other. */
function pairedBraces(tokens: readonly string[]): ReadonlySet<number> {
  const open: number[] = [];
  const paired = new Set<number>();
  for (const [index, token] of tokens.entries()) {
    if (token === '{') open.push(index);
    const start = token === '}' ? open.pop() : undefined;
    if (start !== undefined) paired.add(start).add(index);
  }
  return paired;
}

/** Translates a class. A range that ends before it begins holds nothing, as in a shell. */
function classOf(token: string): string {
  const isNot = token[1] === '!' || token[1] === '^';
  const ranges = token.slice(isNot ? 2 : 1, -1).replace(/(.)-(.)/gsu, dropInverted);
  const inside = ranges.replace(/[\\[\]^]/g, '\\$&');
  if (isNot) return `[^${inside}/]`;
  return inside === '' ? '(?!)' : `[${inside}]`;
}

function dropInverted(range: string, first: string, last: string): string {
  return first.codePointAt(0)! > last.codePointAt(0)! ? '' : range;
}
