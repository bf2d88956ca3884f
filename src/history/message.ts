/**
 * The message of a trail commit, written and read.
 *
 *     str_replace src/auth.ts (+1 -1)          subject, at most 72 characters
 *
 *     the reason given with the edit           body, if there is one
 *
 *     Vedit-Op: str_replace                    last paragraph: one trailer a line
 *     Vedit-Path: src/auth.ts                  in quotes, as git's, where it begins with one, has blanks at an end, or what no trailer may hold
 *     Vedit-Head: <commit of HEAD that the trail had seen; only on a refs/vedit/ trail>
 *     Vedit-Branch: <the branch that was checked out; only on a refs/vedit/ trail>
 *     Vedit-Line: 2                            the format; only in the first commit of a refs/vedit/ trail
 *     Vedit-Session: 7f3a
 *
 * `git interpret-trailers --parse` and `git log --format='%(trailers)'` read the same.
 */

import { gitName, shownName, unquote } from '../c-quote.ts';
import { EditError } from '../errors.ts';
import { isOutside, type Operation } from '../operations.ts';

export const SUBJECT_LIMIT = 72;

/** The most characters of a title, and of the paths in it: git shows longer subjects whole, and cuts none. */
const TITLE_LIMIT = 100;
const WHAT_LIMIT = 48;

/** Stands behind a title of which the body holds more. */
const CUT = '...';

/** The format of trails beside the branch. */
export const LINE = '2';

/** In UTF-16 units; a path has at most 4,095 bytes, and quotes. */
const LONGEST_VALUE = 4100;

/** Bytes; a longer reason belongs into a file. */
const REASON_LIMIT = 64 * 1024;

/** The fields of a trail commit that its trailers hold. Commits are full ids. */
export interface TrailMeta {
  op: Operation;
  paths: readonly string[];
  /** The commit that the edit was decided on, when the caller named one. */
  base?: string | undefined;
  /** The address of the committer, where that is the host's and not the engine's. */
  committer?: string | undefined;
  /** HEAD's commit when this one was made, on a trail beside the branch. */
  head?: string | undefined;
  /** The branch that was checked out, without `refs/heads/`, on a trail beside it; none where HEAD is detached. */
  branch?: string | undefined;
  /** The format of the trail beside the branch that begins with this commit; see LINE. */
  line?: string | undefined;
  session?: string | undefined;
  agent?: string | undefined;
  model?: string | undefined;
  /** The name that the agent's client gives itself, where that is not the agent's name. */
  client?: string | undefined;
  /** The sub-agent that made it, as its client names it. */
  subagent?: string | undefined;
  /** The turn, which is what the agent did for one prompt: an id that says nothing. */
  turn?: string | undefined;
  call?: string | undefined;
  editId?: string | undefined;
  /** The hash of the tool and input that the id was given with. */
  editHash?: string | undefined;
  undoes?: readonly string[] | undefined;
  redoes?: readonly string[] | undefined;
  restores?: string | undefined;
  /** The edits whose lines a person's rejection took out. */
  rejects?: readonly string[] | undefined;
  /** The rejection that this takes back. */
  unrejects?: string | undefined;
  /** The lines that a comment is about, `40-44`, and the edits that it is about. */
  lines?: string | undefined;
  comments?: readonly string[] | undefined;
  /** The comment that this answers. */
  replies?: string | undefined;
  /** The kinds of keys that the editor said may be in history, each with the path: `<kind> <path>`. */
  allowsSecrets?: readonly string[] | undefined;
  /**
   * The certainty of a change from outside that may be an agent's: `during` where it was made while calls ran,
   * `unclaimed` where no more is known. Without it, it is a person's. Of an edit that was recorded: `tool` where the
   * tool's own words say what it changed, `window` where it is all that changed while the call ran, `during` where
   * other calls ran, too.
   */
  certain?: 'tool' | 'window' | 'during' | 'unclaimed' | (string & {}) | undefined;
  /** Each change of a path that a person who accepts such text says is theirs: `<commit> <path>`. */
  claims?: readonly string[] | undefined;
  /** Where git records other bytes than a file has, the form of it before and after: `<form>..<form> <path>`. */
  forms?: readonly string[] | undefined;
  /** The calls of such a change, as `<agent> <call> <tool>`, or the agents that were at work. */
  during?: readonly string[] | undefined;
}

