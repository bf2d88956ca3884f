/**
 * The lexical rules for a path from a request: which texts name a file of the workspace on every system. Pure; what
 * is on the disk (links, nested repositories, spelling) is the store's to check.
 */

import { EditError, type ErrorCode } from '../errors.ts';
import { pathName } from '../wording.ts';

export interface PathOptions {
  /** The root, absolute, with `/`; several when it has several spellings. An absolute path inside it is accepted. */
  root?: string | readonly string[];
  /** Also refuse what Windows cannot store: reserved characters and device names. */
  windows?: boolean;
  gitmodules?: boolean;
  /** The path names a folder: a trailing slash is dropped, and `.`, `./` or `` is the root, answered as ``. */
  folder?: boolean;
}

/** In bytes of UTF-8. */
const LONGEST_COMPONENT = 255;
/** In bytes of UTF-8: Linux' PATH_MAX less the final NUL. */
const LONGEST_PATH = 4095;
const DEEPEST = 255;

/** Characters that HFS+ skips when it compares names (git: utf8.c, next_hfs_char). */
const HFS_IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/gu;
/** `.gitmodules` and the short names that NTFS may give it (git: path.c, is_ntfs_dot_generic). */
const GITMODULES = /^(\.gitmodules|gitmod~[1-4]|(?=.{8}$)g(i(7(e(ba?)?)?)?)?~[1-9][0-9]*)$/u;

/** A text that the pattern fits is refused: the name of the rule, and the words after the path. */
type Rule = readonly [pattern: RegExp, rule: string, words: string];

const TEXT: readonly Rule[] = [
  [/\p{Surrogate}/u, 'text', 'is not well-formed Unicode'],
  [/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/u, 'control character', 'holds a control character; remove it'],
  // Embeddings, overrides and isolates: a reader of the name sees another order of its letters.
  [/[\u202a-\u202e\u2066-\u2069]/u, 'bidirectional control', 'holds a control of text direction; remove it'],
];

