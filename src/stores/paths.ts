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
  /** Allow `.gitmodules`. */
  gitmodules?: boolean;
  /** The path names a folder: a trailing slash is dropped, and `.`, `./` or `` is the root, answered as ``. */
  folder?: boolean;
}

/** In bytes of UTF-8. */
const LONGEST_COMPONENT = 255;
/** In bytes of UTF-8: Linux' PATH_MAX less the final NUL. */
const LONGEST_PATH = 4095;
const DEEPEST = 255;

const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/u;
/** Embeddings, overrides and isolates: a reader of the name sees another order of its letters. */
const BIDI = /[\u202a-\u202e\u2066-\u2069]/u;
const LONE_SURROGATE = /\p{Surrogate}/u;
/** Characters that HFS+ skips when it compares names (git: utf8.c, next_hfs_char). */
const HFS_IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/gu;
/** `.gitmodules` and the short names that NTFS may give it (git: path.c, is_ntfs_dot_generic). */
const GITMODULES = /^(\.gitmodules|gitmod~[1-4]|(?=.{8}$)g(i(7(e(ba?)?)?)?)?~[1-9][0-9]*)$/u;
const WINDOWS_CHARACTER = /[<>:"|?*]/u;
/** Also with an extension: `nul.txt` is the device. The superscript digits count as digits. */
const WINDOWS_DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³]) *(\.|$)/iu;

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
  assertRelative(path, relative);
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
  if (LONE_SURROGATE.test(path)) refuse('INVALID_INPUT', path, 'text', 'is not well-formed Unicode');
  if (CONTROL.test(path)) {
    refuse('INVALID_INPUT', path, 'control character', 'holds a control character; remove it');
  }
  if (BIDI.test(path)) {
    refuse('INVALID_INPUT', path, 'bidirectional control', 'holds a control of text direction; remove it');
  }
}

/** The rest of an absolute path that lies inside the root; any other path as it is. */
function insideRoot(path: string, options: PathOptions): string {
  const roots = typeof options.root === 'string' ? [options.root] : (options.root ?? []);
  for (const root of roots) {
    const prefix = root.endsWith('/') ? root : `${root}/`;
    if (path.startsWith(prefix)) return path.slice(prefix.length);
    if (`${path}/` === prefix) return '';
  }
  return path;
}

/** Without leading `./`; of a folder also without the last slash. */
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

function assertRelative(path: string, relative: string): void {
  const words = 'give a path relative to the root of the workspace';
  if (relative.startsWith('/')) {
    refuse('OUTSIDE_WORKSPACE', path, 'absolute', `is absolute and not inside the workspace; ${words}`);
  }
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(relative)) {
    refuse('OUTSIDE_WORKSPACE', path, 'url', `is a URL; ${words}`);
  }
  if (/^[a-z]:/i.test(relative)) {
    refuse('OUTSIDE_WORKSPACE', path, 'drive', `begins with a drive letter; ${words}`);
  }
  if (/^~(\/|$)/.test(relative)) {
    refuse('OUTSIDE_WORKSPACE', path, 'home', `stands for a home folder; ${words}`);
  }
}

/** One file, one spelling: no `.`, `..` or empty component. */
function assertCanonical(path: string, components: readonly string[]): void {
  if (components.length === 1 && ['', '.'].includes(components[0]!)) {
    refuse('INVALID_INPUT', path, 'empty', 'names no file; name a file below the root');
  }
  if (components.includes('..')) {
    refuse(
      'OUTSIDE_WORKSPACE',
      path,
      'dot component',
      'leads out of the workspace (..). Name a file inside it, by its path from the root',
    );
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
  if (kind === 'dots') {
    refuse(
      'OUTSIDE_WORKSPACE',
      path,
      'dot component',
      'holds a component that some systems take for . or ..',
    );
  }
  if (kind === '.git') {
    refuse(
      'PROTECTED_PATH',
      path,
      '.git',
      "belongs to git's own folder, or some systems take it for that; it is not edited here, use git's commands",
    );
  }
  if (kind === '.gitmodules' && !options.gitmodules) {
    refuse(
      'PROTECTED_PATH',
      path,
      '.gitmodules',
      'holds addresses that git follows; it is not edited here, use git submodule',
    );
  }
  if (options.windows) assertWindows(path, component);
}

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

/** The folders that the path lies in, outermost first: `a` and `a/b` of `a/b/c`. */
export function foldersAbove(path: string): string[] {
  const names = path.split('/').slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}

function assertWindows(path: string, component: string): void {
  if (WINDOWS_CHARACTER.test(component)) {
    refuse('INVALID_INPUT', path, 'Windows', 'holds one of < > : " | ? *, which Windows cannot store');
  }
  if (/[. ]$/.test(component)) {
    refuse(
      'INVALID_INPUT',
      path,
      'Windows',
      'has a component that ends with a dot or space, which Windows drops',
    );
  }
  if (WINDOWS_DEVICE.test(component)) {
    refuse('INVALID_INPUT', path, 'Windows', 'has a component that Windows takes for a device');
  }
}

function refuse(code: ErrorCode, path: string, rule: string, words: string, suggestion?: string): never {
  const data = { path: cut(path), rule, ...(suggestion === undefined ? {} : { suggestion }) };
  throw new EditError(code, `The path ${shown(path)} ${words}.`, data);
}

/** The path in quotes for a message: invisible characters escaped, long ones cut. */
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