const TRAILERS: ReadonlyArray<readonly [string, keyof TrailMeta]> = [
  ['Vedit-Op', 'op'],
  ['Vedit-Path', 'paths'],
  ['Vedit-Base', 'base'],
  ['Vedit-Committer', 'committer'],
  ['Vedit-Head', 'head'],
  ['Vedit-Branch', 'branch'],
  ['Vedit-Line', 'line'],
  ['Vedit-Session', 'session'],
  ['Vedit-Agent', 'agent'],
  ['Vedit-Model', 'model'],
  ['Vedit-Client', 'client'],
  ['Vedit-Subagent', 'subagent'],
  ['Vedit-Turn', 'turn'],
  ['Vedit-Call', 'call'],
  ['Vedit-Edit-Id', 'editId'],
  ['Vedit-Edit-Hash', 'editHash'],
  ['Vedit-Undoes', 'undoes'],
  ['Vedit-Redoes', 'redoes'],
  ['Vedit-Restores', 'restores'],
  ['Vedit-Rejects', 'rejects'],
  ['Vedit-Unrejects', 'unrejects'],
  ['Vedit-Lines', 'lines'],
  ['Vedit-Comments', 'comments'],
  ['Vedit-Replies', 'replies'],
  ['Vedit-Allows-Secret', 'allowsSecrets'],
  ['Vedit-Certain', 'certain'],
  ['Vedit-During', 'during'],
  ['Vedit-Claims', 'claims'],
  ['Vedit-Bytes', 'forms'],
];

const FIELDS: ReadonlyMap<string, keyof TrailMeta> = new Map(TRAILERS);

const LISTS: ReadonlySet<keyof TrailMeta> = new Set([
  'paths',
  'undoes',
  'redoes',
  'rejects',
  'comments',
  'allowsSecrets',
  'during',
  'claims',
  'forms',
]);

/** Makes a value that says something of a path, such as `<kind> <path>`. */
export function aboutPath(what: string, path: string): string {
  return `${what} ${pathValue(path)}`;
}

export type HostTrailers = Readonly<Record<string, string | readonly string[]>>;

/** The whole message; `own` are trailers of the host. Throws INVALID_INPUT when a value holds a control character or the reason is too long. */
export function formatMessage(
  subject: string,
  reason: string | undefined,
  meta: TrailMeta,
  ...own: ReadonlyArray<HostTrailers | undefined>
): string {
  const parts = [subject];
  const body = bodyOf(subject, reason ? cleanReason(reason) : '', meta.paths);
  if (body) parts.push(body);
  const lines = [formatTrailers(meta)];
  for (const trailers of own) if (trailers) lines.push(...hostLines(trailers));
  parts.push(lines.join('\n'));
  return `${parts.join('\n\n')}\n`;
}

function formatTrailers(meta: TrailMeta): string {
  const lines: string[] = [];
  for (const [key, field] of TRAILERS) {
    const value = meta[field];
    if (value === undefined) continue;
    for (const one of (Array.isArray(value) ? value : [value]) as string[]) {
      const text = field === 'paths' ? pathValue(one) : one;
      lines.push(`${key}: ${checkTrailer(key, text)}`);
    }
  }
  return lines.join('\n');
}

function hostLines(trailers: HostTrailers): string[] {
  return Object.entries(trailers).flatMap(([name, given]) =>
    [given].flat().map(value => `${name}: ${checkTrailer(name, value)}`),
  );
}

/** Git cuts blanks off the ends of a trailer; a name may have them all the same, and what no trailer may hold. */
function pathValue(path: string): string {
  if (hasControl(path)) return gitName(path);
  if (path === path.trim() && !path.startsWith('"')) return path;
  return `"${path.replace(/["\\]/g, '\\$&')}"`;
}

function valuePath(value: string): string {
  return unquote(value) ?? value;
}

/**
 * Returns what is left of a name that somebody else gave, when it is to be a value of a trailer; `undefined`: nothing.
 */
export function trailerText(given: string): string | undefined {
  const plain = given.replace(new RegExp(CONTROL, 'g'), ' ').slice(0, LONGEST_VALUE).trim();
  return plain === '' ? undefined : plain;
}

/** A value that fits on one line and cannot start another trailer. */
export function checkTrailer(name: string, value: string): string {
  if (!isTrailerValue(value)) {
    const shown = JSON.stringify(value.slice(0, 60));
    throw new EditError(
      'INVALID_INPUT',
      `${name} cannot be ${shown}: give one line of plain text, without control characters or blanks at its ends, at most 4,096 characters.`,
      { field: name },
    );
  }
  return value;
}

export function isTrailerValue(value: string): boolean {
  return value !== '' && value === value.trim() && !hasControl(value) && value.length <= LONGEST_VALUE;
}

// C0, DEL, C1, line and paragraph separators, bidirectional controls: none may reach a trailer or a terminal.
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

function hasControl(value: string): boolean {
  return CONTROL.test(value) || !value.isWellFormed();
}

/** The reason as a body: no control characters but line ends, and no `---` line, at which git ends a message. */
function cleanReason(reason: string): string {
  const text = reason.replace(/\r\n?/g, '\n').replace(/\t/g, ' ').trim();
  if (hasControl(text.replaceAll('\n', ''))) {
    throw new EditError(
      'INVALID_INPUT',
      'The reason holds control characters. Give plain text; line breaks are allowed.',
      { field: 'reason' },
    );
  }
  if (new TextEncoder().encode(text).length > REASON_LIMIT) {
    throw new EditError('INVALID_INPUT', `The reason is longer than ${REASON_LIMIT} bytes. Shorten it.`, {
      field: 'reason',
    });
  }
  return text.replace(/^---/gm, ' ---');
}

