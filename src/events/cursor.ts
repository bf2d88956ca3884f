/**
 * The place of a reader in the history of all followed refs: what it has been told. It is printed with each event as one
 * word, so that whoever keeps the last one goes on there, in any process.
 */

import { fromLatin1, fromUtf8, latin1, utf8 } from '../bytes.ts';
import { EditError } from '../errors.ts';
import { isOid } from '../git/objects/object.ts';
import { checkRefName } from '../git/refs/refs.ts';

export interface ReadPosition {
  /** Seconds since 1970 when the refs were read that all has been told of. */
  time: number;
  /**
   * By ref, the newest commits that were told of; all below them were told, too. There are several while a merge is told of
   * side by side, and none for a ref that was rewound and is not told of yet.
   */
  readonly refs: Map<string, readonly string[]>;
  /** Commits that refs were left at when they were deleted or rewound, the last ones: what is below them was told. */
  left: readonly string[];
}

/** The most commits in `left`. */
const LEFT = 16;

const VERSION = 'v1.';

/** The words for no place yet: before the first commit of all, and after the last. */
export const START = 'start';
export const NOW = 'now';

export function startPosition(): ReadPosition {
  return { time: 0, refs: new Map(), left: [] };
}

/** Notes that a ref is at these commits no more. */
export function leave(place: ReadPosition, commits: readonly string[]): void {
  place.left = [...new Set([...place.left, ...commits])].slice(-LEFT);
}

/** Writes a place as one word of letters, digits, `-`, `_` and `.`. */
export function formatCursor({ time, refs, left }: ReadPosition): string {
  const lines = [
    String(time),
    left.join(','),
    ...[...refs].map(([name, commits]) => `${commits.join(',')} ${name}`),
  ];
  const text = btoa(latin1(utf8(lines.join('\n'))));
  return VERSION + text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** Reads a place. Throws INVALID_INPUT for what is no cursor. */
export function parseCursor(method: string, cursor: string): ReadPosition {
  const place = cursor.startsWith(VERSION) ? parsePosition(decoded(cursor.slice(VERSION.length))) : null;
  if (place) return place;
  const shown = JSON.stringify(cursor.slice(0, 40));
  const message = `${method}: ${shown} is not a cursor. Give the \`cursor\` of an event, \`start\` for all there is, or \`now\` for what comes. Nothing was read.`;
  throw new EditError('INVALID_INPUT', message, { fields: ['since'] });
}

function decoded(text: string): string | null {
  try {
    return fromUtf8(fromLatin1(atob(text.replaceAll('-', '+').replaceAll('_', '/'))));
  } catch {
    return null;
  }
}

function parsePosition(text: string | null): ReadPosition | null {
  const [time = '', left = '', ...lines] = (text ?? '').split('\n');
  const place: ReadPosition = { time: Number(time), refs: new Map(), left: idsOf(left) };
  if (!/^\d{1,12}$/.test(time) || !place.left.every(isOid)) return null;
  for (const line of lines) {
    const at = line.indexOf(' ');
    const [commits, name] = [idsOf(line.slice(0, at)), line.slice(at + 1)];
    if (at < 0 || !commits.every(isOid) || !isFollowedName(name)) return null;
    place.refs.set(name, commits);
  }
  return place;
}

function idsOf(text: string): string[] {
  return text === '' ? [] : text.split(',');
}

/** A ref, or the HEAD of a linked work tree as git names it. */
function isFollowedName(name: string): boolean {
  return checkRefName(name.replace(/^worktrees\/.+\/HEAD$/, 'HEAD'));
}
