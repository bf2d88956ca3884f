/** Pieces of output: a text, and how it looks on a terminal. Texts are escaped when printed, styles are not. */

export type Style = keyof typeof CODES;

/** `ready`: a text with styles of its own. */
export type Piece = string | { readonly text: string; readonly style: Style | 'ready' };

export function styled(style: Style, text: string): Piece {
  return { text, style };
}

const CODES = {
  bold: '1',
  dim: '2',
  red: '31',
  green: '32',
  yellow: '33',
  blue: '34',
  magenta: '35',
  cyan: '36',
  removedWord: '7;31',
  addedWord: '7;32',
} as const;

const OF_NAMES = ['cyan', 'green', 'magenta', 'yellow', 'blue'] as const;

/** The colour of an agent or a person: of a name always the same. */
export function styleOf(name: string): Style {
  let sum = 0;
  for (const character of name) sum = (sum * 31 + character.codePointAt(0)!) % 65_521;
  return OF_NAMES[sum % OF_NAMES.length]!;
}

export interface StyleOptions {
  color: boolean;
  /** Show control characters instead of sending them to a terminal. */
  escape: boolean;
}

/** The pieces as one text. A style never runs over the end of a line. */
export function render(pieces: Iterable<Piece>, look: StyleOptions): string {
  return Array.from(pieces, piece => renderPiece(piece, look)).join('');
}

export function renderPiece(piece: Piece, { color, escape: escapes }: StyleOptions): string {
  const text = textOf(piece);
  const safe = escapes ? escapeControls(text) : text;
  if (!color || typeof piece === 'string') return safe;
  if (piece.style === 'ready') return text;
  const [on, off] = [`\u001b[${CODES[piece.style]}m`, '\u001b[m'];
  return safe.replace(/[^\n]+/g, line => on + line + off);
}

export function textOf(piece: Piece): string {
  return typeof piece === 'string' ? piece : piece.text;
}

export function dimmed(pieces: readonly Piece[]): Piece[] {
  return pieces.map(piece => styled('dim', textOf(piece)));
}

/** Yields the pieces of each line, without the line feeds; an unended last line counts. */
export function* linesOfPieces(pieces: Iterable<Piece>): Generator<Piece[]> {
  let line: Piece[] = [];
  for (const piece of pieces) {
    for (const [index, text] of textOf(piece).split('\n').entries()) {
      if (index > 0) {
        yield line;
        line = [];
      }
      if (text !== '') line.push(typeof piece === 'string' ? text : { ...piece, text });
    }
  }
  if (line.length > 0) yield line;
}

// C0 but tab and line feed, DEL, C1, and what changes the direction of text for its reader.
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Control characters made visible: `^[` as `cat -v` shows them, others as `<U+202E>`. */
export function escapeControls(text: string): string {
  return text.replace(CONTROLS, character => {
    const code = character.codePointAt(0)!;
    if (code < 0x20) return `^${String.fromCharCode(code + 0x40)}`;
    if (code === 0x7f) return '^?';
    return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
  });
}