/** `str_replace src/auth.ts (+1 -1)`; the middle of a long path gives way, so that git shows the whole subject. */
export function formatSubject(
  op: string,
  paths: readonly string[],
  added: number,
  removed: number,
  arrow = false,
): string {
  const tail = ` (+${added} -${removed})`;
  const what = namesOf(paths, arrow);
  const room = SUBJECT_LIMIT - op.length - 1 - tail.length;
  return `${op} ${what.length <= room ? what : shorten(what, room)}${tail}`;
}

/**
 * `refuse expired tokens (src/auth.ts)`: the first line of a reason, and what the commit is about. `null`: no subject can be read
 * as that. The body holds the rest of the reason, or all of it behind a title that is cut. `paths` may be two of a move.
 */
export function formatTitle(reason: string, paths: readonly string[], arrow = false): string | null {
  const [first = ''] = cleanReason(reason).split('\n');
  const what = shorten(namesOf(paths, arrow), WHAT_LIMIT);
  const room = TITLE_LIMIT - what.length - 3;
  const isPart = first.length > room || /^.*\n(?!\n)/.test(reason.trim());
  const title = isPart ? `${first.slice(0, room - CUT.length).trimEnd()}${CUT}` : first;
  const subject = `${title} (${what})`;
  return first !== '' && title.isWellFormed() && titleIn(subject, paths) === title ? subject : null;
}

/** The path, the two of a move, or how many they are. */
function namesOf(paths: readonly string[], arrow: boolean): string {
  if (arrow) return paths.slice(0, 2).map(shownName).join(' -> ');
  return paths.length === 1 ? shownName(paths[0]!) : `${paths.length} files`;
}

/** The reason's words in a subject; `null` for one of another kind. */
function titleIn(subject: string, paths: readonly string[]): string | null {
  if (/ \(\+\d+ -\d+\)$/.test(subject)) return null;
  const [one, other] = paths.slice(0, 2).map(shownName);
  const names = [one, other, `${one} -> ${other}`, `${other} -> ${one}`];
  const ends = names.flatMap(name => (name === undefined ? [] : ` (${shorten(name, WHAT_LIMIT)})`));
  const end = ends.find(words => subject.endsWith(words)) ?? / \(\d+ files\)$/.exec(subject)?.[0];
  return end === undefined ? null : subject.slice(0, -end.length);
}

/** Returns what of the reason stands below the subject. */
function bodyOf(subject: string, reason: string, paths: readonly string[]): string {
  const [, rest = ''] = /^[^\n]+(?:\n{2,}(.+))?$/s.exec(reason) ?? [];
  return [rest, reason].find(body => reasonIn(subject, body, paths) === reason) ?? reason;
}

function reasonIn(subject: string, body: string, paths: readonly string[]): string {
  const title = titleIn(subject, paths);
  if (title === null || title.endsWith(CUT)) return body;
  return body === '' ? title : `${title}\n\n${body}`;
}

function shorten(text: string, room: number): string {
  const characters = [...text];
  return characters.length <= room ? text : `...${characters.slice(characters.length - room + 3).join('')}`;
}

export interface ParsedMessage {
  subject: string;
  reason: string;
  /** The parsed trailers; `null` when the engine did not write this message. */
  meta: TrailMeta | null;
}

/** Reads what formatMessage wrote. A message of anybody else has no `meta`. */
export function parseMessage(message: string): ParsedMessage {
  const paragraphs = message.trimEnd().split(/\n{2,}/);
  const meta = paragraphs.length > 1 ? parseTrailers(paragraphs.at(-1)!) : null;
  const body = meta ? paragraphs.slice(1, -1) : paragraphs.slice(1);
  const [subject = ''] = paragraphs;
  const rest = body.join('\n\n');
  return { subject, reason: meta ? reasonIn(subject, rest, meta.paths) : rest, meta };
}

function parseTrailers(paragraph: string): TrailMeta | null {
  const meta: Record<string, unknown> = { paths: [] };
  for (const line of paragraph.split('\n')) {
    const at = line.indexOf(': ');
    const field = FIELDS.get(line.slice(0, at));
    if (!field) continue;
    const text = line.slice(at + 2);
    const value = field === 'paths' ? valuePath(text) : text;
    if (!LISTS.has(field)) meta[field] = value;
    else {
      meta[field] ??= [];
      (meta[field] as string[]).push(value);
    }
  }
  // That of a review is where a rejection was recorded, which is not its work.
  if (isOutside(meta.op as string | undefined)) delete meta.session;
  return typeof meta.op === 'string' ? (meta as unknown as TrailMeta) : null;
}