const FROM_ROOT = 'give a path relative to the root of the workspace';
const RELATIVE: readonly Rule[] = [
  [/^\//, 'absolute', `is absolute and not inside the workspace; ${FROM_ROOT}`],
  [/^[a-z][a-z0-9+.-]+:\/\//i, 'url', `is a URL; ${FROM_ROOT}`],
  [/^[a-z]:/i, 'drive', `begins with a drive letter; ${FROM_ROOT}`],
  [/^~(\/|$)/, 'home', `stands for a home folder; ${FROM_ROOT}`],
  [
    /^(\$[A-Z_][A-Z0-9_]*|\$env:\w+|\$\{[^/]*\}|%[A-Za-z_][\w()]*%)(\/|$)/,
    'variable',
    `begins with a variable, which only a shell puts in; ${FROM_ROOT}`,
  ],
];

/** Windows takes a device's name with an extension for it, too; superscript digits count as digits. */
const WINDOWS: readonly Rule[] = [
  [/[<>:"|?*]/u, 'Windows', 'holds one of < > : " | ? *, which Windows cannot store'],
  [/[. ]$/, 'Windows', 'has a component that ends with a dot or space, which Windows drops'],
  [
    /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³]) *(\.|$)/iu,
    'Windows',
    'has a component that Windows takes for a device',
  ],
];

function assertRules(path: string, text: string, code: ErrorCode, rules: readonly Rule[]): void {
  for (const [pattern, rule, words] of rules) if (pattern.test(text)) refuse(code, path, rule, words);
}

/**
 * The path of a file as the engine uses it everywhere: relative to the root, `/` between components, as it was given
 * (never normalised). Throws OUTSIDE_WORKSPACE for what leads out of the root, PROTECTED_PATH for what is, or on some
 * file system may be taken for, git's own, and INVALID_INPUT for other texts that name no file. `data` has `path`,
 * the `rule` that refused it, and `suggestion` where another spelling would do.
 */
export function checkPath(path: unknown, options: PathOptions = {}): string {
  if (typeof path === 'string' && !options.windows && isPlain(path)) return path;
  assertText(path);
  const relative = trimmed(insideRoot(path, options), options);
  if (relative === '' && options.folder) return '';
  assertSeparators(path, relative);
  assertRules(path, relative, 'OUTSIDE_WORKSPACE', RELATIVE);
  const components = relative.split('/');
  assertCanonical(path, components);
  assertLengths(path, relative, components);
  for (const component of components) assertComponent(path, component, options);
  return relative;
}

/** Components of letters, digits and _ . + @ = -, of which none begins with a dot: no rule but Windows' forbids them. */
const PLAIN = /^\w[\w.+@=-]*(?:\/\w[\w.+@=-]*)*$/;

/** True for most paths that there are: relative, short, and nothing that any system takes for something else. */
function isPlain(path: string): boolean {
  return path.length <= LONGEST_COMPONENT && PLAIN.test(path);
}

function assertText(path: unknown): asserts path is string {
  if (typeof path !== 'string')
    throw new EditError('INVALID_INPUT', 'The path is not a text.', { rule: 'text' });
  assertRules(path, path, 'INVALID_INPUT', TEXT);
}

/** Makes an absolute path inside the root relative; any other path stays as it is. */
function insideRoot(path: string, options: PathOptions): string {
  const roots = typeof options.root === 'string' ? [options.root] : (options.root ?? []);
  for (const root of roots) {
    const prefix = root.endsWith('/') ? root : `${root}/`;
    if (path.startsWith(prefix)) return path.slice(prefix.length);
    if (`${path}/` === prefix) return '';
  }
  return path;
}

/** Takes off leading `./`, and the last slash of a folder. */
function trimmed(path: string, options: PathOptions): string {
  const rest = path.replace(/^(\.\/)+/, '');
  if (!options.folder) return rest;
  return rest === '.' ? '' : rest.replace(/(?<=[^/])\/$/, '');
}

function assertSeparators(path: string, relative: string): void {
  if (!relative.includes('\\')) return;
  const suggestion = relative.replaceAll('\\', '/');
  if (/^(\/|[a-z]:)|(^|\/)\.\.(\/|$)/i.test(suggestion)) {
    refuse('OUTSIDE_WORKSPACE', path, 'separator', 'leads out of the workspace, and holds backslashes');
  }
  const words = `holds a backslash; components are separated by /: ${shown(suggestion)}`;
  refuse('INVALID_INPUT', path, 'separator', words, suggestion);
}

/** Refuses `.`, `..` and empty components: one file, one spelling. */
function assertCanonical(path: string, components: readonly string[]): void {
  if (components.length === 1 && ['', '.'].includes(components[0]!)) {
    refuse('INVALID_INPUT', path, 'empty', 'names no file; name a file below the root');
  }
  if (components.includes('..')) {
    const words = 'leads out of the workspace (..). Name a file inside it, by its path from the root';
    refuse('OUTSIDE_WORKSPACE', path, 'dot component', words);
  }
  if (components.every(component => component !== '' && component !== '.')) return;
  const suggestion = components.filter(component => component !== '' && component !== '.').join('/');
  const words = `holds an empty component, a trailing slash or a component .; write ${shown(suggestion)}`;
  refuse('INVALID_INPUT', path, 'dot component', words, suggestion);
}

function assertLengths(path: string, relative: string, components: readonly string[]): void {
  // A character takes three bytes at most: the common path is not encoded.
  const isLonger = (text: string, most: number): boolean =>
    text.length * 3 > most && new TextEncoder().encode(text).length > most;
  if (isLonger(relative, LONGEST_PATH)) {
    refuse('INVALID_INPUT', path, 'length', `is longer than ${LONGEST_PATH} bytes`);
  }
  if (components.length > DEEPEST) {
    refuse('INVALID_INPUT', path, 'length', `has more than ${DEEPEST} components`);
  }
  if (components.some(component => isLonger(component, LONGEST_COMPONENT))) {
    refuse('INVALID_INPUT', path, 'length', `has a component longer than ${LONGEST_COMPONENT} bytes`);
  }
}

function assertComponent(path: string, component: string, options: PathOptions): void {
  const kind = foldsTo(component);
  if (kind !== null && !(kind === '.gitmodules' && options.gitmodules)) {
    const [code, rule, words] = FOLDED[kind];
    refuse(code, path, rule, words);
  }
  if (options.windows) assertRules(path, component, 'INVALID_INPUT', WINDOWS);
}

type Folded = NonNullable<ReturnType<typeof foldsTo>>;

const FOLDED: Readonly<Record<Folded, readonly [code: ErrorCode, rule: string, words: string]>> = {
  dots: ['OUTSIDE_WORKSPACE', 'dot component', 'holds a component that some systems take for . or ..'],
  '.git': [
    'PROTECTED_PATH',
    '.git',
    "belongs to git's own folder, or some systems take it for that; it is not edited here, use git's commands",
  ],
  '.gitmodules': [
    'PROTECTED_PATH',
    '.gitmodules',
    'holds addresses that git follows; it is not edited here, use git submodule',
  ],
};

/**
 * Returns what a file system may take the component for: `.git`, `.gitmodules`, `.` or `..` (both `'dots'`), else
 * `null`. HFS+ skips some characters, others normalise; NTFS cuts at a colon, strips dots and spaces at the end,
 * ignores case and has short names.
 */
export function foldsTo(component: string): '.git' | '.gitmodules' | 'dots' | null {
  const plain = component.replace(HFS_IGNORED, '').normalize('NFKC');
  // A slash can only come from a letter that normalises to one, such as U+FF0F.
  for (const piece of plain.split(/[/\\]/)) {
    const cut = piece.replace(/:.*$/su, '');
    if (/^\.{1,2}( [. ]*)?$/.test(cut)) return 'dots';
    const folded = cut.replace(/[. ]+$/, '').toLowerCase();
    if (folded === '.git' || /^git~[1-9]$/.test(folded)) return '.git';
    if (GITMODULES.test(folded)) return '.gitmodules';
  }
  return null;
}

/** True for a path that git itself checks out (read-cache.c, verify_path), whether a request may name it or not. */
export function isTreePath(path: string): boolean {
  if (isPlain(path)) return true;
  return path.split('/').every(name => {
    const kind = foldsTo(name);
    return name !== '' && !name.includes('\0') && kind !== '.git' && kind !== 'dots';
  });
}

/** True for a path that has but one Unicode form. */
export function isAscii(path: string): boolean {
  return /^[\x20-\x7e]*$/.test(path);
}

/** True for two spellings of one name, in other Unicode forms (NFC, NFD). */
export function isSameName(a: string, b: string): boolean {
  return a !== b && a.normalize('NFC') === b.normalize('NFC');
}

/** Lists the folders that the path lies in, outermost first: `a` and `a/b` of `a/b/c`. */
export function foldersAbove(path: string): string[] {
  const names = path.split('/').slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}

function refuse(code: ErrorCode, path: string, rule: string, words: string, suggestion?: string): never {
  const data = { path: cut(path), rule, ...(suggestion === undefined ? {} : { suggestion }) };
  throw new EditError(code, `The path ${shown(path)} ${words}.`, data);
}

/** Quotes a path for a message: invisible characters escaped, long ones cut. */
function shown(path: string): string {
  const invisible = /[\p{C}\p{Zl}\p{Zp}"\\]/gu;
  const plain = cut(path).replace(invisible, letter =>
    /["\\]/.test(letter) ? `\\${letter}` : escaped(letter),
  );
  return `"${pathName(plain)}"`;
}

function escaped(letter: string): string {
  return `\\u{${letter.codePointAt(0)!.toString(16)}}`;
}

function cut(path: string): string {
  return path.length <= 200 ? path : `${path.slice(0, 200)}...`;
}
