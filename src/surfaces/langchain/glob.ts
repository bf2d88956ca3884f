/** Patterns of file names as deep agents send them: `**`, `*`, `?`, `[...]`, `{a,b}`. */

/** A test for paths. A pattern without a slash is about the last part of the path. */
export function globTest(pattern: string): (path: string) => boolean {
  const bare = pattern.replace(/^\.?\//, '');
  const regExp = new RegExp(`^${bare.includes('/') ? '' : '(?:.*/)?'}${translated(bare)}$`, 'u');
  return path => regExp.test(path);
}

function translated(pattern: string): string {
  let depth = 0;
  return pattern.replace(TOKEN, token => {
    if (token in WILD) return WILD[token]!;
    if (token.length > 2) return classOf(token);
    if (token === '{') depth++;
    else if (token === '}' && depth > 0) depth--;
    else if (token !== ',' || depth === 0) return token.replace(/[\\^$.+|()[\]{}]/, '\\$&');
    return { '{': '(?:', '}': ')', ',': '|' }[token]!;
  });
}

const WILD: Readonly<Record<string, string>> = { '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*', '?': '[^/]' };

const TOKEN = /\*\*\/|\*\*|\[[!^]?[^\]]+\]|./gsu;

function classOf(token: string): string {
  const inside = token.slice(1, -1).replace(/[\\[\]^]/g, '\\$&');
  return token[1] === '!' || token[1] === '^' ? `[^${inside.replace(/^(!|\\\^)/, '')}/]` : `[${inside}]`;
}
